import type { Message } from '../../logs/model/run.js'
import type { Verdict } from '../../logs/model/verdict.js'
import { numberOf } from '../../logs/model/vocabulary/config-value.js'
import { INTERIM_ANALYSES, type InterimAnalysis } from '../../stats/group-sequential.js'
import { FEWEST_EVALUATIONS } from '../../stats/paired-mean.js'
import { percentage } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { stepRange } from '../store/catalogue.js'
import type { Look } from '../store/looks.js'
import type { Workspace } from '../store/workspace.js'
import { isTrained } from './conventions.js'
import type { RunView } from './run-view.js'

/**
 * Runs that may still grow. Comparing them after every evaluation ends with a claim in half of all equal pairs, so there
 * are a few looks, and the verdict is that of the last look, from what was there at that look: looking more often changes
 * nothing. Where the settings tell how long training lasts, the looks are at fixed shares of it. Where nothing tells, the
 * workspace remembers them (`store/looks.ts`): the next one is at twice as many evaluations.
 */
export interface Growing {
  /** The step at which training is planned to end; null where nothing tells. */
  readonly planned: number | null
  /** Where nothing tells: the looks at each side with the baseline, the present one included. */
  readonly looks?: readonly (readonly Look[])[]
  /** Whether it has ended since the earlier looks: all that they left of the level may be spent. */
  readonly ended?: boolean
}

/** Null when all runs have ended: by their own word, at their planned steps, or because the user says so. */
export function growthOf(
  runs: readonly RunView[],
  { ended = false }: { readonly ended?: boolean } = {},
): Growing | null {
  if (ended || runs.every(hasEnded)) return null
  const ends = runs.map(run => (hasEnded(run) ? (stepRange(run.manifest)?.[1] ?? null) : plannedEnd(run)))
  const known = ends.filter(end => end !== null)
  return { planned: known.length === runs.length ? Math.min(...known) : null }
}

/**
 * A log that says itself that training finished, or that has come to the planned steps, counted from 0 or from 1. Its age
 * tells nothing: a copy of a growing log looks just like one that was killed, and a killed run may be resumed.
 */
function hasEnded(run: RunView): boolean {
  const { status, statusTold = status } = run.manifest
  const [planned, last] = [plannedEnd(run), stepRange(run.manifest)?.[1] ?? 0]
  if (planned === null) return statusTold === 'finished'
  const every = numberOf(run.settings.get('eval.every')?.effective) ?? 1
  return statusTold === 'finished' || last + Math.max(every, 1) >= planned
}

export function plannedEnd({ settings }: RunView): number | null {
  const steps = numberOf(settings.get('steps')?.effective)
  return steps !== null && steps > 0 ? steps : null
}

/** What is looked at: the runs of each side, and the steps that all of them have been evaluated at. */
export interface LookedSides {
  readonly sides: readonly (readonly string[])[]
  readonly steps: readonly number[]
}

/** Runs that grow without a plan, with the looks at them that the workspace remembers; those that ended with the looks before. */
export async function atLooks(
  workspace: Workspace,
  growing: Growing | null,
  metric: string,
  looked: readonly LookedSides[],
): Promise<Growing | null> {
  if (growing !== null && growing.planned !== null) return growing
  const { readLooks, recordLook } = await import('../store/looks.js')
  const looks = await Promise.all(
    looked.map(async ({ sides, steps }): Promise<readonly Look[]> => {
      const trained = steps.filter(isTrained)
      const look = { n: trained.length, until: trained.at(-1) ?? 0 }
      const pair = { sides, metric }
      if (growing !== null && look.n >= FEWEST_EVALUATIONS) return recordLook(workspace, pair, look, GROWTH_OF_LOOKS)
      const before = await readLooks(workspace, pair, GROWTH_OF_LOOKS)
      return growing === null ? before.filter(({ n }) => n < look.n) : before
    }),
  )
  if (growing !== null) return { ...growing, looks }
  return looks.some(each => each.length > 0) ? { planned: null, looks, ended: true } : null
}

/** What may be said by now: up to which step, and at which level. */
export interface Standing {
  readonly until: number
  readonly level: number
  readonly reason: Message | null
  /** What a claim is tagged with. */
  readonly tags: readonly string[]
}

const say = sentences({
  'growing.at-look': {
    en: 'not all of its {planned} planned steps yet: interim analysis at {percent} % of them (up to step {until}), a claim needs p < {level}; the next one is at step {next} (--ended: training is over)',
    zh: '未到计划的 {planned} 步：这是计划步数 {percent}% 处的一次检视（截至 step {until}），此处 p < {level} 才下结论；在 step {next} 之前反复查看不会改变结果（--ended：训练已结束）',
  },
  'growing.before-looks': {
    en: 'not all of its {planned} planned steps yet: the first interim analysis is at step {first}; nothing is claimed before it (--ended: training is over)',
    zh: '未到计划的 {planned} 步：首次检视在 step {first}，此前不下结论（--ended：训练已结束）',
  },
  'growing.looked-again': {
    en: 'interim analysis {look} of this pair, with {n} evaluation{n||s} (up to step {until}): a claim needs p < {level}; the next one is at {next} evaluation{next||s} (--ended: training is over)',
    zh: '这是对这两方的第 {look} 次检视，共 {n} 次验证（截至 step {until}）：p < {level} 才下结论；下一次检视在 {next} 次验证时（--ended：训练已结束）',
  },
  'growing.looked-before': {
    en: '{looks} interim {looks|analysis|analyses} before it ended: a claim needs p < {level}',
    zh: '训练结束前已检视 {looks} 次：p < {level} 才下结论',
  },
})

/** Of one side with the baseline, which have come so far together. */
export function standingOf({ planned, looks = [], ended = false }: Growing, reached: number, side = 0): Standing {
  if (planned === null) return ended ? atTheEnd(looks[side] ?? []) : atLookOf(looks[side] ?? [], reached)
  const passed: InterimAnalysis | undefined = INTERIM_ANALYSES.findLast(({ share }) => share * planned <= reached)
  if (passed === undefined) {
    const reason = say('growing.before-looks', { planned, first: Math.ceil(INTERIM_ANALYSES[0].share * planned) })
    return { until: Number.POSITIVE_INFINITY, level: 0, reason, tags: [] }
  }
  const until = Math.floor(passed.share * planned)
  const next = Math.ceil((INTERIM_ANALYSES[INTERIM_ANALYSES.indexOf(passed) + 1]?.share ?? 1) * planned)
  const params = { planned, percent: percentage(passed.share), until, level: passed.level, next }
  return { until, level: passed.level, reason: say('growing.at-look', params), tags: [] }
}

const LEVEL = 0.05
/** Of what earlier looks left of the level a look spends so much: all looks together spend no more than the level. */
const SPENT_AT_LOOK = 0.75
/** From one look to the next the evaluations grow by so much, as they do between planned looks. */
export const GROWTH_OF_LOOKS = 2

/** The level of a look that so many others came before; after the end there are no more to save for. */
export function levelOfLook(before: number, { last = false } = {}): number {
  return LEVEL * (1 - SPENT_AT_LOOK) ** before * (last ? 1 : SPENT_AT_LOOK)
}

function atLookOf(looks: readonly Look[], reached: number): Standing {
  const at = looks.findLastIndex(({ until }) => until <= reached)
  const level = Number(levelOfLook(Math.max(at, 0)).toPrecision(2))
  const { until, n } = looks[at] ?? { until: Number.POSITIVE_INFINITY, n: 0 }
  if (at < 1 && !(reached > until)) return { until, level, reason: null, tags: ['looked-once'] }
  const reason = say('growing.looked-again', { look: at + 1, n, until, level, next: GROWTH_OF_LOOKS * n })
  return { until, level, reason, tags: [] }
}

function atTheEnd(looks: readonly Look[]): Standing {
  const level = Number(levelOfLook(looks.length, { last: true }).toPrecision(2))
  const reason = looks.length === 0 ? null : say('growing.looked-before', { looks: looks.length, level })
  return { until: Number.POSITIVE_INFINITY, level, reason, tags: [] }
}

/** A verdict with what its look says of it. */
export function atLook(verdict: Verdict, standing: Standing | null): Verdict {
  if (standing === null) return verdict
  const { reason, tags } = standing
  const isClaim = verdict.answer !== 'undetermined'
  return {
    ...verdict,
    tags: isClaim ? [...tags, ...verdict.tags] : verdict.tags,
    reasons: reason === null ? verdict.reasons : [reason, ...verdict.reasons],
  }
}
