import { readSeries } from '../../src/core/store/series.js'
import type { Figures, Settings } from '../benchmark.js'
import { fullWorkspace, listedWorkspace } from '../make-workspace.js'
import { aggregateSql, loadAll, METRIC, questions } from '../query.js'
import { listed } from '../runs.js'
import { answerOf } from './peers.js'
import { interleaved, reached, seconds } from './race.js'

/** Asking the store: against DuckDB itself, against the clock, and beside other engines on the same files. */

const WITHIN = 1.3

/** Medians of 25, all in this process and on one connection; so there is no CPU time of each. */
export async function queryRace({ small }: Settings): Promise<Figures[]> {
  const runs = await loadAll(await fullWorkspace(small ? 50 : 500, { metrics: 100, steps: 1000 }))
  return (await questions(runs)).map(({ what, isSent, store, same }) => ({
    what: `${what}, of ${runs.length} runs × 100 metrics × 1,000 steps`,
    klens: seconds(store),
    peer: isSent ? 'the same SQL in DuckDB' : 'plain SQL in DuckDB',
    "peer's": seconds(same),
    ratio: same / store,
    target: `≥ ${(1 / WITHIN).toFixed(2)}`,
    met: same / store >= 1 / WITHIN ? 'yes' : 'no',
  }))
}

const MOST_SECONDS = 0.3

export async function runsRace({ small, rounds }: Settings): Promise<Figures[]> {
  const count = small ? 1_000 : 10_000
  const workspace = await listedWorkspace(count, { metrics: 20, steps: 50 })
  await listed(workspace, count, ['runs'])
  const { warm } = await interleaved({ warm: { run: () => listed(workspace, count, ['runs']) } }, 2 * rounds)
  const what = `klens runs, ${count.toLocaleString('en')} runs, warm`
  return [reached(what, warm, seconds(warm.seconds), '< 300 ms', warm.seconds < MOST_SECONDS)]
}

/** Sums are taken in another order by every engine, so means may differ in the last digits. */
const CLOSE = 1e-9

export async function engineRace({ small }: Settings): Promise<Figures[]> {
  const workspace = await fullWorkspace(small ? 100 : 1_000, { metrics: 20, steps: 200 })
  const runs = await loadAll(workspace)
  const run = runs[runs.length >> 1]
  const series = (await readSeries(run, [METRIC])).get(METRIC)
  const aggregate = await workspace.duck.readDoubles(aggregateSql(runs), 4)
  if (series === undefined) throw new Error(`${run.manifest.id} has no ${METRIC}`)
  const ours = {
    series: [Array.from(series.steps), Array.from(series.values)],
    aggregate: aggregate.map(column => Array.from(column)),
  }
  const answers = await answerOf('logs-engines.py', [workspace.root, METRIC, run.manifest.id])
  return [
    ['clickhouse', 'ClickHouse (chdb 4.4)'],
    ['pandas', 'pandas 3.1'],
  ].flatMap(([engine, name]) =>
    (['series', 'aggregate'] as const).map(question => {
      const { columns, seconds: spent } = answers[engine][question]
      const difference = largestDifference(ours[question], columns)
      return {
        what: `${question === 'series' ? 'one series' : 'mean and deviation'} of ${runs.length} runs, another engine`,
        klens: `${ours[question][0].length} rows`,
        peer: name,
        "peer's": `${columns[0].length} rows, ${seconds(spent)}`,
        target: 'same numbers',
        met: difference <= CLOSE ? `yes, to ${difference.toExponential(0)}` : 'no',
      }
    }),
  )
}

/** Relative to the value; infinite where the tables have other shapes. */
function largestDifference(ours: readonly (readonly number[])[], theirs: readonly (readonly number[])[]): number {
  let largest = ours.length === theirs.length ? 0 : Number.POSITIVE_INFINITY
  ours.forEach((column, c) => {
    if (column.length !== theirs[c]?.length) largest = Number.POSITIVE_INFINITY
    column.forEach((value, i) => {
      const gap = Math.abs(value - theirs[c][i]) / Math.max(1e-300, Math.abs(value))
      if (value !== theirs[c][i] && !(gap <= largest)) largest = gap
    })
  })
  return largest
}
