import { z } from 'zod'
import { isJsonObject, type Json } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import { parsePythonJson } from '../../logs/sources/python-json.js'
import { sentences } from '../../text/sentences.js'
import type { Step } from './gym.js'
import { readJudgement, readReply } from './intention/answers.js'
import { openIntention, type Progress } from './intention/intention.js'
import { type IntentionRules, USERRL_RULES } from './intention/rules.js'
import type { Simulator, Situation } from './intention/simulator.js'
import { taskSchema } from './intention/task.js'

/**
 * Episodes that another gym has recorded, played again from what the simulator answered: each step must come out as it did
 * there. The format, `gym-transitions` version 1, is described in docs/gym.md.
 */

const say = sentences({
  'gym.replay.no-transitions': {
    en: '{path} is not a recording of a gym: its first line must have format "gym-transitions", version 1',
    zh: '{path} 不是 gym 的录制文件：首行应写明 format 为 "gym-transitions"、version 为 1',
  },
  'gym.replay.bad-episode': {
    en: 'line {line} is not an episode: {reason}',
    zh: '第 {line} 行不是 episode：{reason}',
  },
  'gym.recorded-failure': { en: 'the recorded call failed: {detail}', zh: '录制的调用失败：{detail}' },
})

const headSchema = z.looseObject({ format: z.literal('gym-transitions'), version: z.literal(1) })

const rawAnswer = z.union([z.string(), z.object({ error: z.string() })])

const stepSchema = z.looseObject({
  action: z.string(),
  question: z.string().optional(),
  judge: rawAnswer.optional(),
  reply: rawAnswer.optional(),
  feedback: z.json().optional(),
  canned: z.boolean().default(false),
  raises: z.boolean().default(false),
  reward: z.number().optional(),
  terminated: z.boolean().optional(),
  truncated: z.boolean().optional(),
  remaining: z.array(z.number()).optional(),
  covered: z.number().optional(),
  coverage: z.number().optional(),
  total: z.number().optional(),
})

const episodeSchema = z.looseObject({
  episode: z.union([z.number(), z.string()]),
  task: taskSchema,
  options: z.looseObject({
    max_steps: z.number().default(USERRL_RULES.maxSteps),
    step_penalty: z.number().default(USERRL_RULES.stepPenalty),
    multi_detail_penalty: z.number().default(USERRL_RULES.multiDetailPenalty),
    reward_scale: z.number().default(USERRL_RULES.rewardScale),
    normalize_rewards: z.boolean().default(USERRL_RULES.normalizeRewards),
  }),
  steps: z.array(stepSchema),
})

type RecordedEpisode = z.output<typeof episodeSchema>
type RecordedStep = z.output<typeof stepSchema>

interface Difference {
  readonly episode: number | string
  /** From 0. */
  readonly step: number
  readonly member: string
  readonly recorded: Json
  readonly replayed: Json
}

interface Replay {
  readonly episodes: number
  readonly transitions: number
  readonly differences: readonly Difference[]
}

export function replay(path: string, text: string): Replay {
  const lines = text.split('\n')
  if (!headSchema.safeParse(parsePythonJson(lines[0])).success) {
    throw new Problem('unreadable', say('gym.replay.no-transitions', { path }))
  }
  let episodes = 0
  let transitions = 0
  const differences: Difference[] = []
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue
    const parsed = episodeSchema.safeParse(parsePythonJson(line))
    if (!parsed.success) {
      const [{ path: at, message }] = parsed.error.issues
      const reason = `${at.join('.')}: ${message}`
      throw new Problem('unreadable', say('gym.replay.bad-episode', { line: index + 1, reason }))
    }
    episodes += 1
    transitions += parsed.data.steps.length
    differences.push(...differencesIn(parsed.data))
  }
  return { episodes, transitions, differences }
}

function* differencesIn({ episode, task, options, steps }: RecordedEpisode): Generator<Difference> {
  const rules: IntentionRules = {
    maxSteps: options.max_steps,
    stepPenalty: options.step_penalty,
    multiDetailPenalty: options.multi_detail_penalty,
    rewardScale: options.reward_scale,
    normalizeRewards: options.normalize_rewards,
    quirks: USERRL_RULES.quirks,
  }
  let recorded: RecordedStep = { action: '', canned: false, raises: false }
  let asked: string | undefined
  const remember = ({ question }: Situation): void => {
    asked = question
  }
  const opened = openIntention(
    task,
    recordedSimulator(() => recorded, remember),
    rules,
  )
  for (const [step, next] of steps.entries()) {
    recorded = next
    asked = undefined
    const members = membersOf(recorded, stepOrNull(opened, recorded.action), opened.progress(), asked)
    for (const [member, was, is] of members) {
      if (!isEqual(was, is)) yield { episode, step, member, recorded: was, replayed: is }
    }
  }
}

/** Null where the gym refuses the action because the episode is over. */
function stepOrNull(opened: { step(action: string): Step }, action: string): Step | null {
  try {
    return opened.step(action)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

function recordedSimulator(current: () => RecordedStep, remember: (situation: Situation) => void) {
  const failure = (detail: string) => ({ kind: 'missing', reason: say('gym.recorded-failure', { detail }) }) as const
  return {
    reply(situation: Situation) {
      remember(situation)
      const { reply = { error: 'not recorded' } } = current()
      return typeof reply === 'string' ? readReply(reply) : failure(reply.error)
    },
    judge() {
      const { judge = { error: 'not recorded' } } = current()
      return typeof judge === 'string' ? readJudgement(judge) : failure(judge.error)
    },
  } satisfies Simulator
}

type Compared = readonly [member: string, recorded: Json, replayed: Json]

function membersOf(
  recorded: RecordedStep,
  step: Step | null,
  { remaining, covered, coverage, total }: Progress,
  question: string | undefined,
): readonly Compared[] {
  if (recorded.raises || step === null) return [['raises', recorded.raises, step === null]]
  const { reward, terminated, truncated, feedback } = step
  return [
    ['question', recorded.question ?? null, question ?? null],
    ...(recorded.canned ? [] : [['feedback', recorded.feedback ?? null, feedback] as const]),
    ['reward', recorded.reward ?? null, reward],
    ['terminated', recorded.terminated ?? null, terminated],
    ['truncated', recorded.truncated ?? null, truncated],
    ['remaining', recorded.remaining ?? null, remaining],
    ['covered', recorded.covered ?? null, covered],
    ['coverage', recorded.coverage ?? null, coverage],
    ['total', recorded.total ?? null, total],
  ]
}

const CLOSE = 1e-9

/** Numbers to nine digits, all else exactly. */
function isEqual(one: Json, other: Json): boolean {
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other) <= CLOSE
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, i) => isEqual(item, other[i]))
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    const names = Object.keys(one)
    return (
      names.length === Object.keys(other).length &&
      names.every(name => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
    )
  }
  return one === other
}
