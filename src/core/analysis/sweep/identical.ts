import { groupBy } from '../../../logs/model/util/group-by.js'
import { type Column, type Setting, type SweepRun, settingKey } from './matrix.js'

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
  const groups = new Map<SweepRun, SweepRun[]>()
  const firsts = runsByScores(columns)
  for (const run of runs) {
    const first = firsts.sameAs(run)
    if (first !== undefined) groups.get(first)?.push(run)
    else {
      groups.set(run, [run])
      firsts.add(run)
    }
  }
  return [...groups.values()]
    .filter(group => group.length > 1)
    .map(group =>
      group.map(run => ({ run, steps: [...(columns[0].points.get(run.id)?.keys() ?? [])].filter(isAfterStart) })),
    )
}

/** Runs to be found by the scores that they share with another: to compare each with each would take the square of ten thousand. */
function runsByScores(columns: readonly Column[]) {
  const runs: SweepRun[] = []
  const holders = columns.map(() => new Map<number, Map<number, number[]>>())
  const eachCell = (run: SweepRun, visit: (holding: number[]) => void): void => {
    columns.forEach(({ points }, column) => {
      for (const [step, value] of points.get(run.id) ?? []) {
        if (isAfterStart(step)) visit(within(within(holders[column], step, newMap), value, newList))
      }
    })
  }
  return {
    add(run: SweepRun): void {
      const scores = columns.flatMap(({ points }) => [...(points.get(run.id)?.values() ?? [])])
      if (isTrivial(scores)) return
      eachCell(run, holding => holding.push(runs.length))
      runs.push(run)
    },
    /** The first that was added and has the same course. */
    sameAs(run: SweepRun): SweepRun | undefined {
      const shared = new Map<number, number>()
      eachCell(run, holding => {
        for (const other of holding) shared.set(other, (shared.get(other) ?? 0) + 1)
      })
      const enough = [...shared].flatMap(([other, scores]) => (scores >= SCORES_FOR_SUSPICION ? [other] : []))
      const found = enough.sort((a, b) => a - b).find(other => isSameCourse(runs[other], run, columns))
      return found === undefined ? undefined : runs[found]
    },
  }
}

const newMap = (): Map<number, number[]> => new Map()
const newList = (): number[] => []

function within<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

function isSameCourse(a: SweepRun, b: SweepRun, columns: readonly Column[]): boolean {
  const shared: number[] = []
  for (const { points } of columns) {
    const second = points.get(b.id)
    for (const [step, value] of points.get(a.id) ?? []) {
      const other = second?.get(step)
      if (!isAfterStart(step) || other === undefined) continue
      if (value !== other) return false
      shared.push(value)
    }
  }
  return shared.length >= SCORES_FOR_SUSPICION && !isTrivial(shared)
}

/** Nothing right, or everything: two runs may well agree on that. */
function isTrivial(values: readonly (number | undefined)[]): boolean {
  return (
    values.every(value => value === 0) || values.every(value => value === 1) || values.every(value => value === 100)
  )
}

/** Runs of one setting that are copies of each other: the first of them counts, the rest are no replicates. */
export function repeatedRuns(settings: readonly Setting[], columns: readonly Column[]): readonly Place[] {
  return settings
    .flatMap(({ runs }) => {
      const before = runsByScores(columns)
      return runs.filter(run => {
        const isCopy = before.sameAs(run) !== undefined
        before.add(run)
        return isCopy
      })
    })
    .map(run => ({ run, steps: [] }))
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
  for (const [a, b] of sharingRows(runs)) {
    const equal = equalAfterParting(a, b)
    for (const [step, metrics] of equal.rows) {
      const digits = metrics.reduce((sum, { value }) => sum + Math.max(0, significantDigits(value) - 1), 0)
      if (metrics.length < 2 || comparisons * equal.steps * 10 ** -digits > MOST_BY_CHANCE) continue
      found.push({ step, metrics, runs: [a, b], implied: [impliedCoefficient(a, step), impliedCoefficient(b, step)] })
    }
  }
  return found
}

/**
 * Pairs of runs of different settings with at least two figures in common at one step, after courses that were not the
 * same: all that can share a copied row. They are found by the figures, because ten thousand runs have fifty million pairs;
 * by the courses before them, because runs of one seed begin alike.
 */
function sharingRows(runs: readonly SweepRun[]): readonly (readonly [SweepRun, SweepRun])[] {
  const keys = runs.map(keyOf)
  const bySteps = new Map<number, Map<string, { readonly run: number; readonly past: number }[]>>()
  const pairs = new Set<number>()
  runs.forEach(({ training }, run) => {
    const rows = new Map<number, { readonly figure: string; readonly past: number }[]>()
    for (const [metric, points] of training) {
      let past = 0
      for (const [step, value] of points) {
        if (value !== 0) within(rows, step, () => []).push({ figure: `${metric} ${value}`, past })
        past = hashed(past, step, value)
      }
    }
    for (const [step, row] of rows) {
      const holders = within(bySteps, step, () => new Map())
      const shared = new Map<number, number>()
      for (const { figure, past } of row) {
        const holding = within(holders, figure, () => [])
        for (const other of holding) {
          if (other.past !== past && keys[other.run] !== keys[run]) {
            shared.set(other.run, (shared.get(other.run) ?? 0) + 1)
          }
        }
        holding.push({ run, past })
      }
      for (const [other, figures] of shared) if (figures > 1) pairs.add(other * runs.length + run)
    }
  })
  const inOrder = [...pairs].sort((one, other) => one - other)
  return inOrder.map(pair => [runs[Math.floor(pair / runs.length)], runs[pair % runs.length]])
}

const bits = new Float64Array(2)
const words = new Int32Array(bits.buffer)

/** FNV-1a over the words of a point, on top of what came before. */
function hashed(past: number, step: number, value: number): number {
  bits[0] = step
  bits[1] = value
  let hash = past ^ 0x811c_9dc5
  for (const word of words) hash = Math.imul(hash ^ word, 0x0100_0193)
  return hash
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
