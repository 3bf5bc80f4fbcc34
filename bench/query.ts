import { aggregateRuns } from '../src/store/aggregate.js'
import { loadRun, runIds } from '../src/store/catalogue.js'
import { duck } from '../src/store/duck.js'
import { type LoadedRun, partFiles, readSeries } from '../src/store/series.js'
import type { Workspace } from '../src/store/workspace.js'
import { type Benchmark, type Figures, sizeOf } from './benchmark.js'
import { fullWorkspace } from './make-workspace.js'
import { bestOf, measure, race } from './measure.js'

/**
 * What klens adds to DuckDB. Each question is asked three ways on one connection: through the store; with the very SQL
 * that the store sent, results left in DuckDB's own chunks; and with the shortest SQL that a person would type for the same columns.
 */
export const query: Benchmark = {
  name: 'query',
  about: 'the store against plain DuckDB; size in runs of 100 metrics × 1,000 steps, 500',
  async run(settings) {
    const workspace = await fullWorkspace(sizeOf(settings, 500), { metrics: 100, steps: 1000 })
    const loading = await bestOf(settings.rounds, () => measure(() => loadAll(workspace)))
    const runs = loading.result
    const middle = runs[runs.length >> 1]
    const of = `${runs.length} runs`
    return {
      title: 'query',
      rows: [
        { what: `manifests of ${of}`, 'store ms': loading.seconds * 1000 },
        await compare('one series', ROUNDS, () => readSeries(middle, [METRIC]), seriesSql(middle)),
        await compare(`one metric, ${of}`, ROUNDS, () => aggregateRuns(runs, METRIC), aggregateSql(runs)),
      ],
    }
  },
}

const ROUNDS = 25
const METRIC = 'critic/score/mean'

async function loadAll(workspace: Workspace): Promise<LoadedRun[]> {
  const runs: LoadedRun[] = []
  for (const id of runIds(workspace)) {
    const run = await loadRun(workspace, id)
    if (run !== null) runs.push(run)
  }
  return runs
}

function seriesSql(run: LoadedRun): string {
  return `SELECT step, value, time, segment FROM read_parquet(${listed(run)})
    WHERE metric = '${METRIC}' AND quality = 'measured' ORDER BY step`
}

function aggregateSql(runs: readonly LoadedRun[]): string {
  return `SELECT step, count(*), avg(value), stddev_samp(value) FROM read_parquet(${listed(...runs)})
    WHERE metric = '${METRIC}' AND quality = 'measured' GROUP BY step ORDER BY step`
}

function listed(...runs: readonly LoadedRun[]): string {
  return `[${runs.flatMap(partFiles).map(path => `'${path}'`)}]`
}

async function compare(what: string, rounds: number, ask: () => Promise<unknown>, plainSql: string): Promise<Figures> {
  const connection = await duck()
  const sentSql = await sqlSentBy(ask)
  const medians = await race(
    [
      { name: 'store', run: ask },
      { name: 'same', run: () => connection.runAndReadAll(sentSql) },
      { name: 'plain', run: () => connection.runAndReadAll(plainSql) },
    ],
    rounds,
  )
  const milliseconds = (name: string): number => (medians.get(name) ?? Number.NaN) * 1000
  return {
    what,
    'store ms': milliseconds('store'),
    'same SQL ms': milliseconds('same'),
    ratio: milliseconds('store') / milliseconds('same'),
    'plain SQL ms': milliseconds('plain'),
    'ratio to plain': milliseconds('store') / milliseconds('plain'),
  }
}

/** Overheard rather than copied here, so that it is always the SQL that the store really sends. */
async function sqlSentBy(ask: () => Promise<unknown>): Promise<string> {
  const connection = await duck()
  const sent: string[] = []
  const run = connection.run
  connection.run = (sql, ...rest) => {
    sent.push(sql)
    return run.call(connection, sql, ...rest)
  }
  try {
    await ask()
  } finally {
    connection.run = run
  }
  if (sent.length !== 1) throw new Error(`expected one query, the store sent ${sent.length}`)
  return sent[0]
}
