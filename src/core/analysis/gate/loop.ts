import { z } from 'zod'
import { mean } from '../../../stats/descriptive.js'
import type { JudgedRun, JudgedSide, LoopLook } from '../../store/loop-ledger.js'
import { errorOfTry, type TryEvidence } from './rule.js'

/** What the ledger of a loop comes to. Pure: looks in, in the order of their lines. */

/** The setting that candidates are compared with, and its runs that a look has judged. */
export interface Incumbent {
  readonly setting: string
  readonly label: string
  /** Where this loop kept it. */
  readonly keptAt: LoopLook | null
}

export function incumbentOf(looks: readonly LoopLook[]): Incumbent | null {
  const keptAt = looks.findLast(({ decision }) => decision === 'keep') ?? null
  const { setting, label } = keptAt?.candidate ?? looks.at(0)?.baseline ?? {}
  return setting === undefined || label === undefined ? null : { setting, label, keptAt }
}

/** Every run of a setting that was judged, as it was judged last. */
export function judgedRuns(looks: readonly LoopLook[], setting: string): ReadonlyMap<string, JudgedRun> {
  const sides = looks.flatMap(({ baseline, candidate }) => [baseline, candidate])
  return new Map(sides.filter(side => side.setting === setting).flatMap(({ runs }) => runs.map(run => [run.id, run])))
}

/** The try that a candidate is in: the open one, or the next. */
export interface CurrentTry {
  readonly number: number
  readonly error: number
  /** The looks of this try so far. */
  readonly looks: readonly LoopLook[]
  /** Whether the ledger answers already: nothing has come since that it asked for. */
  readonly answered: LoopLook | null
}

type LookedSides = Pick<LoopLook, 'baseline' | 'candidate'>

export function currentTry(looks: readonly LoopLook[], { baseline, candidate }: LookedSides): CurrentTry {
  const own = looks.filter(
    look => look.candidate.setting === candidate.setting && look.baseline.setting === baseline.setting,
  )
  const last = own.at(-1)
  if (last !== undefined) {
    const isOpen = last.decision === 'more'
    const isCandidateNew = hasMore(candidate, last.candidate)
    const isBaselineNew = isOpen && last.more?.what === 'baseline' && hasMore(baseline, last.baseline)
    const { try: number, error } = last
    const ofTry = own.filter(look => look.try === number)
    if (!isCandidateNew && !isBaselineNew) return { number, error, looks: ofTry, answered: last }
    if (isOpen) return { number, error, looks: ofTry, answered: null }
  }
  const before = looks.at(-1)
  const number = Math.max(0, ...looks.map(look => look.try)) + 1
  // What a keep had to spend is the next try's: a gain that is real has spent nothing.
  const carried = before?.decision === 'keep' ? before.error : 0
  return { number, error: errorOfTry(number) + carried, looks: [], answered: null }
}

function hasMore({ runs }: JudgedSide, before: JudgedSide): boolean {
  return runs.some(({ id }) => before.runs.every(run => run.id !== id))
}

/** What the rule is asked, by what the ledger knows of the sides. */
export function evidenceFor(
  looks: readonly LoopLook[],
  { number, looks: own }: CurrentTry,
  incumbent: Incumbent | null,
  { baseline, candidate }: LookedSides,
  goal: LoopLook['goal'],
): Omit<TryEvidence, 'progress'> {
  const scoresOf = (runs: Iterable<JudgedRun>): readonly number[] =>
    Array.from(runs, ({ score }) => (goal === 'max' ? score : -score))
  const earlier = looks.filter(look => look.try < number)
  const seen = new Set(earlier.flatMap(look => look.baseline.runs.map(({ id }) => id)))
  const tried = earlier.filter(look => look.candidate.setting === candidate.setting)
  const before = judgedRuns(tried, candidate.setting).size
  const fewer = own.map(look => look.candidate.runs.length).filter(runs => runs < candidate.runs.length)
  const settings = new Set(looks.flatMap(look => [look.baseline.setting, look.candidate.setting]))
  const selected = new Set(incumbent?.keptAt?.candidate.runs.map(({ id }) => id))
  return {
    baseline: scoresOf(baseline.runs),
    fresh: scoresOf(baseline.runs.filter(({ id }) => !seen.has(id))),
    candidate: scoresOf(candidate.runs),
    candidateBefore: before,
    candidateLooked: Math.max(before, ...fewer),
    others: [...settings]
      .filter(setting => setting !== candidate.setting && setting !== baseline.setting)
      .map(setting => scoresOf(judgedRuns(looks, setting).values())),
    isUnmeasured: incumbent?.keptAt != null && baseline.runs.every(({ id }) => selected.has(id)),
  }
}

/** Error that the tries so far have spent: a kept one hands its own on. */
export function errorSpent(looks: readonly LoopLook[]): number {
  const tries = Math.max(0, ...looks.map(look => look.try))
  const all = Array.from({ length: tries }, (_, i) => errorOfTry(i + 1)).reduce((sum, each) => sum + each, 0)
  const last = looks.at(-1)
  return last?.decision === 'keep' ? all - last.error : all
}

/** A keep: the gain that was claimed, and that of runs which had no part in the claim. */
export const keptGain = z.object({
  try: z.number(),
  label: z.string(),
  replaced: z.string(),
  claimed: z.number(),
  /** Null until the setting has been run again. */
  remeasured: z.number().nullable(),
  runsAgain: z.number(),
})

type KeptGain = z.infer<typeof keptGain>

export function keptGains(looks: readonly LoopLook[]): readonly KeptGain[] {
  return looks
    .filter(({ decision }) => decision === 'keep')
    .map(look => {
      const claimedBy = new Set(look.candidate.runs.map(({ id }) => id))
      const again = [...judgedRuns(looks, look.candidate.setting).values()].filter(({ id }) => !claimedBy.has(id))
      const replaced = mean(look.baseline.runs.map(({ score }) => score))
      return {
        try: look.try,
        label: look.candidate.label,
        replaced: look.baseline.label,
        claimed: mean(look.candidate.runs.map(({ score }) => score)) - replaced,
        remeasured: again.length === 0 ? null : mean(again.map(({ score }) => score)) - replaced,
        runsAgain: again.length,
      }
    })
}

/** The last look of each try. */
export function triesOf(looks: readonly LoopLook[]): readonly LoopLook[] {
  return [...new Map(looks.map(look => [look.try, look])).values()]
}
