import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, CDPSession } from 'playwright-core'
import { z } from 'zod'
import { openBrowser } from '../../test/browser.js'
import { ROOT } from '../generate.js'
import { cpuSecondsOf } from './processes.js'

/**
 * Pages as a person opens them: a fresh browser context each time, so that nothing is cached, in a window that is open
 * already, and the clock runs from the start of the navigation until what was asked for has been painted, checked by value
 * in every frame.
 */

export async function withBrowser<Result>(use: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await openBrowser()
  if (browser === null) throw new Error('no Chromium could be started: set KLENS_BROWSER')
  try {
    return await use(browser)
  } finally {
    await browser.close()
  }
}

export interface Served {
  readonly url: string
  /** Of the server and the processes it has started, so far. */
  cpuSeconds(): number
  /** Until it has ended. */
  stop(): Promise<void>
}

/** `klens serve` on a workspace, following logs. */
export async function serveKlens(home: string, logs: readonly string[] = []): Promise<Served> {
  const words = [join(ROOT, 'bin', 'klens.js'), 'serve', '--no-open', '--port', '0', ...logs]
  const child = spawn(process.execPath, words, { env: { ...process.env, KLENS_HOME: home }, stdio: 'pipe' })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', chunk => resolve(String(chunk).split('\n')[0]))
    child.once('exit', code => reject(new Error(`klens serve ended with ${code}`)))
  })
  return served(child, url)
}

export function served(child: ChildProcess, url: string): Served {
  const { pid } = child
  if (pid === undefined) throw new Error(`the server of ${url} did not start`)
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  process.once('exit', () => child.kill('SIGTERM'))
  const stop = (): Promise<void> => {
    child.kill('SIGTERM')
    return ended
  }
  return { url, cpuSeconds: () => cpuSecondsOf(pid), stop }
}

/** A new window of Chromium is busy with itself for so long: half a second of CPU, most of it for its own toolbars. */
const WINDOW_MS = 1500

export interface Painted {
  /** Of each of the conditions; infinite for one that did not come true in time. */
  readonly milliseconds: readonly number[]
  /** CPU time of the page's main thread up to the last of them. */
  readonly cpuMilliseconds: number
  /** As they came over the wire. */
  readonly bytes: number
  readonly requests: number
}

/**
 * Each condition is the text of a function that is asked in the page, in every frame, and answers true once all is there;
 * the frame after that has painted it. The next is asked when the one before has come true.
 */
export async function painted(
  browser: Browser,
  url: string,
  conditions: readonly string[],
  timeout = 60_000,
): Promise<Painted> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const traffic = await countTraffic(session)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  try {
    await pause(WINDOW_MS)
    await page.goto(url, { waitUntil: 'commit' })
    const found = await page.evaluate(`(async () => {
      const frame = () => new Promise(requestAnimationFrame)
      const times = []
      for (const isThere of [${conditions.join(', ')}]) {
        while (!isThere() && performance.now() < ${timeout}) await frame()
        if (!isThere()) break
        await frame()
        times.push(performance.now())
      }
      return times
    })()`)
    const times = z.array(z.number()).parse(found)
    const { metrics } = metricsSchema.parse(await session.send('Performance.getMetrics'))
    return {
      milliseconds: conditions.map((_, i) => times[i] ?? Number.POSITIVE_INFINITY),
      cpuMilliseconds: 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN),
      ...traffic(),
    }
  } finally {
    await context.close()
  }
}

const metricsSchema = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) })

async function countTraffic(session: CDPSession): Promise<() => { readonly bytes: number; readonly requests: number }> {
  await session.send('Network.enable')
  let [bytes, requests] = [0, 0]
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests += 1
  })
  return () => ({ bytes, requests })
}
