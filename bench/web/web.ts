import type { Browser } from 'playwright-core'
import { readManifest } from '../../src/core/store/manifest-file.js'
import type { Workspace } from '../../src/core/store/workspace.js'
import { count } from '../../src/text/numbers.js'
import type { Benchmark, Figures, Settings, Table } from '../benchmark.js'
import { sizeOf } from '../benchmark.js'
import { load } from '../machine.js'
import { fullWorkspace, listedWorkspace } from '../make-workspace.js'
import { median } from '../measure.js'
import { type Painted, painted, type Served, serveKlens, withBrowser } from './browsing.js'
import { COMPARED, curvesZoomed, panelsShown } from './curves.js'
import { liveMemory } from './live.js'
import { underLoad } from './load.js'
import { installedPeers } from './peers.js'
import { zoomed } from './zoom.js'

/**
 * The dashboard in a browser: how long a person looks at an empty page, beside its peers where they are installed,
 * in turns; how a long series zooms, what a live run takes, and what two hundred readers do to the server.
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
    name: 'web-curves',
    about: 'until the panels of 20 runs stand in the page of curves, and the script of a frame while they are zoomed',
    run: settings => withBrowser(browser => curvesZoomed(browser, settings)),
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

const LONG_MS = 20_000

async function lists(browser: Browser, settings: Settings): Promise<Table> {
  const runs = sizeOf(settings, 10_000)
  const workspace = await listedWorkspace(runs, { metrics: 20, steps: 50 })
  const contestants = [
    { name: 'klens', path: '/runs', isThere: await rowsOf(workspace, runs), serve: () => serveListed(workspace.root) },
    ...installedPeers(),
  ]
  const servers: Served[] = []
  for (const { serve } of contestants) servers.push(await serve(runs))
  const times: Painted[][] = contestants.map(() => [])
  const serverCpu: number[][] = contestants.map(() => [])
  const loads: number[] = []
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const [i, { path, isThere }] of contestants.entries()) {
      // Whoever takes so long is not waited for again.
      if (times[i].some(({ milliseconds: [time] }) => time > LONG_MS)) continue
      loads.push(load())
      const before = servers[i].cpuSeconds()
      times[i].push(await painted(browser, servers[i].url + path, [isThere]))
      serverCpu[i].push(1000 * (servers[i].cpuSeconds() - before))
    }
  }
  await Promise.all(servers.map(({ stop }) => stop()))
  const [own, ...others] = times.map(each => median(each.map(({ milliseconds: [time] }) => time)))
  return {
    title: `web: ${runs.toLocaleString('en')} runs until rows stand in the page (load ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)})`,
    rows: contestants.map(({ name }, i): Figures => {
      const each = times[i].map(({ milliseconds: [time] }) => time)
      const middle = [own, ...others][i]
      return {
        what: name,
        'first ms': milliseconds(each[0]),
        'median ms': milliseconds(middle),
        'best ms': milliseconds(Math.min(...each)),
        'CPU of the page ms': Math.round(median(times[i].map(({ cpuMilliseconds }) => cpuMilliseconds))),
        'of the server ms': Math.round(median(serverCpu[i])),
        '× klens': Number.isFinite(middle) ? middle / own : `> ${Math.floor(60_000 / own)}`,
        'kB sent': Math.round(times[i][0].bytes / 1000),
        requests: times[i][0].requests,
      }
    }),
  }
}

/** As with its peers, what it has to read once is read before: ten thousand manifests, the first time that they are listed. */
async function serveListed(home: string): Promise<Served> {
  const server = await serveKlens(home)
  await (await fetch(`${server.url}/api/run-table?most=1`)).text()
  return server
}

function milliseconds(time: number): number | string {
  return Number.isFinite(time) ? Math.round(time) : 'not in 60 s'
}

/** More than ten rows, the first of them with its score, and how many runs there are. */
async function rowsOf(workspace: Workspace, runs: number): Promise<string> {
  const score = (await readManifest(workspace, 'run-00000'))?.metrics.get('critic/score/mean')?.last
  return `() => {
    const rows = [...document.querySelectorAll('#content [role=row]')]
    const first = rows.find(row => row.querySelector('a')?.textContent === 'kl-0')
    const shown = [...(first?.querySelectorAll('[role=cell]') ?? [])].map(cell => Number.parseFloat(cell.textContent.replace('−', '-')))
    return rows.length > 10 && shown.some(value => Math.abs(value - ${score}) < 0.001)
      && document.querySelector('#content').textContent.includes('${count(runs)}')
  }`
}

/** The eighth is asked for when a reader scrolls to it. */
const NEAR = 7

async function comparison(browser: Browser, settings: Settings): Promise<Table> {
  const { runs, metrics } = COMPARED
  const steps = settings.small ? COMPARED.steps / 10 : COMPARED.steps
  const workspace = await fullWorkspace(runs, { metrics, steps })
  const server = await serveKlens(workspace.root)
  const sides = Array.from({ length: runs }, (_, nth) => `side=kl-${nth}`).join('&')
  const url = `${server.url}/compare?metric=val.score&${sides}`
  const verdict = `() => document.querySelectorAll('.strip .answer').length === ${runs - 1}`
  // The verdict is waited for, too, so that no round competes with what the one before left to be worked out.
  const conditions = [panelsShown(1, runs * steps), panelsShown(NEAR, runs * steps), verdict]
  const times: Painted[] = []
  const serverCpu: number[] = []
  for (let round = 0; round <= settings.rounds; round += 1) {
    const before = server.cpuSeconds()
    times.push(await painted(browser, url, conditions))
    serverCpu.push(server.cpuSeconds() - before)
  }
  await server.stop()
  const what = ['curves of the metric in question', `${NEAR} panels`, `the verdict on ${runs - 1} pairs`]
  return {
    title: `web: compare ${runs} runs × ${metrics.length} metrics × ${steps.toLocaleString('en')} steps (load ${load().toFixed(1)})`,
    rows: what.map(
      (name, i): Figures => ({
        what: name,
        'first ms': milliseconds(times[0].milliseconds[i]),
        'median ms, asked again': milliseconds(median(times.slice(1).map(each => each.milliseconds[i]))),
        'best ms': milliseconds(Math.min(...times.map(each => each.milliseconds[i]))),
        ...(i === conditions.length - 1 && {
          'CPU of the page ms': Math.round(median(times.map(({ cpuMilliseconds }) => cpuMilliseconds))),
          'of the server ms': Math.round(1000 * median(serverCpu)),
          'kB sent': Math.round(times[0].bytes / 1000),
        }),
      }),
    ),
  }
}
