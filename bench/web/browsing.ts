import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { z } from 'zod'
import { openBrowser } from '../../test/browser.js'
import { ROOT } from '../generate.js'

/**
 * Pages as a person opens them: a fresh browser context each time, so that nothing is cached, and the clock runs from the
 * start of the navigation until what was asked for stands in the page, checked by value in every frame that is painted.
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
  readonly pid: number
  stop(): void
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
  process.once('exit', () => child.kill('SIGTERM'))
  return { url, pid: child.pid ?? 0, stop: () => void child.kill('SIGTERM') }
}

export interface Painted {
  readonly milliseconds: number
  /** As they came over the wire. */
  readonly bytes: number
  readonly requests: number
}

/** `isThere` is the text of a function that is asked in the page, in every frame, and answers true once all is there. */
export async function painted(browser: Browser, url: string, isThere: string, timeout = 120_000): Promise<Painted> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const traffic = await countTraffic(page)
  try {
    await page.goto(url, { waitUntil: 'commit' })
    const looking = page.evaluate(`new Promise(resolve => {
      const look = () => (${isThere})() ? resolve(performance.now()) : requestAnimationFrame(look)
      look()
    })`)
    // One that is not there in time is not left out: it took at least so long.
    const found = await Promise.race([looking, pause(timeout, Number.POSITIVE_INFINITY)])
    return { milliseconds: z.number().or(z.literal(Number.POSITIVE_INFINITY)).parse(found), ...traffic() }
  } finally {
    await context.close()
  }
}

async function countTraffic(page: Page): Promise<() => { readonly bytes: number; readonly requests: number }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let [bytes, requests] = [0, 0]
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests += 1
  })
  return () => ({ bytes, requests })
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
