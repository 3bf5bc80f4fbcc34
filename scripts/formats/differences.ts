import { isDeepStrictEqual } from 'node:util'
import type { KlensEvaluation } from './klens-evaluations.js'
import type { KlensReading, KlensRun } from './klens-reading.js'
import type { Readback, WrittenEvaluation, WrittenRun } from './readback.js'

/** Where klens' reading is not the writer's own: one sentence each, point by point, name by name, setting by setting. */
export interface Comparison {
  /** How many of what was compared. */
  readonly compared: Readonly<Record<string, number>>
  readonly differences: readonly string[]
}

export function differencesOf(written: Readback, reading: KlensReading, besides?: RegExp): Comparison {
  const compared = { runs: written.runs.length, metrics: 0, points: 0, settings: 0 }
  const differences: string[] = []
  if (reading.runs.length !== written.runs.length) {
    const names = reading.runs.map(({ name, source }) => `${name} (${source})`).join(', ') || 'none'
    differences.push(`${written.runs.length} runs were written, klens has ${reading.runs.length}: ${names}`)
    differences.push(...reading.skipped.map(skipped => `klens skipped ${skipped}`))
  }
  for (const run of written.runs) {
    const read = sameRun(run, reading.runs, written.runs)
    if (read === undefined) {
      differences.push(`klens has no run ${run.name}`)
      continue
    }
    const label = run.name ?? read.name
    if (run.name !== null && read.name !== run.name) differences.push(`${run.name} is called ${read.name}`)
    const metrics = new Set([...Object.keys(run.points), ...read.points.keys()])
    for (const metric of metrics) {
      const [own, klens] = [run.points[metric], read.points.get(metric)]
      if (own === undefined) {
        if (!besides?.test(metric)) differences.push(`${label}: only klens has ${metric}`)
        continue
      }
      compared.metrics += 1
      compared.points += own.length
      const difference = klens === undefined ? 'klens lacks it' : pointDifference(own, klens)
      if (difference !== null) differences.push(`${label}: ${metric}: ${difference}`)
    }
    const settings = flattened(run.settings)
    compared.settings += settings.size
    const found = flattened(read.settings)
    for (const [key, value] of settings) {
      if (isDeepStrictEqual(found.get(key), value)) continue
      differences.push(`${label}: setting ${key} is ${JSON.stringify(found.get(key))}, was ${JSON.stringify(value)}`)
    }
  }
  return { compared, differences }
}

export function evaluationDifferences(
  written: readonly WrittenEvaluation[],
  read: readonly KlensEvaluation[],
): Comparison {
  const compared = { evaluations: written.length, means: 0, 'scores of items': 0 }
  const differences: string[] = []
  if (read.length !== written.length) {
    const names = read.map(({ name }) => name).join(', ') || 'none'
    differences.push(`${written.length} evaluations were written, klens has ${read.length}: ${names}`)
  }
  for (const evaluation of written) {
    const klens = read.find(found => isSameEvaluation(evaluation, found))
    if (klens === undefined) {
      differences.push(`klens has no evaluation with the items and scores of ${evaluation.name}`)
      continue
    }
    if (evaluation.name !== null && klens.name !== evaluation.name) {
      differences.push(`${evaluation.name} is called ${klens.name}`)
    }
    for (const [label, { mean }] of Object.entries(evaluation.scores)) {
      compared.means += 1
      const own = klens.means.get(label)
      if (own === undefined || Math.abs(own - mean) > 1e-12) {
        differences.push(`${evaluation.name}: mean of ${label} is ${own}, was ${mean}`)
      }
    }
    for (const items of Object.values(evaluation.items))
      compared['scores of items'] += Object.values(items).flat().length
  }
  return { compared, differences }
}

function isSameEvaluation({ items }: WrittenEvaluation, klens: KlensEvaluation): boolean {
  return Object.entries(items).every(([label, own]) => {
    const found = klens.items.get(label)
    return found !== undefined && isDeepStrictEqual(Object.fromEntries(found), own)
  })
}

/** By name; where that is of no help, of those that no other is called by the one that has most of its points. */
function sameRun(run: WrittenRun, read: readonly KlensRun[], written: readonly WrittenRun[]): KlensRun | undefined {
  const named = read.filter(({ name }) => name === run.name)
  const names = new Set(written.map(({ name }) => name))
  const candidates = named.length > 0 ? named : read.filter(({ name }) => !names.has(name))
  return candidates.toSorted((a, b) => shared(run, b) - shared(run, a))[0]
}

function shared(run: WrittenRun, { points }: KlensRun): number {
  return Object.entries(run.points).reduce((sum, [metric, own]) => {
    const klens = lastPerStep(points.get(metric) ?? [])
    return sum + own.filter(([step, value]) => klens.get(step) === value).length
  }, 0)
}

function pointDifference(
  written: readonly (readonly [number, number])[],
  read: readonly (readonly [number, number])[],
): string | null {
  const own = lastPerStep(written)
  const klens = lastPerStep(read)
  const wrong = [...own].filter(([step, value]) => !Object.is(klens.get(step), value) && klens.get(step) !== value)
  const more = [...klens.keys()].filter(step => !own.has(step))
  if (wrong.length === 0 && more.length === 0) return null
  const [step, value] = wrong[0] ?? [more[0], own.get(more[0])]
  return `${wrong.length} of ${own.size} points differ, ${more.length} are only in klens; step ${step}: ${klens.get(step)}, was ${value}`
}

/** Of several values at one step the last stands, in klens and in every reader here. */
function lastPerStep(points: readonly (readonly [number, number])[]): Map<number, number> {
  return new Map(points)
}

function flattened(settings: Readonly<Record<string, unknown>>, prefix = ''): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  for (const [key, value] of Object.entries(settings)) {
    const name = `${prefix}${key}`
    if (isRecord(value)) for (const [inner, found] of flattened(value, `${name}.`)) flat.set(inner, found)
    else flat.set(name, value)
  }
  return flat
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
