import type { Browser, CDPSession } from 'playwright-core'
import { z } from 'zod'
import { count } from '../../src/text/numbers.js'
import type { Settings, Table } from '../benchmark.js'
import { load } from '../machine.js'
import { fullWorkspace } from '../make-workspace.js'
import { median } from '../measure.js'
import { painted, serveKlens } from './browsing.js'

/** The page of curves: how soon its panels stand there, for a server that has never read them too, and how they zoom. */

/** What the page shows beside the metric in question: eight panels in all. */
export const COMPARED = {
  runs: 20,
  steps: 10_000,
  metrics: [
    'val-core/openai/gsm8k/acc/mean@8',
    'critic/score/mean',
    'actor/kl_loss',
    'actor/entropy',
    'response_length/mean',
    'actor/grad_norm',
    'actor/pg_clipfrac',
    'actor/pg_loss',
  ],
}

/** Each panel says below how many points it shows. */
export function panelsShown(panels: number, points: number): string {
  return `() => [...document.querySelectorAll('.chart')].filter(chart => chart.querySelector('canvas') !== null
    && chart.textContent.includes('${count(points)} points')).length >= ${panels}`
}

const TURNS = 60
const REST_MS = 3000

/** Zooms in and out again, a key in every frame. */
const ZOOM = `(async () => {
  const chart = document.querySelector('.chart-overlay')
  for (let turn = 0; turn < ${TURNS}; turn += 1) {
    chart.dispatchEvent(new KeyboardEvent('keydown', { key: turn % 12 < 6 ? '+' : '-', bubbles: true }))
    await new Promise(requestAnimationFrame)
  }
})()`

const metricsSchema = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) })

async function scriptSeconds(session: CDPSession): Promise<number> {
  const { metrics } = metricsSchema.parse(await session.send('Performance.getMetrics'))
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
}

export async function curvesZoomed(browser: Browser, settings: Settings): Promise<Table> {
  const { runs, metrics } = COMPARED
  const steps = settings.small ? COMPARED.steps / 10 : COMPARED.steps
  const workspace = await fullWorkspace(runs, { metrics, steps })
  const conditions = [panelsShown(2, runs * steps), panelsShown(metrics.length, runs * steps)]
  const fresh: number[][] = []
  for (let round = 0; round < settings.rounds; round += 1) {
    const server = await serveKlens(workspace.root)
    fresh.push([...(await painted(browser, `${server.url}/curves`, conditions)).milliseconds])
    await server.stop()
  }
  const server = await serveKlens(workspace.root)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en' })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await page.goto(`${server.url}/curves`)
  await page.waitForFunction(conditions[1], undefined, { timeout: 120_000 })
  // What else the page asks for when it opens is over before it is zoomed.
  await page.waitForTimeout(REST_MS)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const before = await scriptSeconds(session)
  await page.evaluate(ZOOM)
  const script = (1000 * ((await scriptSeconds(session)) - before)) / TURNS
  await context.close()
  await server.stop()
  return {
    title: `web: curves of ${runs} runs × ${metrics.length} metrics × ${steps.toLocaleString('en')} steps (load ${load().toFixed(1)})`,
    rows: [
      {
        what: 'a server that reads them for the first time',
        'first panels ms': Math.round(median(fresh.map(([first]) => first))),
        'all eight ms': Math.round(median(fresh.map(([, all]) => all))),
        'script of a frame while zooming ms': Number(script.toFixed(2)),
      },
    ],
  }
}
