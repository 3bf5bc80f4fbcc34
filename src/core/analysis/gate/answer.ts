import { z } from 'zod'
import type { Message } from '../../../logs/model/run.js'
import { list, pair } from '../../../logs/model/schema.js'
import { mean, variance } from '../../../stats/descriptive.js'
import { intervalOf } from '../../../stats/student-estimate.js'
import { sentence } from '../../../text/answer-schema.js'
import { chance, figure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import type { JudgedSide, LoopLook } from '../../store/loop-ledger.js'
import { type KeyedVerdict, keyedVerdict } from '../answer-fields.js'
import { errorSpent, type KeptGain, keptGains, triesOf } from './loop.js'
import { GATE_REASONS, LOOP_ERROR } from './rule.js'

/** What a look at a candidate, and a whole loop, are told as. */

const say = sentences({
  'gate.why.shown-better': {
    en: 'shown better: p {p}, where try {try} of this loop needs p < {level}; the incumbent was run again in this try',
    zh: '已证明更好：p {p}，本循环第 {try} 次尝试要求 p < {level}；本次尝试中重测了当前基线',
  },
  'gate.why.below-margin': {
    en: 'better, but by less than the margin of {margin}',
    zh: '更好，但差异小于设定的界限 {margin}',
  },
  'gate.why.margin-out-of-reach': {
    en: 'a gain of {margin}, the margin, is out of reach',
    zh: '达不到设定的界限 {margin}',
  },
  'gate.why.clearly-lower': {
    en: 'clearly below the incumbent: more than three standard errors',
    zh: '明显低于当前基线：差距超过三个标准误',
  },
  'gate.why.not-ahead': {
    en: 'not far enough ahead after {runs} {runs|run|runs} ({distance} standard errors) to be worth another',
    zh: '{runs} 个 run 之后领先不足（{distance} 个标准误），不值得再跑',
  },
  'gate.why.not-shown': {
    en: 'not shown better after {runs} runs: p {p}, needed p < {level}. It may be, but the difference is small beside the variance between runs',
    zh: '{runs} 个 run 之后仍未证明更好：p {p}，要求 p < {level}。可能确有提升，但相对 run 间波动太小',
  },
  'gate.why.not-above-fresh': {
    en: 'above the older runs of the incumbent, but not above those of this try: the scores of the loop have moved',
    zh: '高于基线的旧 run，却不高于本次尝试中新跑的基线：整个循环的得分水平发生了漂移',
  },
  'gate.why.baseline-few': {
    en: 'the baseline needs three runs, so that the variance between runs is known',
    zh: '基线需要三个 run，才能知道 run 间波动',
  },
  'gate.why.incumbent-again': {
    en: 'the incumbent was kept for its score, which may have been a lucky one: run it once more',
    zh: '当前基线是因得分高而保留的，可能带有运气成分：请再跑一次',
  },
  'gate.why.incumbent-fresh': {
    en: 'ahead of all earlier runs of the incumbent; before it is kept, run the incumbent once more as it is today',
    zh: '已领先当前基线此前的所有 run；保留之前，请把当前基线按现状再跑一次',
  },
  'gate.why.candidate-first': {
    en: 'ahead by {distance} standard errors; no try is kept for a single run',
    zh: '领先 {distance} 个标准误；任何一次尝试都不会仅凭一个 run 就保留',
  },
  'gate.why.candidate-more': {
    en: 'ahead by {distance} standard errors after {runs} {runs|run|runs}: p {p}, needed p < {level}',
    zh: '{runs} 个 run 之后领先 {distance} 个标准误：p {p}，要求 p < {level}',
  },
  'gate.why.baseline-more': {
    en: 'ahead by {distance} standard errors after {runs} {runs|run|runs}: p {p}, needed p < {level}; the incumbent has no more runs than that',
    zh: '{runs} 个 run 之后领先 {distance} 个标准误：p {p}，要求 p < {level}；当前基线的 run 数并不更多',
  },
  'gate.why.candidate-growing': {
    en: 'still training, and not clearly below the incumbent at the same steps (--ended: training is over)',
    zh: '仍在训练；在相同 step 上并未明显低于当前基线（--ended：训练已结束）',
  },
  'gate.ledger': {
    en: 'answered from the ledger: nothing new since try {try}',
    zh: '由账本作答：自第 {try} 次尝试以来没有新的 run',
  },
  'gate.compare-better': {
    en: 'klens compare of these runs alone says better; of many tries some look better by chance, so that this one needs p < {level}',
    zh: '仅就这些 run 而言，klens compare 判为更好；但多次尝试中总有一些碰巧看起来更好，因此这一次要求 p < {level}',
  },
  'gate.compare-open': {
    en: 'klens compare of these runs alone does not say better: it knows only their own variance, the loop that of all its settings',
    zh: '仅就这些 run 而言，klens compare 并不判为更好：它只看这些 run 自身的波动，循环则汇总了所有配置的波动',
  },
  'gate.same-settings': {
    en: 'no logged setting differs from the incumbent: only the code can, or it is noise (log what was changed as a setting, so that the ledger can tell proposals apart)',
    zh: '与当前基线相比，日志中的配置没有差异：只可能是代码不同，否则就是噪声（请把改动记为一项配置，账本才能区分各次提案）',
  },
})

const scored = z.object({
  label: z.string(),
  runs: list(z.string()),
  /** Mean score of its runs, and its 95 % interval where there are two. */
  estimate: z.number(),
  interval: pair(z.number()).nullable(),
})

export const gateAnswer = z.object({
  loop: z.string(),
  decision: z.enum(['keep', 'discard', 'more']),
  /** What to run, and how many: seeds of the candidate, of the baseline, or the candidate's own training to its end. */
  more: z.object({ what: z.enum(['candidate', 'baseline', 'steps']), n: z.number() }).nullable(),
  /** From 1. */
  try: z.number(),
  fromLedger: z.boolean(),
  metric: z.string(),
  goal: z.enum(['max', 'min']),
  /** Candidate minus incumbent in the metric's unit, its 95 % interval by the variance of the loop, and what p is and must be below. */
  difference: z
    .object({ estimate: z.number(), interval: pair(z.number()).nullable(), p: z.number(), level: z.number() })
    .nullable(),
  /** Of the error that all tries of the loop may make together. */
  spent: z.number(),
  error: z.number(),
  incumbent: scored,
  candidate: scored,
  /** What `compare` says of the same runs. */
  verdict: keyedVerdict.nullable(),
  reasons: list(sentence),
})

export type GateResult = z.infer<typeof gateAnswer>

export function gateResult(
  loop: string,
  look: LoopLook,
  looks: readonly LoopLook[],
  context: {
    readonly verdict: KeyedVerdict | null
    readonly fromLedger: boolean
    readonly isSameSettings: boolean
    /** In the metric's unit. */
    readonly margin: number | null
  },
): GateResult {
  const { decision, more, metric, goal, difference, p, level } = look
  return {
    loop,
    decision,
    more,
    try: look.try,
    fromLedger: context.fromLedger,
    metric,
    goal,
    difference: difference === null || p === null ? null : differenceOf(look, difference, p, level),
    spent: errorSpent(looks),
    error: LOOP_ERROR,
    incumbent: scoredSide(look.baseline),
    candidate: scoredSide(look.candidate),
    verdict: context.verdict,
    reasons: [
      ...(context.fromLedger ? [say('gate.ledger', { try: look.try })] : []),
      why(look, context.margin),
      ...besideCompare(look, context.verdict),
      ...(context.isSameSettings ? [say('gate.same-settings', {})] : []),
    ],
  }
}

function differenceOf(
  { goal }: LoopLook,
  difference: NonNullable<LoopLook['difference']>,
  p: number,
  level: number,
): GateResult['difference'] {
  const sign = goal === 'max' ? 1 : -1
  const { low, high } = intervalOf(difference)
  const ends = goal === 'max' ? ([low, high] as const) : ([-high, -low] as const)
  return { estimate: sign * difference.mean, interval: ends, p, level }
}

function scoredSide({ label, runs }: JudgedSide): GateResult['incumbent'] {
  const scores = runs.map(({ score }) => score)
  const estimate = mean(scores)
  const standardError = Math.sqrt(variance(scores) / scores.length)
  const { low, high } = intervalOf({ mean: estimate, standardError, degreesOfFreedom: scores.length - 1 })
  return { label, runs: runs.map(({ id }) => id), estimate, interval: scores.length > 1 ? [low, high] : null }
}

function why(
  { reason, p, level, margin: given, difference, candidate, try: number }: LoopLook,
  margin: number | null,
): Message {
  const known = GATE_REASONS.find(each => each === reason) ?? 'not-shown'
  const distance = difference === null ? Number.NaN : difference.mean / difference.standardError
  return say(`gate.why.${known}`, {
    p: p === null ? '–' : chance(p),
    level: figure(level, 2),
    try: number,
    margin: margin === null ? (given === null ? '–' : marginText(given)) : figure(margin, 3),
    runs: candidate.runs.length,
    distance: Number.isFinite(distance) ? figure(distance, 2) : '∞',
  })
}

function marginText(margin: NonNullable<LoopLook['margin']>): string {
  return 'share' in margin ? `${figure(100 * margin.share, 3)} %` : figure(margin.absolute, 3)
}

/** One line where the two say different things, and why they may. */
function besideCompare({ decision, level }: LoopLook, verdict: KeyedVerdict | null): readonly Message[] {
  if (verdict === null) return []
  const isBetter = verdict.answer === 'better'
  if (decision === 'keep') return isBetter ? [] : [say('gate.compare-open', {})]
  return isBetter && decision === 'discard' ? [say('gate.compare-better', { level: figure(level, 2) })] : []
}

const keptGain = z.object({
  try: z.number(),
  label: z.string(),
  replaced: z.string(),
  /** Candidate minus what it replaced, by the runs that it was kept for. */
  claimed: z.number(),
  /** The same by runs after the keep; null until there are any. */
  remeasured: z.number().nullable(),
  runsAgain: z.number(),
})

const loopTry = z.object({
  try: z.number(),
  candidate: z.string(),
  decision: z.enum(['keep', 'discard', 'more']),
  why: sentence,
  runs: z.number(),
  estimate: z.number().nullable(),
  p: z.number().nullable(),
  level: z.number(),
  at: z.string(),
})

const loopStatus = z.object({
  loop: z.string(),
  metric: z.string(),
  goal: z.enum(['max', 'min']),
  incumbent: z.string(),
  tries: z.number(),
  kept: list(keptGain),
  discarded: z.number(),
  open: z.number(),
  /** Runs that were judged. */
  runs: z.number(),
  spent: z.number(),
  error: z.number(),
  /** Gains of all keeps added up, as claimed and as measured again; null where one has not been measured again. */
  claimed: z.number(),
  remeasured: z.number().nullable(),
  history: list(loopTry),
})

export const gateStatusAnswer = z.object({ loops: list(loopStatus) })

export type LoopStatus = z.infer<typeof loopStatus>

/** Null for a loop without a look. */
export function statusOf(loop: string, looks: readonly LoopLook[]): LoopStatus | null {
  const last = looks.at(-1)
  if (last === undefined) return null
  const tries = triesOf(looks)
  const kept = keptGains(looks)
  const count = (decision: LoopLook['decision']): number => tries.filter(each => each.decision === decision).length
  const sum = (of: (gain: KeptGain) => number): number => kept.reduce((total, gain) => total + of(gain), 0)
  const runs = new Set(
    looks.flatMap(({ baseline, candidate }) => [...baseline.runs, ...candidate.runs]).map(({ id }) => id),
  )
  const sign = last.goal === 'max' ? 1 : -1
  return {
    loop,
    metric: last.metric,
    goal: last.goal,
    incumbent: (last.decision === 'keep' ? last.candidate : last.baseline).label,
    tries: tries.length,
    kept,
    discarded: count('discard'),
    open: count('more'),
    runs: runs.size,
    spent: errorSpent(looks),
    error: LOOP_ERROR,
    claimed: sum(({ claimed }) => claimed),
    remeasured: kept.every(({ remeasured }) => remeasured !== null) ? sum(({ remeasured }) => remeasured ?? 0) : null,
    history: tries.map(look => ({
      try: look.try,
      candidate: look.candidate.label,
      decision: look.decision,
      why: why(look, null),
      runs: look.candidate.runs.length,
      estimate: look.difference === null ? null : sign * look.difference.mean,
      p: look.p,
      level: look.level,
      at: look.at,
    })),
  }
}
