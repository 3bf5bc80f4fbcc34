import { groupBy } from '../../model/group-by.js'
import { type Column, type Setting, type SweepRun, settingKey } from './sweep-cells.js'

/**
 * Numbers that are too equal. Two settings with the same scores to the last digit under every condition were probably
 * evaluated from the same checkpoint; a row of training figures that reappears in another run was probably copied.
 */

export interface Place {
  readonly run: SweepRun
  readonly steps: readonly number[]
}

/** The same scores at several places. */
export interface IdenticalScores {
  readonly metrics: readonly string[]
  /** At least two of different settings. */
  readonly places: readonly Place[]
}

/** Equal scores that make a coincidence: one accuracy on 200 prompts is equal by chance in one pair of 25. */
const SCORES_FOR_SUSPICION = 3

/** Evaluations before the first step are rightly the same for everybody. */
function isAfterStart(step: number): boolean {
  return step > 0
}

export function identicalScores(settings: readonly Setting[], columns: readonly Column[]): readonly IdenticalScores[] {
  const metrics = columns.map(({ metric }) => metric)
  const runs = settings.flatMap(setting => setting.runs)
  const groups = columns.length >= SCORES_FOR_SUSPICION ? equalRows(runs, columns) : equalCourses(runs, columns)
  return groups
    .filter(places => new Set(places.map(({ run }) => keyOf(run))).size > 1)
    .map(places => ({ metrics, places }))
}

/** With enough conditions, one evaluation is a row that can be compared with any other. */
function equalRows(runs: readonly SweepRun[], columns: readonly Column[]): Place[][] {
  const rows = runs.flatMap(run =>
    [...(columns[0].points.get(run.id)?.keys() ?? [])].filter(isAfterStart).flatMap(step => {
      const row = columns.map(({ points }) => points.get(run.id)?.get(step))
      return row.every(value => value !== undefined) && !isTrivial(row) ? [{ run, step, row: row.join() }] : []
    }),
  )
  return [...groupBy(rows, ({ row }) => row).values()].map(same =>
    [...groupBy(same, ({ run }) => run).entries()].map(([run, found]) => ({
      run,
      steps: found.map(({ step }) => step),
    })),
  )
}

/** With few conditions, whole courses are compared: runs that are equal wherever both were evaluated. */
function equalCourses(runs: readonly SweepRun[], columns: readonly Column[]): Place[][] {
  const groups: SweepRun[][] = []
  for (const run of runs) {
    const alike = groups.find(([first]) => sameCourse(first, run, columns))
    if (alike === undefined) groups.push([run])
    else alike.push(run)
  }
  return groups
    .filter(group => group.length > 1)
    .map(group =>
      group.map(run => ({ run, steps: [...(columns[0].points.get(run.id)?.keys() ?? [])].filter(isAfterStart) })),
    )
}

function sameCourse(a: SweepRun, b: SweepRun, columns: readonly Column[]): boolean {
  const pairs = columns.flatMap(({ points }) => {
    const [first, second] = [points.get(a.id), points.get(b.id)]
    return [...(first ?? [])].flatMap(([step, value]): [number, number][] => {
      const other = second?.get(step)
      return isAfterStart(step) && other !== undefined ? [[value, other]] : []
    })
  })
  return (
    pairs.length >= SCORES_FOR_SUSPICION &&
    pairs.every(([value, other]) => value === other) &&
    !isTrivial(pairs.map(([value]) => value))
  )
}

/** Nothing right, or everything: two runs may well agree on that. */
function isTrivial(values: readonly (number | undefined)[]): boolean {
  return (
    values.every(value => value === 0) || values.every(value => value === 1) || values.every(value => value === 100)
  )
}

/** Runs of one setting that are copies of each other: the first of them counts, the rest are no replicates. */
export function repeatedRuns(settings: readonly Setting[], columns: readonly Column[]): readonly Place[] {
  return settings.flatMap(({ runs }) =>
    runs.flatMap((run, i) => {
      const original = runs.slice(0, i).find(before => sameCourse(before, run, columns))
      return original === undefined ? [] : [{ run, steps: [] }]
    }),
  )
}

export interface CopiedRow {
  readonly step: number
  /** Canonical names, with the value that both runs have. */
  readonly metrics: readonly { readonly metric: string; readonly value: number }[]
  readonly runs: readonly [SweepRun, SweepRun]
  /** The coefficient that loss, policy loss and KL of the row imply, for each run, where all three are there. */
  readonly implied: readonly [number | null, number | null]
}

/** Rows expected to agree by chance, above which an agreement is not reported. */
const MOST_BY_CHANCE = 0.001

/**
 * Rows of training figures that two runs of different settings share, after they had parted: until then equal seeds
 * rightly give equal figures. How telling an agreement is follows from its digits; the first digit of each counts for
 * nothing, because figures of one kind have one size.
 */
export function copiedRows(settings: readonly Setting[]): readonly CopiedRow[] {
  const runs = settings.flatMap(setting => setting.runs)
  const comparisons = (runs.length * (runs.length - 1)) / 2
  const found: CopiedRow[] = []
  runs.forEach((a, i) => {
    for (const b of runs.slice(i + 1)) {
      if (keyOf(a) === keyOf(b)) continue
      const equal = equalAfterParting(a, b)
      for (const [step, metrics] of equal.rows) {
        const digits = metrics.reduce((sum, { value }) => sum + Math.max(0, significantDigits(value) - 1), 0)
        if (metrics.length < 2 || comparisons * equal.steps * 10 ** -digits > MOST_BY_CHANCE) continue
        found.push({ step, metrics, runs: [a, b], implied: [impliedCoefficient(a, step), impliedCoefficient(b, step)] })
      }
    }
  })
  return found
}

function equalAfterParting(a: SweepRun, b: SweepRun) {
  const rows = new Map<number, { metric: string; value: number }[]>()
  let steps = 0
  for (const [metric, first] of a.training) {
    const second = b.training.get(metric)
    if (second === undefined) continue
    const shared = [...first.keys()].filter(step => second.has(step)).sort((x, y) => x - y)
    steps = Math.max(steps, shared.length)
    const parted = shared.findIndex(step => first.get(step) !== second.get(step))
    if (parted < 0) continue
    for (const step of shared.slice(parted)) {
      const value = first.get(step)
      if (value === undefined || value === 0 || value !== second.get(step)) continue
      const row = rows.get(step) ?? []
      row.push({ metric, value })
      rows.set(step, row)
    }
  }
  return { rows, steps }
}

function significantDigits(value: number): number {
  return value.toExponential().replace(/e.*$/, '').replace(/[-.]/g, '').length
}

/** Loss = policy loss + coefficient × KL, turned round. */
function impliedCoefficient({ training }: SweepRun, step: number): number | null {
  const at = (metric: string): number => training.get(metric)?.get(step) ?? Number.NaN
  const implied = (at('loss.total') - at('loss.policy')) / at('kl.ref')
  return Number.isFinite(implied) ? implied : null
}

function keyOf({ knobs }: SweepRun): string {
  return settingKey(knobs.map(({ effective }) => effective))
}
