import { compareSides, headline } from '../../src/core/analysis/compare/judge-sides.js'
import type { SweepRun } from '../../src/core/analysis/sweep/matrix.js'
import { sweepOver } from '../../src/core/analysis/sweep/sweep.js'
import type { Random } from '../../src/stats/random.js'
import { at, grid, type Study } from '../study.js'
import { claims, measuredSide, OUT_OF_REACH } from '../verdicts.js'

/**
 * A sweep over several settings, of which only the last may differ by `gap`: is anything claimed about the settings? And
 * by a comparison of the same runs, each setting a side.
 */
export const sweeps: Study = {
  name: 'sweeps',
  cells: grid({
    kind: ['normal', 't3', 'lognormal', 'collapse-20', 'two-humps', 'tight-humps'],
    settings: [3, 5, 8],
    seeds: [3],
    gap: [0, 5],
  }),
  share: ({ gap }) => (gap === 0 ? 0.2 : 0.05),
  once: (cell, random) => {
    const settings = at(cell, 'settings')
    const runs = Array.from({ length: settings }, (_, setting) =>
      Array.from({ length: at(cell, 'seeds') }, (_, seed) => {
        const gap = setting === settings - 1 ? at(cell, 'gap') : 0
        return madeRun(`${setting}/${seed}`, setting, gap + SEEDS[String(cell.kind)](random))
      }),
    )
    const { verdicts } = sweepOver(runs.flat(), {
      keys: ['knob'],
      metric: 'val',
      goal: 'max',
      margin: null,
      baseline: null,
      others: [],
    })
    const sides = runs.map((own, i) => measuredSide(`knob=${i}`, own.map(valuesOf)))
    const { others } = compareSides(sides, { metric: 'val', goal: 'max', margin: OUT_OF_REACH })
    const about = verdicts.filter(({ question, scope }) => question === 'trend' || scope === 'configs')
    return {
      any: Number(about.some(claims)),
      compared: Number(others.some(pair => claims(headline(pair.verdicts)))),
      last: Number(about.some(verdict => verdict.other === `knob=${settings - 1}` && claims(verdict))),
    }
  },
}

const SEEDS: Readonly<Record<string, (random: Random) => number>> = {
  normal: random => random.normal(),
  t3: random => random.normal() / Math.sqrt((random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2) / 3),
  lognormal: random => Math.exp(random.normal()),
  'collapse-20': random => (random.next() < 0.2 ? -5 : 0) + 0.3 * random.normal(),
  'two-humps': random => (random.next() < 0.5 ? -5 : 0) + 0.3 * random.normal(),
  'tight-humps': random => (random.next() < 0.5 ? -5 : 0) + 0.05 * random.normal(),
}

function valuesOf({ scores: [{ points }] }: SweepRun): Float64Array {
  return Float64Array.from(points.values())
}

/** Three evaluations at one level: what happens within a run is not the question. */
function madeRun(id: string, setting: number, level: number): SweepRun {
  const points = new Map([10, 20, 30].map(step => [step, level]))
  return {
    id,
    label: id,
    knobs: [{ key: 'knob', configured: setting, effective: setting, reason: null }],
    block: '',
    scores: [{ metric: 'val', condition: {}, points, marked: [], estimated: 0, n: null, prompts: null }],
    promptScores: new Map(),
    training: new Map(),
    klCoefficient: null,
  }
}
