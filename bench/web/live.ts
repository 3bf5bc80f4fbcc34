import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { z } from 'zod'
import type { Settings, Table } from '../benchmark.js'
import { klens } from '../child.js'
import { DATA } from '../generate.js'
import { load } from '../machine.js'
import { serveKlens } from './browsing.js'

/** A page that looks at a run to which ten rows a second are added: what its tab holds in memory, at first and in the end. */

const SECONDS = 600
const A_SECOND = 10

export async function liveMemory(browser: Browser, { small }: Settings): Promise<Table> {
  const seconds = small ? SECONDS / 10 : SECONDS
  const home = join(DATA, `web-live-${process.pid}`)
  const log = join(home, 'logs', 'live', 'metrics.jsonl')
  mkdirSync(join(home, 'logs', 'live'), { recursive: true })
  let step = 0
  const write = (): void => {
    const values = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`metric_${i}`, Math.sin(step / 9 + i)]))
    appendFileSync(log, `${JSON.stringify({ step, score: Math.sin(step / 50), ...values })}\n`)
    step += 1
  }
  for (let i = 0; i < 50; i += 1) write()
  const store = join(home, '.klens')
  await klens(store, ['import', join(home, 'logs')])
  const server = await serveKlens(store, [join(home, 'logs')])
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${server.url}/runs`)
  await page.getByRole('link', { name: 'live' }).click()
  await page.locator('canvas').first().waitFor()
  const session = await context.newCDPSession(page)
  const heap = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage')
    return z.number().parse(await page.evaluate('performance.memory.usedJSHeapSize')) / 1e6
  }
  const first = await heap()
  const timer = setInterval(write, 1000 / A_SECOND)
  await page.waitForTimeout(1000 * seconds)
  clearInterval(timer)
  const last = await heap()
  const written = step
  await page.waitForTimeout(4000)
  const shown = await page.locator('#content').innerText()
  await context.close()
  server.stop()
  rmSync(home, { recursive: true, force: true })
  return {
    title: `web: a live run, ${A_SECOND} rows a second for ${seconds} s (load ${load().toFixed(1)})`,
    rows: [
      {
        what: 'memory of the page (JavaScript heap after a collection)',
        'at first MB': first,
        'in the end MB': last,
        rows: written,
        'shows the end': shown.includes((written - 1).toLocaleString('en')) ? 'yes' : 'no',
      },
    ],
  }
}
