import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { z } from 'zod'
import { type Settings, sizeOf, type Table } from '../benchmark.js'
import { klens } from '../child.js'
import { DATA } from '../generate.js'
import { load } from '../machine.js'
import { serveKlens } from './browsing.js'
import { privateMegabytesOf } from './processes.js'

/** A page that looks at a run to which ten rows a second are added: what its tab holds in memory, at first and in the end. */

const SECONDS = 600
const A_SECOND = 10

export async function liveMemory(browser: Browser, settings: Settings): Promise<Table> {
  const seconds = sizeOf(settings, SECONDS)
  const home = join(DATA, `web-live-${process.pid}`)
  const log = liveLog(join(home, 'logs', 'live'))
  for (let i = 0; i < 50; i += 1) log.write()
  const store = join(home, '.klens')
  await klens(store, ['import', join(home, 'logs')])
  const server = await serveKlens(store, [join(home, 'logs')])
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
  const page = await context.newPage()
  await page.goto(`${server.url}/runs`)
  await page.getByRole('link', { name: 'live' }).click()
  await page.locator('canvas').first().waitFor()
  const session = await context.newCDPSession(page)
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = z.object({ usedSize: z.number() }).parse(await session.send('Runtime.getHeapUsage'))
    return usedSize / 1e6
  }
  const first = { heap: await heap(), tab: await tabMegabytes(browser) }
  const cpuBefore = server.cpuSeconds()
  const timer = setInterval(log.write, 1000 / A_SECOND)
  let highest = first.tab
  const until = performance.now() + 1000 * seconds
  while (performance.now() < until) {
    await page.waitForTimeout(Math.min(LOOK_MS, until - performance.now()))
    highest = Math.max(highest, await tabMegabytes(browser))
  }
  clearInterval(timer)
  const cpu = server.cpuSeconds() - cpuBefore
  const last = await heap()
  const lastStep = log.rows() - 1
  // By value: the head of the page says which step the run has reached.
  const showsEnd = await page
    .locator('header', { hasText: `–${lastStep}` })
    .waitFor({ timeout: 10_000 })
    .then(
      () => 'yes',
      () => 'no',
    )
  await context.close()
  await server.stop()
  rmSync(home, { recursive: true, force: true })
  return {
    title: `web: a live run, ${A_SECOND} rows a second for ${seconds} s (load ${load().toFixed(1)})`,
    rows: [
      {
        what: 'memory of the tab',
        'at first MB': first.tab,
        'at most MB': highest,
        'JavaScript at first MB': first.heap,
        'in the end MB': last,
        rows: lastStep + 1,
        'shows the end': showsEnd,
        'server CPU s a second': cpu / seconds,
      },
    ],
  }
}

const LOOK_MS = 5000

/** A log of its own that grows row by row. */
export function liveLog(folder: string): { readonly write: () => void; readonly rows: () => number } {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'metrics.jsonl')
  let step = 0
  const write = (): void => {
    const values = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`metric_${i}`, Math.sin(step / 9 + i)]))
    appendFileSync(path, `${JSON.stringify({ step, score: Math.sin(step / 50), ...values })}\n`)
    step += 1
  }
  return { write, rows: () => step }
}

const processesSchema = z.object({ processInfo: z.array(z.object({ type: z.string(), id: z.number() })) })

/** Of the largest process that shows pages: a browser keeps a spare one besides. */
async function tabMegabytes(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  try {
    const { processInfo } = processesSchema.parse(await session.send('SystemInfo.getProcessInfo'))
    const renderers = processInfo.filter(({ type }) => type === 'renderer')
    return Math.max(...renderers.map(({ id }) => privateMegabytesOf(id)))
  } finally {
    await session.detach()
  }
}
