import type { Browser } from 'playwright-core'
import { z } from 'zod'
import { count } from '../../src/text/numbers.js'
import type { Settings, Table } from '../benchmark.js'
import { load } from '../machine.js'
import { fullWorkspace } from '../make-workspace.js'
import { median } from '../measure.js'
import { serveKlens } from './browsing.js'

/**
 * One series of ten million points, zoomed in and out again by a key in every frame. What is counted are pictures that were
 * drawn while it zooms; after each zoom it rests until the server has answered for the window, checked by how many points
 * the chart says there are.
 */

const CYCLES = 8
const REST_MS = 5000
/** Each halves the window. */
const DEPTH = 14

/** In the page: zooms, rests, and tells how quick both were. */
function zooming(inside: number, all: number): string {
  return `(async () => {
  const frame = () => new Promise(requestAnimationFrame)
  const chart = document.querySelector('.chart-overlay')
  const points = () => Number(/^[\\d,]+/.exec(document.querySelector('.chart-foot').textContent)?.[0].replaceAll(',', ''))
  let drawn = 0
  const draw = CanvasRenderingContext2D.prototype.setTransform
  CanvasRenderingContext2D.prototype.setTransform = function (...matrix) {
    drawn += 1
    return draw.apply(this, matrix)
  }
  let [zoomed, slowest, last] = [0, 0, await frame()]
  const next = async () => {
    const now = await frame()
    slowest = Math.max(slowest, now - last)
    last = now
  }
  const answers = []
  let pictures = 0
  const zoom = async (key, expected) => {
    const before = drawn
    const began = performance.now()
    for (let turn = 0; turn < ${DEPTH}; turn += 1) {
      chart.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      await next()
    }
    zoomed += performance.now() - began
    pictures += drawn - before
    const rested = performance.now()
    while (Math.abs(points() - expected) > 2 && performance.now() - rested < 30000) await next()
    answers.push(performance.now() - rested)
  }
  for (let cycle = 0; cycle < ${CYCLES}; cycle += 1) {
    await zoom('+', ${inside})
    await zoom('-', ${all})
  }
  return { perSecond: 1000 * pictures / zoomed, pictures, slowest, answers }
})()`
}

const zoomingSchema = z.object({
  perSecond: z.number(),
  pictures: z.number(),
  slowest: z.number(),
  answers: z.array(z.number()),
})

export async function zoomed(browser: Browser, settings: Settings): Promise<Table> {
  const steps = settings.small ? 1_000_000 : 10_000_000
  const workspace = await fullWorkspace(1, { metrics: 1, steps })
  const server = await serveKlens(workspace.root)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
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
    .getByText(`${count(steps)} points, shown as`, { exact: false })
    .first()
    .waitFor({ timeout: 180_000 })
  // What else the page asks for when it opens, a diagnosis above all, is over before it is zoomed.
  await page.waitForTimeout(REST_MS)
  const cpuBefore = server.cpuSeconds()
  const {
    perSecond,
    pictures,
    slowest,
    answers: waits,
  } = zoomingSchema.parse(await page.evaluate(zooming(Math.round(steps / 2 ** DEPTH), steps)))
  const cpu = server.cpuSeconds() - cpuBefore
  await context.close()
  await server.stop()
  return {
    title: `web: a series of ${steps.toLocaleString('en')} points, zoomed ${2 * CYCLES} times by 2^${DEPTH} (load ${load().toFixed(1)})`,
    rows: [
      {
        what: 'a zoom in every frame',
        'pictures a second': perSecond,
        pictures,
        'slowest frame ms': slowest,
        'until the window is exact, median ms': median(waits),
        'slowest ms': Math.max(...waits),
        'largest answer kB': Math.max(...answers) / 1000,
        'server CPU s': cpu,
      },
    ],
  }
}
