import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runAnswer } from '../../src/app/ask/runs.js'
import { integrity } from '../../src/core/analysis/integrity.js'
import { loadRun, pointCount } from '../../src/core/store/catalogue.js'
import { regularities } from '../../src/core/store/envelope.js'
import { importLogs } from '../../src/core/store/ingest.js'
import { livePath } from '../../src/core/store/live-file.js'
import { emptyManifest, type Manifest } from '../../src/core/store/manifest.js'
import { manifestPath, parseManifest, writeManifest } from '../../src/core/store/manifest-file.js'
import { RunWriter } from '../../src/core/store/run-writer.js'
import { readSeries } from '../../src/core/store/series.js'
import { openWorkspace, runFolder, type Workspace } from '../../src/core/store/workspace.js'
import type { RunEvent } from '../../src/logs/model/events.js'
import { Problem } from '../../src/logs/model/problem.js'
import { encode } from '../../src/text/encode.js'
import { testMessage } from '../support/message.js'
import { checkMessage, demand, isPlainJson } from './check.js'
import type { Seed } from './corpus.js'
import { randomFrom } from './random.js'
import type { Target } from './targets.js'

/** The store's own files, damaged; and damaged logs on the whole way from a folder to an answer. */

const RUN = { id: 'fuzzed', name: 'fuzzed', source: 'jsonl' }
const LOG: Manifest['files'][number] = {
  path: '/logs/metrics.jsonl',
  source: 'jsonl',
  role: 'log',
  size: 100,
  modifiedMs: 1,
  headBytes: 10,
  headHash: 'abc',
  tailHash: null,
  complete: false,
  cursor: { offset: 100 },
  unreadBytes: 3,
  warnings: [testMessage('source.bad-lines', { count: 1, line: 2 })],
}
const EVENTS: readonly (readonly RunEvent[])[] = [
  [
    { type: 'about', about: { name: 'kl-0.1', tags: ['a'], startedAt: 1_794_718_706, versions: { verl: '0.4' } } },
    { type: 'config', config: { 'kl.coef': 0.1, list: [1, 'x', null] } },
    {
      type: 'row',
      step: 1,
      time: 1_794_718_707,
      metrics: ['loss', 'kl'],
      values: [0.5, Number.NaN],
      decimals: [3, null],
    },
    {
      type: 'row',
      step: 2,
      time: null,
      metrics: ['loss', 'kl'],
      values: [0.4, 1],
      qualities: ['estimated', 'measured'],
    },
    { type: 'cursor', cursor: { offset: 120 } },
  ],
  [
    { type: 'restart' },
    { type: 'row', step: 2, time: null, metrics: ['loss'], values: [Number.POSITIVE_INFINITY] },
    {
      type: 'evaluation',
      evaluation: { metric: 'val', step: 2, condition: { shots: 1 }, value: 0.5, n: 200, quality: 'measured' },
    },
    { type: 'samples', samples: { metric: 'val', step: 2, condition: {}, ids: ['a', 'b'], scores: [0, 1] } },
    { type: 'warning', message: testMessage('source.bad-lines', { count: 2, line: 2 }) },
    { type: 'tail', unreadBytes: 0 },
    { type: 'status', status: 'finished' },
    { type: 'cursor', cursor: { offset: 200 } },
  ],
]

/** The last values that each metric can have. */
const SAID: { readonly [metric: string]: readonly number[] } = {
  loss: [0.5, Number.POSITIVE_INFINITY],
  kl: [1],
}

/** A run that grows, as its writer leaves it when it is killed: run.json and live.jsonl. */
export async function storeSeeds(): Promise<{ readonly manifest: Seed; readonly live: Seed }> {
  const folder = mkdtempSync(join(tmpdir(), 'klens-fuzz-'))
  try {
    const workspace = await openWorkspace(folder, {})
    const writer = await RunWriter.open(workspace, RUN, 'import')
    const index = await writer.trackFile(null, LOG)
    await writer.write(EVENTS[0], index)
    await writer.goLive()
    for (const events of EVENTS) await writer.write(events, index)
    const manifest = { name: 'fuzzed/run.json', bytes: readFileSync(manifestPath(workspace, RUN.id)) }
    const live = { name: 'fuzzed/live.jsonl', bytes: readFileSync(livePath(runFolder(workspace, RUN.id))) }
    await writer.abandon()
    return { manifest, live }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A manifest is read or refused; one that is read can be shown. */
export function manifestTarget(seed: Seed): Target {
  return {
    name: 'manifest',
    seeds: [seed],
    async check({ bytes }) {
      let manifest: Manifest
      try {
        manifest = parseManifest(bytes.toString('utf8'), 'run.json')
      } catch (error) {
        demand(error instanceof Problem && error.code === 'damaged', 'a bad manifest is refused by name', String(error))
        return
      }
      demand(typeof JSON.stringify(runAnswer(manifest)) === 'string', 'a manifest can be shown')
      integrity(manifest, [])
    },
  }
}

/** Whatever the journal is, the run opens, and says nothing that was never said. */
export function liveTarget(seed: Seed): Target {
  return {
    name: 'live',
    seeds: [seed],
    async check({ bytes }, folder) {
      const workspace = await openWorkspace(folder, {})
      const place = runFolder(workspace, RUN.id)
      rmSync(place, { recursive: true, force: true })
      mkdirSync(place, { recursive: true })
      await writeManifest(workspace, { ...emptyManifest(RUN.id, RUN.name, RUN.source), files: [LOG], liveFolded: 0 })
      writeFileSync(livePath(place), bytes)
      const run = await loadRun(workspace, RUN.id)
      demand(run !== null, 'the run is there')
      const said = [...run.manifest.metrics].every(([name, { last }]) => SAID[name]?.includes(last))
      demand(said, 'nothing is made up', [...run.manifest.metrics])
      if (!randomFrom(bytes).chance(0.05)) return
      const writer = await RunWriter.open(workspace, RUN, 'import')
      demand(pointCount(await writer.close()) === pointCount(run.manifest), 'a writer takes in what a reader sees')
    },
  }
}

/** A folder with a few damaged logs: all are imported or left out with a reason, and importing again adds nothing. */
export function importTarget(seeds: readonly Seed[]): Target {
  return {
    name: 'import',
    seeds,
    async check({ name, bytes }, folder) {
      const logs = join(folder, 'logs')
      rmSync(join(folder, '.klens'), { recursive: true, force: true })
      rmSync(logs, { recursive: true, force: true })
      const random = randomFrom(bytes)
      const beside = random.pick(seeds)
      for (const [at, content] of [
        [join(logs, name), bytes],
        [join(logs, dirname(name), `beside-${beside.name.replaceAll('/', '-')}`), beside.bytes],
      ] as const) {
        mkdirSync(dirname(at), { recursive: true })
        if (!existsSync(at)) writeFileSync(at, content)
      }
      const workspace = await openWorkspace(folder, {})
      const { runs, skipped } = await importLogs(workspace, [logs])
      for (const { reason } of skipped) {
        checkMessage(reason)
        demand(reason.key !== 'skip.failed', 'what a source says can be stored', reason)
      }
      for (const manifest of runs) await checkStored(workspace, manifest)
      const again = await importLogs(workspace, [logs])
      const points = (manifests: readonly Manifest[]): string => JSON.stringify(manifests.map(pointCount))
      demand(points(again.runs) === points(runs), 'importing again adds nothing', [points(runs), points(again.runs)])
    },
  }
}

async function checkStored(workspace: Workspace, { id }: Manifest): Promise<void> {
  const run = await loadRun(workspace, id)
  demand(run !== null, 'a run that was imported is there')
  demand(isPlainJson(encode(runAnswer(run.manifest), 'en')), 'what is shown of a run is JSON')
  for (const { message } of integrity(run.manifest, await regularities(run))) checkMessage(message)
  const { metrics } = run.manifest
  const series = await readSeries(run, [...metrics.keys()])
  for (const [name, { n, last }] of metrics) {
    const points = series.get(name)
    demand((points?.steps.length ?? 0) === n, 'a summary counts the points that are on disk', { name, n })
    // A manifest is JSON, which has no −0.
    const value = points?.values.at(-1)
    const alike = n === 0 || value === last || (Number.isNaN(value) && Number.isNaN(last))
    demand(alike, 'a summary knows the last value', { name, last, value })
  }
}
