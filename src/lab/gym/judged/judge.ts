import { z } from 'zod'
import { isJsonObject, type Json } from '../../../logs/model/json.js'
import type { Message } from '../../../logs/model/run.js'
import { parsePythonJson } from '../../../logs/sources/python-json.js'
import { sentences } from '../../../text/sentences.js'
import type { Ask } from '../../endpoint/endpoint.js'
import { failedMove, type LimitRules, type Move, paid, type RewardRules } from '../episode.js'
import type { Prompts } from '../gym.js'
import { strip } from '../intention/answers.js'
import type { TaskLanguage } from '../intention/own/tasks.js'
import type { RecordedCalls } from '../recording.js'
import { type Literal, type LiteralObject, literalEval } from './literal.js'

/** What telepathy, turtle and persuade have in common: one call a step, to somebody who judges what was said. */

export interface JudgedRules extends RewardRules {
  readonly maxSteps: number
  readonly stepPenalty: number
  /** From this score on a story is told (turtle). */
  readonly successThreshold: number
  readonly quirks: JudgedQuirks
}

/** docs/gym.md says what each does to a result. */
export interface JudgedQuirks {
  readonly failedCall: 'zero' | 'missing'
  readonly unreadableJudgement: 'nothing' | 'missing'
  /** A judgement is a Python literal and nothing around it, or JSON anywhere in the answer too. */
  readonly judgementForm: 'python' | 'json'
  /** Of a message without `[action]` or `[answer]` eight characters are cut, or none. */
  readonly barePrefix: 'cut' | 'stays'
  /** A stance that is none of the seven (persuade): kept, so that nothing is earned until after the next one; or unreadable. */
  readonly unknownStance: 'kept' | 'unreadable'
  /** A move that the judge's odd answer breaks off with an exception, or an unreadable judgement. */
  readonly oddNumber: 'raises' | 'unreadable'
}

export const JUDGED_QUIRKS = {
  failedCall: z.enum(['zero', 'missing']),
  unreadableJudgement: z.enum(['nothing', 'missing']),
  judgementForm: z.enum(['python', 'json']),
  barePrefix: z.enum(['cut', 'stays']),
  unknownStance: z.enum(['kept', 'unreadable']),
  oddNumber: z.enum(['raises', 'unreadable']),
} as const satisfies { readonly [Quirk in keyof JudgedQuirks]: z.ZodType<JudgedQuirks[Quirk]> }

export const USERRL_JUDGED: JudgedRules = {
  ...{ maxSteps: 20, stepPenalty: 0, rewardScale: 1, normalizeRewards: true, successThreshold: 0.9 },
  quirks: {
    failedCall: 'zero',
    unreadableJudgement: 'nothing',
    judgementForm: 'python',
    barePrefix: 'cut',
    unknownStance: 'kept',
    oddNumber: 'raises',
  },
}

/** Where a judge fails or cannot be read, the worth of the move is unknown. */
export const KLENS_JUDGED: JudgedRules = {
  ...USERRL_JUDGED,
  maxSteps: 16,
  quirks: {
    failedCall: 'missing',
    unreadableJudgement: 'missing',
    judgementForm: 'json',
    barePrefix: 'stays',
    unknownStance: 'unreadable',
    oddNumber: 'unreadable',
  },
}

/** What is put before the judge. */
export interface JudgedMove<Task> {
  readonly task: Task
  /** A guess, a story; else a question or an argument. */
  readonly isAnswer: boolean
  /** Without the prefix. */
  readonly content: string
  readonly history: readonly JudgedExchange[]
  /** Of persuade: what the judge holds before this argument. */
  readonly stance: Json
}

export interface JudgedExchange {
  readonly said: string
  readonly feedback: Json
}

export type JudgeAnswer =
  | { readonly kind: 'judged'; readonly answer: LiteralObject }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'missing'; readonly reason: Message }

export type Judge<Task> = (move: JudgedMove<Task>) => JudgeAnswer | Promise<JudgeAnswer>
export type InstantJudge<Task> = (move: JudgedMove<Task>) => JudgeAnswer

/** Who judges, by which rules, in which language: how each of the three is entered. */
export interface JudgedPlay<Who> {
  readonly judge: Who
  readonly rules: JudgedRules
  readonly language: TaskLanguage
}

/** A model asked in words of klens's own; it answers with the members that UserRL's gym reads. */
export function endpointJudge<Task>(
  ask: Ask,
  promptsFor: (move: JudgedMove<Task>) => Prompts,
  form: JudgedQuirks['judgementForm'],
): Judge<Task> {
  return async move => {
    const { system, user } = promptsFor(move)
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: user },
    ]
    const reply = await ask(messages, text => readJudged(text, form).kind !== 'unreadable')
    return reply.kind === 'answer' ? readJudged(reply.text, form) : reply
  }
}

export function recordedJudge<Task>({ judge, hear }: RecordedCalls): InstantJudge<Task> {
  return ({ content }) => {
    hear(content)
    const answer = judge()
    return answer.kind === 'answer' ? readJudged(answer.text, 'python') : answer
  }
}

const FENCE = /^```json/
const FENCE_END = /```$/

export function readJudged(text: string, form: JudgedQuirks['judgementForm']): JudgeAnswer {
  const said = strip(text)
  const literal = literalEval(said.replace(FENCE, '').replace(FENCE_END, ''))
  if (literal instanceof Map) return { kind: 'judged', answer: literal }
  if (form === 'python') return { kind: 'unreadable' }
  const within = parsePythonJson(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1))
  return isJsonObject(within) ? { kind: 'judged', answer: answerFrom(within) } : { kind: 'unreadable' }
}

export function answerFrom(members: { readonly [name: string]: Json }): LiteralObject {
  const literal = (value: Json): Literal => {
    if (Array.isArray(value)) return value.map(literal)
    return isJsonObject(value) ? answerFrom(value) : value
  }
  return new Map(Object.entries(members).map(([name, value]) => [name, literal(value)]))
}

const say = sentences({
  'gym.unreadable-answer': {
    en: 'the judge answered, but without the members that this gym reads',
    zh: '评判模型有回答，但缺少该 gym 需要的字段',
  },
})

/** Why a move has no worth; null where UserRL would count it as nothing. */
export function judgeFailure(answer: JudgeAnswer, { quirks }: JudgedRules): Move | null {
  if (answer.kind === 'missing') return quirks.failedCall === 'missing' ? failedMove(answer.reason) : null
  return quirks.unreadableJudgement === 'missing' ? failedMove(say('gym.unreadable-answer', {})) : null
}

/** Lower case at the very beginning, where UserRL looks for it; its eight characters are cut in any case. */
export function contentOf(action: string, { quirks }: JudgedRules): string {
  const hasPrefix = /^\[(?:action|answer|search)\]/.test(action)
  if (!hasPrefix && quirks.barePrefix === 'stays') return strip(action)
  return strip(hasPrefix ? action.slice(8) : [...action].slice(8).join(''))
}

export const isFinish = (action: string): boolean => action.startsWith('[finish]')
export const isAnswer = (action: string): boolean => action.startsWith('[answer]')

export function judgedLimits({ maxSteps }: JudgedRules, endTruncates: boolean): LimitRules {
  return { maxSteps, limitTerminates: false, endTruncates }
}

/** The penalty of UserRL's guessing gyms grows with every step. */
export function paidAt(step: number, earned: number, rules: JudgedRules): number {
  return paid(earned, rules.stepPenalty * step, rules)
}

export const judgedOptions = z.looseObject({
  max_steps: z.number().default(USERRL_JUDGED.maxSteps),
  step_penalty: z.number().default(USERRL_JUDGED.stepPenalty),
  reward_scale: z.number().default(USERRL_JUDGED.rewardScale),
  normalize_rewards: z.boolean().default(USERRL_JUDGED.normalizeRewards),
  success_threshold: z.number().default(USERRL_JUDGED.successThreshold),
})

export function recordedRules(options: z.output<typeof judgedOptions>): JudgedRules {
  return {
    maxSteps: options.max_steps,
    stepPenalty: options.step_penalty,
    rewardScale: options.reward_scale,
    normalizeRewards: options.normalize_rewards,
    successThreshold: options.success_threshold,
    quirks: USERRL_JUDGED.quirks,
  }
}
