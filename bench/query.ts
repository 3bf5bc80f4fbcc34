import { loadRun } from '../src/core/store/catalogue.js'
import { runIds } from '../src/core/store/run-index.js'
import { type LoadedRun, partFiles, readSeries } from '../src/core/store/series.js'
import type { Workspace } from '../src/core/store/workspace.js'
import { type Benchmark, sizeOf } from './benchmark.js'
import { fullWorkspace } from './make-workspace.js'
import { bestOf, measure, race } from './measure.js'

/**
 * What klens adds to DuckDB. Each question is asked three ways: through the store; with the very SQL
 * that the store sent, results left in DuckDB's own chunks; and with the shortest SQL that a person would type for the same columns.
 */
export const query: Benchmark = {
  name: 'query',
  about: 'the store against plain DuckDB; size in runs of 100 metrics × 1,000 steps, 500',
  async run(settings) {
    const workspace = await fullWorkspace(sizeOf(settings, 500), { metrics: 100, steps: 1000 })
    const loading = await bestOf(settings.rounds, () => measure(() => loadAll(workspace)))
    const answers = await questions(loading.result)
    return {
      title: 'query',
      rows: [
        { what: `manifests of ${loading.result.length} runs`, 'store ms': loading.seconds * 1000 },
        ...answers.map(({ what, store, same, plain }) => ({
          what,
          'store ms': store * 1000,
          'same SQL ms': same * 1000,
          ratio: store / same,
          'plain SQL ms': plain * 1000,
          'ratio to plain': store / plain,
        })),
      ],
    }
  },
}

const ROUNDS = 25
const SEVERAL = 20
export const METRIC = 'critic/score/mean'

/** Median seconds of each way to ask. */
export interface Asked {
  readonly what: string
  /** False where the store answers without SQL: `same` is then the plain SQL. */
  readonly isSent: boolean
  readonly store: number
  readonly same: number
  readonly plain: number
}

export async function questions(runs: readonly LoadedRun[]): Promise<readonly Asked[]> {
  const middle = runs[runs.length >> 1]
  const several = runs.slice(0, SEVERAL)
  const eachSeries = async (): Promise<void> => {
    for (const run of several) await readSeries(run, [METRIC])
  }
  return [
    await compare('one series', () => readSeries(middle, [METRIC]), seriesSql(middle)),
    await compare(`one metric, ${several.length} runs`, eachSeries, severalSql(several)),
  ]
}

export async function loadAll(workspace: Workspace): Promise<LoadedRun[]> {
  const runs: LoadedRun[] = []
  for (const id of await runIds(workspace)) {
    const run = await loadRun(workspace, id)
    if (run !== null) runs.push(run)
  }
  return runs
}

function seriesSql(run: LoadedRun): string {
  return `SELECT step, value, time, segment FROM read_parquet(${listed(run)})
    WHERE metric = '${METRIC}' AND quality = 'measured' ORDER BY step`
}

function severalSql(runs: readonly LoadedRun[]): string {
  return `SELECT filename, step, value, time, segment FROM read_parquet(${listed(...runs)}, filename = true)
    WHERE metric = '${METRIC}' AND quality = 'measured' ORDER BY filename, step`
}

/** Mean and spread over runs, step by step, as anybody may ask it of the files. */
export function aggregateSql(runs: readonly LoadedRun[]): string {
  return `SELECT step, count(*)::DOUBLE, avg(value), stddev_samp(value) FROM read_parquet(${listed(...runs)})
    WHERE metric = '${METRIC}' AND quality = 'measured' GROUP BY step ORDER BY step`
}

function listed(...runs: readonly LoadedRun[]): string {
  return `[${runs.flatMap(partFiles).map(path => `'${path}'`)}]`
}

async function compare(what: string, ask: () => Promise<unknown>, plainSql: string): Promise<Asked> {
  const connection = await plainConnection()
  const overheard = await sqlSentBy(ask)
  // Parts that klens wrote are read without DuckDB: then nothing is sent, and the peer answers the plain question.
  const sentSql = overheard.length > 0 ? overheard : [plainSql]
  const sendAgain = async (): Promise<void> => {
    for (const sql of sentSql) await connection.runAndReadAll(sql)
  }
  const medians = await race(
    [
      { name: 'store', run: ask },
      { name: 'same', run: sendAgain },
      { name: 'plain', run: () => connection.runAndReadAll(plainSql) },
    ],
    ROUNDS,
  )
  const secondsOf = (name: string): number => medians.get(name) ?? Number.NaN
  return {
    what,
    isSent: overheard.length > 0,
    store: secondsOf('store'),
    same: secondsOf('same'),
    plain: secondsOf('plain'),
  }
}

/** Overheard rather than copied here, so that it is always the SQL that the store really sends. */
async function sqlSentBy(ask: () => Promise<unknown>): Promise<readonly string[]> {
  const { DuckDBConnection } = await import('@duckdb/node-api')
  const sent: string[] = []
  const { run } = DuckDBConnection.prototype
  DuckDBConnection.prototype.run = function (sql, ...rest) {
    sent.push(sql)
    return run.call(this, sql, ...rest)
  }
  try {
    await ask()
  } finally {
    DuckDBConnection.prototype.run = run
  }
  return sent
}

/** DuckDB with the memory that the store gives it. */
async function plainConnection() {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  return (await DuckDBInstance.create(':memory:', { memory_limit: '200MB' })).connect()
}
