import type { Browser } from 'playwright-core'
import type { Benchmark, Figures, Settings, Table } from '../benchmark.js'
import { sizeOf } from '../benchmark.js'
import { load } from '../machine.js'
import { fullWorkspace, listedWorkspace } from '../make-workspace.js'
import { median, type Painted, painted, serveKlens, withBrowser } from './browsing.js'
import { liveMemory } from './live.js'
import { underLoad } from './load.js'
import { installedPeers } from './peers.js'
import { zoomed } from './zoom.js'

/**
 * The dashboard in a browser: how long a person looks at an empty page, beside TensorBoard and MLflow where they are
 * installed, in turns; how a long series zooms, what a live run takes, and what two hundred readers do to the server.
 */
export const webBenchmarks: readonly Benchmark[] = [
  {
    name: 'web-list',
    about: 'until the rows of many runs stand in the page, beside its peers; size in runs, 10,000',
    run: settings => withBrowser(browser => lists(browser, settings)),
  },
  {
    name: 'web-compare',
    about: 'until the curves of 20 runs stand in the page of a comparison',
    run: settings => withBrowser(browser => comparison(browser, settings)),
  },
  {
    name: 'web-zoom',
    about: 'frames a second while a series of ten million points is zoomed',
    run: settings => withBrowser(browser => zoomed(browser, settings)),
  },
  {
    name: 'web-live',
    about: 'memory of a page that looks at a live run for ten minutes',
    run: settings => withBrowser(browser => liveMemory(browser, settings)),
  },
  { name: 'web-load', about: '200 listeners and 50 questions a second for two minutes', run: underLoad },
]

async function lists(browser: Browser, settings: Settings): Promise<Table> {
  const runs = sizeOf(settings, 10_000)
  const workspace = await listedWorkspace(runs, { metrics: 20, steps: 50 })
  const contestants = [
    {
      name: 'klens',
      path: '/runs',
      isThere: `() => document.querySelectorAll('.run-row .name a').length > 10 && /of 10,000|of ${runs.toLocaleString('en')}|of ${runs}/.test(document.body.innerText)`,
      serve: () => serveKlens(workspace.root),
    },
    ...installedPeers(),
  ]
  const servers = await Promise.all(contestants.map(({ serve }) => serve(runs)))
  const times: Painted[][] = contestants.map(() => [])
  const loads: number[] = []
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const [i, { path, isThere }] of contestants.entries()) {
      loads.push(load())
      times[i].push(await painted(browser, servers[i].url + path, isThere))
    }
  }
  for (const server of servers) server.stop()
  const own = median(times[0].map(({ milliseconds }) => milliseconds))
  return {
    title: `web: ${runs.toLocaleString('en')} runs until rows stand in the page (load ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)})`,
    rows: contestants.map(({ name }, i): Figures => {
      const each = times[i].map(({ milliseconds }) => milliseconds)
      return {
        what: name,
        'median ms': Math.round(median(each)),
        'best ms': Math.round(Math.min(...each)),
        '× klens': median(each) / own,
        'kB sent': Math.round(times[i][0].bytes / 1000),
        requests: times[i][0].requests,
      }
    }),
  }
}

const COMPARED = { runs: 20, metrics: 8, steps: 10_000 }

async function comparison(browser: Browser, settings: Settings): Promise<Table> {
  const steps = settings.small ? COMPARED.steps / 10 : COMPARED.steps
  const workspace = await fullWorkspace(COMPARED.runs, { metrics: COMPARED.metrics, steps })
  const server = await serveKlens(workspace.root)
  const sides = Array.from({ length: COMPARED.runs }, (_, nth) => `side=kl-${nth}`).join('&')
  const points = (COMPARED.runs * steps).toLocaleString('en')
  // The chart of the metric in question says how many points it shows.
  const isThere = `() => document.body.innerText.includes('${points} points') && document.querySelectorAll('canvas').length > 0`
  const times: Painted[] = []
  for (let round = 0; round <= settings.rounds; round += 1) {
    times.push(await painted(browser, `${server.url}/compare?metric=actor/entropy&${sides}`, isThere))
  }
  server.stop()
  const each = times.map(({ milliseconds }) => milliseconds)
  return {
    title: `web: compare ${COMPARED.runs} runs × ${COMPARED.metrics} metrics × ${steps.toLocaleString('en')} steps (load ${load().toFixed(1)})`,
    rows: [
      {
        what: 'until the curves stand in the page',
        'first ms': Math.round(each[0]),
        'median ms, asked again': Math.round(median(each.slice(1))),
        'kB sent': Math.round(times[0].bytes / 1000),
      },
    ],
  }
}
