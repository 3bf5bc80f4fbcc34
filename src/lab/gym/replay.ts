import { z } from 'zod'
import { isJsonObject, type Json, jsonNumber } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import { parsePythonJson } from '../../logs/sources/python-json.js'
import { sentences } from '../../text/sentences.js'
import type { Step } from './gym.js'
import { type ReplayForm, rawAnswerSchema, recordedAnswer } from './recording.js'
import { replayForm } from './registry.js'

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
})

/** The first recordings did not name their gym. */
const headSchema = z.looseObject({
  format: z.literal('gym-transitions'),
  version: z.literal(1),
  gym: z.string().default('intention'),
})

const stepSchema = z.looseObject({
  action: z.string(),
  question: z.string().optional(),
  judge: rawAnswerSchema.optional(),
  reply: rawAnswerSchema.optional(),
  canned: z.boolean().default(false),
  raises: z.boolean().default(false),
})

const episodeSchema = z.looseObject({ episode: z.union([z.number(), z.string()]), steps: z.array(stepSchema) })

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
  const head = headSchema.safeParse(parsePythonJson(lines[0]))
  const form = head.success ? replayForm(head.data.gym) : null
  if (form === null) throw new Problem('unreadable', say('gym.replay.no-transitions', { path }))
  let episodes = 0
  let transitions = 0
  const differences: Difference[] = []
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue
    try {
      const episode = episodeSchema.parse(parsePythonJson(line))
      episodes += 1
      transitions += episode.steps.length
      for (const difference of differencesIn(form, episode)) differences.push(difference)
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error
      const [{ path: at, message }] = error.issues
      const reason = `${at.join('.')}: ${message}`
      throw new Problem('unreadable', say('gym.replay.bad-episode', { line: index + 1, reason }))
    }
  }
  return { episodes, transitions, differences }
}

function* differencesIn(form: ReplayForm, episode: RecordedEpisode): Generator<Difference> {
  let recorded: RecordedStep = { action: '', canned: false, raises: false }
  let asked: string | undefined
  const opened = form.open(episode, {
    reply: () => recordedAnswer(recorded.reply),
    judge: () => recordedAnswer(recorded.judge),
    hear: question => {
      asked = question
    },
  })
  for (const [step, next] of episode.steps.entries()) {
    recorded = next
    asked = undefined
    const taken = stepOrNull(opened, recorded.action)
    const standing = new Map<string, unknown>(Object.entries(opened.progress()))
    for (const [member, was, is] of membersOf(recorded, taken, standing, asked, form.members)) {
      if (!isEqual(was, is)) yield { episode: episode.episode, step, member, recorded: was, replayed: is }
    }
  }
}

/** Null where the gym refuses the action, mostly because the episode is over. */
function stepOrNull(opened: { step(action: string): Step }, action: string): Step | null {
  try {
    return opened.step(action)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

type Compared = readonly [member: string, recorded: Json, replayed: Json]

function membersOf(
  recorded: RecordedStep,
  step: Step | null,
  standing: ReadonlyMap<string, unknown>,
  question: string | undefined,
  members: readonly string[],
): readonly Compared[] {
  if (recorded.raises || step === null) return [['raises', recorded.raises, step === null]]
  const { reward, terminated, truncated, feedback } = step
  // A sentence of the gym's own goes by its name, since the words differ.
  const said: Compared =
    'phrase' in recorded
      ? ['phrase', plain(recorded.phrase), written(standing.get('phrase'))]
      : ['feedback', plain(recorded.feedback), feedback]
  return [
    ['question', recorded.question ?? null, question ?? null],
    ...(recorded.canned ? [] : [said]),
    ['reward', plain(recorded.reward), written(reward)],
    ['terminated', plain(recorded.terminated), terminated],
    ['truncated', plain(recorded.truncated), truncated],
    ...members.map(member => [member, plain(recorded[member]), written(standing.get(member))] as const),
  ]
}

/** A recorded value; a number with more digits than a float can hold is none. */
function plain(value: unknown): Json {
  const parsed = z.json().safeParse(value)
  return parsed.success ? parsed.data : null
}

/** A replayed value as it stands in klens's JSON, which has no infinities. */
function written(value: unknown): Json {
  return typeof value === 'number' ? jsonNumber(value) : plain(value)
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
