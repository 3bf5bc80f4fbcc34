import type { Browser } from 'playwright-core'
import { z } from 'zod'
import type { Settings, Table } from '../benchmark.js'
import { load } from '../machine.js'
import { fullWorkspace } from '../make-workspace.js'
import { serveKlens } from './browsing.js'

/** One series of ten million points: zoomed in and out by keys for some seconds, frames counted, answers weighed. */

const SECONDS = 6

/** Frames of the page while it is zoomed, counted by the page itself. */
const COUNT_FRAMES = `new Promise(resolve => {
  let frames = 0
  const began = performance.now()
  const step = now => {
    frames += 1
    if (now - began > ${1000 * SECONDS}) resolve(1000 * frames / (now - began))
    else requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
})`

export async function zoomed(browser: Browser, settings: Settings): Promise<Table> {
  const steps = settings.small ? 1_000_000 : 10_000_000
  const workspace = await fullWorkspace(1, { metrics: 1, steps })
  const server = await serveKlens(workspace.root)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const answers: number[] = []
  page.on('response', response => {
    if (!response.url().endsWith('/api/series')) return
    void response.body().then(
      body => answers.push(body.length),
      () => {},
    )
  })
  await page.goto(`${server.url}/run/run-00000`)
  await page
    .getByText(`${steps.toLocaleString('en')} points, shown as`, { exact: false })
    .first()
    .waitFor({ timeout: 180_000 })
  const chart = page.getByRole('group', { name: /arrow keys/ }).first()
  await chart.focus()
  const counting = page.evaluate(COUNT_FRAMES)
  const until = Date.now() + 1000 * SECONDS
  let [turns, presses] = [0, 0]
  while (Date.now() < until) {
    turns += 1
    await page.keyboard.press(turns % 24 < 12 ? '+' : '-')
    presses += 1
    await page.waitForTimeout(60)
  }
  const frames = z.number().parse(await counting)
  await page.waitForTimeout(1500)
  await context.close()
  server.stop()
  return {
    title: `web: a series of ${steps.toLocaleString('en')} points (load ${load().toFixed(1)})`,
    rows: [
      {
        what: 'zoomed by keys',
        'frames a second': frames,
        zooms: presses,
        'answers asked for': answers.length,
        'largest answer kB': Math.max(...answers) / 1000,
      },
    ],
  }
}
