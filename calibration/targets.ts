import { cellsOf, type Results, worst } from './results.js'
import type { CellResult } from './study.js'

/** What was promised before anything was measured, and the worst cell of each promise. */

interface Target {
  readonly promise: string
  readonly cells: readonly CellResult[]
  readonly name: string
  readonly limit: number
}

/** Three standard errors of a rate are Monte Carlo error, not a broken promise. */
const SLACK = 3

export function targetRows(results: Results): string[][] {
  return targets(results).map(({ promise, cells, name, limit }) => {
    const found = worst(cells, name)
    const { mean, error } = found.averages[name]
    const kept = mean <= limit ? 'kept' : mean <= limit + SLACK * error ? 'kept within the error' : 'missed'
    return [promise, where(found), `${(100 * mean).toFixed(2)} ± ${(100 * error).toFixed(2)}`, kept]
  })
}

function targets(results: Results): Target[] {
  const level = cellsOf(results, 'level')
  const equal = level.filter(({ cell }) => cell.gap === 0)
  const upTo = (limit: number, cells: readonly CellResult[]): CellResult[] =>
    cells.filter(({ cell }) => typeof cell.rho === 'number' && cell.rho <= limit)
  const at = (rho: number, cells: readonly CellResult[]): CellResult[] => cells.filter(({ cell }) => cell.rho === rho)
  const withFinal = (cells: readonly CellResult[]): CellResult[] => cells.filter(({ cell }) => cell.T !== 9)
  const different = level.filter(({ cell }) => cell.gap !== 0)
  const margin = level.filter(({ cell }) => cell.gap === 0.0967)
  const robust = cellsOf(results, 'robustness')
  const quiet = (study: string, axis: string): CellResult[] => upTo(0.3, cellsOf(results, study, { [axis]: 0 }))
  const watched = cellsOf(results, 'false-stops', { kind: 'normal' })
  return [
    {
      promise: 'false claims ≤ 5 % for ρ ≤ 0.5, all evaluations',
      cells: upTo(0.5, equal),
      name: 'level.claimed',
      limit: 0.05,
    },
    {
      promise: 'false claims ≤ 5 % for ρ ≤ 0.5, end of training',
      cells: withFinal(upTo(0.5, equal)),
      name: 'final.claimed',
      limit: 0.05,
    },
    {
      promise: 'false claims ≤ 5 % for ρ ≤ 0.5, headline',
      cells: upTo(0.5, equal),
      name: 'headline.claimed',
      limit: 0.05,
    },
    {
      promise: 'false claims ≤ 8 % at ρ = 0.6, headline',
      cells: at(0.6, equal),
      name: 'headline.claimed',
      limit: 0.08,
    },
    {
      promise: 'the same with noise it was not made for, ρ ≤ 0.5',
      cells: upTo(0.5, robust).filter(({ cell }) => !/^(slow|smoothed)/.test(String(cell.kind))),
      name: 'level.claimed',
      limit: 0.05,
    },
    { promise: 'wrong direction ≤ 2.5 %, headline', cells: different, name: 'headline.wrong', limit: 0.025 },
    { promise: '"same" at a gap of the margin ≤ 5 %', cells: margin, name: 'level.same', limit: 0.05 },
    { promise: '"same" at a gap of the margin ≤ 5 %, headline', cells: margin, name: 'headline.same', limit: 0.05 },
    { promise: 'one run a side never speaks about settings', cells: level, name: 'aboutSettings', limit: 0 },
    {
      promise: 'several runs a side: false claims ≤ 5 %',
      cells: cellsOf(results, 'seeds', { gap: 0 }),
      name: 'level.claimed',
      limit: 0.05,
    },
    {
      promise: 'same prompts: false claims ≤ 5 %',
      cells: cellsOf(results, 'prompts', { gap: 0 }),
      name: 'claimed',
      limit: 0.05,
    },
    {
      promise: 'evaluation files, 12 tasks: any false claim of a call ≤ 5 %',
      cells: cellsOf(results, 'tasks', { sizes: 'one' }),
      name: 'anyClaim',
      limit: 0.05,
    },
    {
      promise: 'the same with items in clusters (--cluster) ≤ 5 %',
      cells: cellsOf(results, 'tasks').filter(({ cell }) => cell.sizes !== 'one'),
      name: 'anyClaim',
      limit: 0.05,
    },
    {
      promise: 'pass@k: the interval misses the value over all items ≤ 5 %',
      cells: cellsOf(results, 'pass-at-k'),
      name: 'missedPass',
      limit: 0.05,
    },
    {
      promise: 'maj@k: the interval misses the value over all items ≤ 5 %',
      cells: cellsOf(results, 'pass-at-k'),
      name: 'missedMajority',
      limit: 0.05,
    },
    { promise: 'set of the best misses it ≤ 5 %', cells: cellsOf(results, 'best'), name: 'missed', limit: 0.05 },
    {
      promise: 'stability, whatever the shape of the noise: false claims ≤ 6 %',
      cells: cellsOf(results, 'stability', { ratio: 1 }).filter(({ cell }) => cell.kind !== 'phases'),
      name: 'claimed',
      limit: 0.06,
    },
    {
      promise: 'the same with noise in phases: false claims that are not tagged fragile ≤ 6 %',
      cells: cellsOf(results, 'stability', { ratio: 1, kind: 'phases' }),
      name: 'firm',
      limit: 0.06,
    },
    {
      promise: 'stability of several runs a side, spread from a fortieth of what is learnt on: false claims ≤ 6 %',
      cells: cellsOf(results, 'stability-runs', { ratio: 1 }).filter(({ cell }) => cell.sd !== 0.003),
      name: 'claimed',
      limit: 0.06,
    },
    {
      promise: 'gaps that may grow, equal runs, ρ ≤ 0.5: false claims ≤ 5 %',
      cells: upTo(0.5, cellsOf(results, 'growing-gap', { grows: 0 })),
      name: 'claimed',
      limit: 0.05,
    },
    {
      promise: 'speed: false claims ≤ 5 %',
      cells: cellsOf(results, 'speed', { speed: 1 }),
      name: 'claimed',
      limit: 0.05,
    },
    {
      promise: 'onset of a fall: false alarms ≤ 5 % for ρ ≤ 0.3',
      cells: quiet('onset-level', 'fall'),
      name: 'headline',
      limit: 0.05,
    },
    {
      promise: 'onset of a turn: false alarms ≤ 5 % for ρ ≤ 0.3',
      cells: quiet('onset-slope', 'turn'),
      name: 'headline',
      limit: 0.05,
    },
    {
      promise: 'up to eight others at once: any false headline ≤ 5 %',
      cells: cellsOf(results, 'several-others'),
      name: 'anyHeadline',
      limit: 0.05,
    },
    {
      promise: 'unequal numbers of seeds, some collapsing: false claims ≤ 5 %',
      cells: cellsOf(results, 'unequal-seeds', { gap: 0 }),
      name: 'claimed',
      limit: 0.05,
    },
    {
      promise: 'settling by seeds: false claims ≤ 5 %',
      cells: cellsOf(results, 'settle-seeds', { gap: 0 }).filter(({ cell }) => !isHard(cell.kind)),
      name: 'claimed',
      limit: 0.05,
    },
    {
      promise: 'the same, bimodal seeds or spreads that differ threefold: ≤ 6 %',
      cells: cellsOf(results, 'settle-seeds', { gap: 0 }).filter(({ cell }) => isHard(cell.kind)),
      name: 'claimed',
      limit: 0.06,
    },
    {
      promise: 'settling by seeds: false "same" at a gap of the margin ≤ 5 %',
      cells: cellsOf(results, 'settle-seeds', { gap: 1 }).filter(({ cell }) => !isHard(cell.kind)),
      name: 'same',
      limit: 0.05,
    },
    {
      promise: 'settling several arms: any false claim ≤ 5 %',
      cells: cellsOf(results, 'settle-several'),
      name: 'anyFalse',
      limit: 0.05,
    },
    {
      promise: 'settling by prompts: false claims ≤ 5 %, at every batch',
      cells: cellsOf(results, 'settle-prompts'),
      name: 'wrong',
      limit: 0.05,
    },
    {
      promise: 'settling by prompts: false "same" at a gap of the margin ≤ 5 %',
      cells: cellsOf(results, 'settle-prompts', { gap: 0.06 }),
      name: 'same',
      limit: 0.05,
    },
    {
      promise: 'dropping loses the best arm ≤ 5 %',
      cells: ['drop-labs', 'drop-made-up', 'drop-first'].flatMap(study => cellsOf(results, study)),
      name: 'lost',
      limit: 0.05,
    },
    {
      promise: 'verdicts after dropping, with fresh seeds: any false one ≤ 5 %',
      cells: cellsOf(results, 'drop-made-up'),
      name: 'falseFresh',
      limit: 0.05,
    },
    {
      promise: 'looking while it runs, with a plan: ever a false headline ≤ 6 %, ρ ≤ 0.5',
      cells: upTo(0.5, cellsOf(results, 'peeking', { gap: 0, kind: 'normal' })),
      name: 'ever',
      limit: 0.06,
    },
    {
      promise: 'looking while it runs, looks remembered: ever a false headline ≤ 5 %, ρ ≤ 0.6',
      cells: cellsOf(results, 'peeking', { gap: 0, kind: 'normal' }),
      name: 'remembered',
      limit: 0.05,
    },
    {
      promise: 'a sweep: any false claim about settings or trend ≤ 5 %',
      cells: cellsOf(results, 'sweeps', { gap: 0 }),
      name: 'any',
      limit: 0.05,
    },
    {
      promise: 'several sides of three runs: any false headline ≤ 5 %',
      cells: cellsOf(results, 'sweeps', { gap: 0 }),
      name: 'compared',
      limit: 0.05,
    },
    {
      promise: 'one call of compare, all questions: anything false ≤ 5 %, ρ ≤ 0.3',
      cells: upTo(0.3, cellsOf(results, 'union')),
      name: 'any',
      limit: 0.05,
    },
    {
      promise: 'checkpoints ranked while a run grows, with a plan: the best ever missed ≤ 5 %',
      cells: cellsOf(results, 'best-watched'),
      name: 'planned',
      limit: 0.05,
    },
    {
      promise: 'the same with remembered looks',
      cells: cellsOf(results, 'best-watched'),
      name: 'remembered',
      limit: 0.05,
    },
    {
      promise: 'a healthy run is stopped ≤ 1 %: noise up to a tenth of the level, ρ ≤ 0.9',
      cells: watched.filter(({ cell }) => Number(cell.noise) <= 0.1),
      name: 'stopped',
      limit: 0.01,
    },
    {
      promise: 'the same with noise up to a third of the level, ρ ≤ 0.6',
      cells: upTo(0.6, watched),
      name: 'stopped',
      limit: 0.01,
    },
    {
      promise: 'the same with heavy tails, skew, outliers, growing noise or slow parts',
      cells: cellsOf(results, 'false-stops').filter(({ cell }) => cell.kind !== 'normal'),
      name: 'stopped',
      limit: 0.01,
    },
    {
      promise:
        'a loop of fifty equal tries: anything kept ≤ 5 %, whatever the noise, with drift, with std of settings within a factor of 2',
      cells: cellsOf(results, 'gate-equal').filter(({ cell }) => Number(cell.spreads) <= 2),
      name: 'kept',
      limit: 0.05,
    },
    {
      promise: 'the same by runs of one setting of four labs',
      cells: cellsOf(results, 'gate-labs-equal'),
      name: 'kept',
      limit: 0.05,
    },
  ]
}

/** Seeds that Welch's test was not made for. */
function isHard(kind: string | number): boolean {
  return /^(?:collapse|threefold)/.test(String(kind))
}

function where({ cell }: CellResult): string {
  return Object.entries(cell)
    .map(([key, value]) => `${key === 'rho' ? 'ρ' : key} ${value}`)
    .join(', ')
}
