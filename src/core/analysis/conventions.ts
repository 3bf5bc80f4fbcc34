import type { Message } from '../../logs/model/run.js'
import type { Scope } from '../../logs/model/verdict.js'
import type { PairedMean } from '../../stats/paired-mean.js'
import { listed } from '../../text/language.js'
import { sentences } from '../../text/sentences.js'
import { shownName } from '../store/manifest.js'
import type { LoadedRun } from '../store/series.js'

/**
 * What klens means by the words that every question uses. Each rule stands here and nowhere else: two verbs that asked
 * the same of the same two runs and answered differently were two copies of a rule.
 */

/** Runs a side from which a claim may be about the settings. */
export const RUNS_FOR_CONFIGS = 3

/** One run a side can never speak about settings. */
export function scopeOf(runs: readonly number[]): Extract<Scope, 'runs' | 'configs'> {
  return Math.min(...runs) >= RUNS_FOR_CONFIGS ? 'configs' : 'runs'
}

/** Early, middle and late are thirds of a course. */
export function thirdOf(evaluations: number): number {
  return Math.floor(evaluations / 3)
}

/** Evaluations from which the end of training is judged apart from the rest; with fewer it is all of them. */
export const FEWEST_FOR_FINAL = 18
/** With six, the last third of twenty told a difference apart four times more seldom than nine evaluations did. */
const FEWEST_AT_END = 12

/** How many of so many evaluations are the end of training: the last third, but at least twelve. */
export function finalCount(evaluations: number): number {
  return Math.max(FEWEST_AT_END, thirdOf(evaluations))
}

/** The evaluations at the end of training; null where there are too few to tell an end. */
export function finalSteps(steps: readonly number[]): readonly number[] | null {
  return steps.length < FEWEST_FOR_FINAL ? null : steps.slice(-finalCount(steps.length))
}

/** How many of so many evaluations a run is judged by. */
export function judgedCount(evaluations: number): number {
  return evaluations < FEWEST_FOR_FINAL ? evaluations : finalCount(evaluations)
}

/** The fewest evaluations of which so many are judged: the end of training is a third of it. */
export function evaluationsFor(judged: number): number {
  return judged < FEWEST_FOR_FINAL ? judged : 3 * judged
}

/** What a run is judged by: the end of training where that is enough, else all of it. */
export function judgedSteps(steps: readonly number[]): readonly number[] {
  return finalSteps(steps) ?? steps
}

/** Below this a claim rests on so few evaluations that it is tagged. */
const FRAGILE_BELOW = 15
/** The interval keeps its promise up to an autocorrelation of one half. */
const FRAGILE_AUTOCORRELATION = 0.5

/** Few evaluations, an autocorrelation that may well be above one half, its own error considered, or a slow wander. */
export function isFragile({ n, autocorrelation, wanders }: PairedMean): boolean {
  const likely = autocorrelation + Math.sqrt((1 - autocorrelation ** 2) / n)
  return hasFewEvaluations(n) || likely > FRAGILE_AUTOCORRELATION || wanders
}

/** Evaluations of a trained policy: step 0 is the start, the same on every side, and says nothing about any of them. */
export function isTrained(step: number): boolean {
  return step > 0
}

export function hasFewEvaluations(n: number): boolean {
  return n < FRAGILE_BELOW
}

/** What a reader of a claim must know: that it is fragile, that it holds on these prompts alone. */
export function tagsOf({ fragile, promptsCounted }: { readonly fragile: boolean; readonly promptsCounted: boolean }) {
  return [...(fragile ? ['fragile'] : []), ...(promptsCounted ? [] : ['these-prompts'])]
}

/** A size that a person gave: in the metric's unit, or as a share of the level that it is compared with. */
export type Size = { readonly absolute: number } | { readonly share: number }

/** In the metric's unit; null where a share is of nothing. */
export function absoluteSize(size: Size | null, level: number): number | null {
  if (size === null) return null
  if ('absolute' in size) return size.absolute
  const absolute = Math.abs(level) * size.share
  return absolute > 0 && Number.isFinite(absolute) ? absolute : null
}

/** Copies of one log are one run: the original stays where it is among them, else the first copy. */
export function withoutCopies<Run extends LoadedRun>(
  runs: readonly Run[],
): { readonly runs: readonly Run[]; readonly copies: readonly Run[] } {
  const kept = new Map<string, Run>()
  for (const run of runs) {
    const original = run.manifest.duplicateOf ?? run.manifest.id
    if (!kept.has(original) || run.manifest.duplicateOf === null) kept.set(original, run)
  }
  const stays = new Set(kept.values())
  return { runs: runs.filter(run => stays.has(run)), copies: runs.filter(run => !stays.has(run)) }
}

const say = sentences({
  'copies.left-out': {
    en: '{side}: {count} {count|copy|copies} of the same log left out, {count|it is not another seed|they are not other seeds} ({runs})',
    zh: '{side}：有 {count} 个 run 是同一份日志的副本，不算重复实验，已排除（{runs}）',
  },
})

export function copiesLeftOut(side: string, copies: readonly LoadedRun[]): Message {
  const runs = listed(copies.map(({ manifest }) => shownName(manifest)))
  return say('copies.left-out', { side, count: copies.length, runs })
}
