import { dialogueText, type KeptTurn } from '../../model/dialogue.js'
import { sha256 } from '../../model/id.js'
import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import { groupBy } from '../../model/util/group-by.js'
import type { SampleRecord } from './gather.js'
import { countOf } from './shape.js'

/**
 * One rollout out of the records that trainers dump, in one form: what was asked, the turns with what came back and what
 * each earned, the reward with its parts, and why it ended. The records were read in the source of each writer:
 * verifiers' traces and episodes as prime-rl keeps them, Tinker cookbook's rollout summaries, NeMo-RL's train_data and
 * val_data, rLLM's episodes, messages with metadata as Trackio keeps them.
 */
export interface RolloutRecord {
  /** What the prompt is known by: its own key where the writer has one, else the hash of its text. */
  readonly id: string
  /** Which of the answers to that prompt; null where the record does not tell. */
  readonly repeat: number | null
  /** Where the record tells. */
  readonly step: number | null
  readonly environment: string | null
  readonly scores: readonly (readonly [name: string, score: number])[]
  readonly input: string | null
  readonly output: string | null
}

/** A rollout as samples have it. An environment is what validation calls a data set. */
export function sampleRecord(
  { id, repeat, environment, scores, input, output }: RolloutRecord,
  table: 'rollout' | 'val',
  step: number,
): SampleRecord {
  const condition = environment === null ? {} : { dataset: environment }
  const texts = { input: clean(input), output: clean(output), expected: null, choice: null }
  return {
    step,
    condition,
    id,
    repeat: countOf(repeat),
    scores: scores.map(([name, score]) => [`${table}/${name}`, score]),
    texts,
  }
}

function clean(text: string | null): string | null {
  return text?.toWellFormed() ?? null
}

/** The rollouts of a record; null where it is of none of these writers. */
export function rolloutsOf(record: JsonObject): readonly RolloutRecord[] | null {
  if (Array.isArray(record.traces)) return ofEpisode(record)
  if (isJsonObject(record.rewards) && Array.isArray(record.nodes)) return [ofTrace(record, record)]
  if (record.total_reward !== undefined && Array.isArray(record.steps)) return [ofSummary(record)]
  if (Array.isArray(record.trajectories) && 'termination_reason' in record) return [ofRllm(record)]
  if (('content' in record || 'sample_id' in record) && 'rewards' in record) return [ofBatch(record)]
  return null
}

/** verifiers 1: an episode holds the trace of each of its agents; those of a frozen judge train nothing. */
function ofEpisode(episode: JsonObject): readonly RolloutRecord[] {
  return objectsIn(episode.traces)
    .filter(({ agent }) => !isJsonObject(agent) || agent.trainable !== false)
    .map(t => ofTrace(t, episode))
}

function ofTrace(trace: JsonObject, about: JsonObject): RolloutRecord {
  const task = objectIn(trace.task) ?? objectIn(about.task) ?? {}
  const info = objectIn(trace.info) ?? {}
  const nodes = objectsIn(trace.nodes)
  const messages = nodes.flatMap(node =>
    isJsonObject(node.message) ? [{ ...node.message, own: node.sampled === true }] : [],
  )
  const { input, turns } = turnsOf(messages)
  const prompt = plainText(objectIn(task.data)?.prompt) ?? input
  const parts = Object.entries(objectIn(trace.rewards) ?? {}).flatMap(([name, part]) => {
    const score = isJsonObject(part) ? numberFromJson(part.score) : undefined
    return score === undefined ? [] : [{ name, score, weight: numberIn(objectIn(part)?.weight) ?? 1 }]
  })
  const calls = objectsIn(trace.calls)
  const late = trace.is_timeout === true ? 'timeout' : null
  const why = textIn(trace.stop_condition) ?? textIn(calls.at(-1)?.finish_reason) ?? late
  const reply = textIn(trace.root_reply)
  return {
    id: (textIn(task.key) ?? textIn(task.hash))?.slice(0, 16) ?? hashOf(prompt ?? ''),
    repeat: null,
    step: numberIn(objectIn(about.run)?.step) ?? numberIn(objectIn(trace.run)?.step),
    environment: textIn(info.env_name) ?? textIn(objectIn(about.env)?.id) ?? textIn(objectIn(trace.env)?.id),
    scores: [
      ...(parts.length === 0 ? [] : [['reward', sumOf(parts.map(({ score, weight }) => score * weight))] as const]),
      ...parts.map(({ name, score }) => [`rewards/${name}`, score] as const),
      ...numbersUnder('', trace.metrics),
      ...(nodes.length === 0 ? [] : [['turns', turns.length] as const]),
      ...(typeof trace.ok === 'boolean' ? [['ok', trace.ok ? 1 : 0] as const] : []),
      ...truncation(why),
    ],
    input: prompt,
    output: turns.length === 0 ? reply : spoken(turns, why),
  }
}

/** Tinker cookbook: lengths, rewards and metrics of each step; what was said only where the environment logs it. */
function ofSummary(record: JsonObject): RolloutRecord {
  const steps = objectsIn(record.steps)
  const last = steps.at(-1)
  // Why it ended is a metric of the last step, `stop/max_turns`; development versions write the sampler's reason too.
  const ended = Object.keys(objectIn(last?.metrics) ?? {}).find(name => name.startsWith(ENDED))
  const why = ended?.slice(ENDED.length) ?? textIn(last?.stop_reason)
  const iteration = numberIn(record.iteration)
  const isTraining = /^train/.test(textIn(record.split) ?? 'train')
  const turns = steps.map(
    ({ logs, reward, ac_len: tokens }): KeptTurn => ({
      said: linesOf(logs) ?? `(${String(tokens ?? '?')} tokens)`,
      heard: [],
      reward: numberIn(reward),
    }),
  )
  // The groups of a training are other prompts at each iteration; an evaluation asks its data set in one order.
  const group = `${String(record.group_idx ?? '')}`
  return {
    id: isTraining ? `${iteration ?? ''}-${group}` : group,
    repeat: numberIn(record.traj_idx),
    step: iteration,
    environment: Array.isArray(record.tags) ? textIn(record.tags[0]) : null,
    scores: [
      ...scored('reward', record.total_reward),
      ...scored('rewards/group', record.final_reward),
      ...numbersUnder('', record.trajectory_metrics),
      ...meansOfSteps(steps),
      ['turns', steps.length],
      ['tokens', sumOf(steps.map(step => numberIn(step.ac_len) ?? 0))],
      ...truncation(why),
    ],
    input: null,
    output: spoken(turns, why),
  }
}

const ENDED = 'stop/'

/** Means over the steps that have a metric, as the cookbook's own curves have them. */
function meansOfSteps(steps: readonly JsonObject[]): RolloutRecord['scores'] {
  const byName = groupBy(
    steps.flatMap(step => numbersUnder('', step.metrics)).filter(([name]) => !name.startsWith(ENDED)),
    ([name]) => name,
  )
  return [...byName].map(([name, found]) => [name, sumOf(found.map(([, value]) => value)) / found.length])
}

/** rLLM: a file for each episode, with the trajectory of each of its roles. */
function ofRllm(record: JsonObject): RolloutRecord {
  const trajectories = objectsIn(record.trajectories)
  const rewards = trajectories.flatMap(({ name, reward }) => scored(`rewards/${textIn(name) ?? 'agent'}`, reward))
  const steps = trajectories.flatMap(({ steps }) => objectsIn(steps))
  const why = textIn(record.termination_reason)
  const task = objectIn(record.task) ?? {}
  const asked = plainText(task.question ?? task.problem ?? task.prompt ?? record.task)
  const turns = steps.map(
    ({ model_response: said, action, observation, reward }, at): KeptTurn => ({
      said: plainText(said) ?? plainText(action) ?? '',
      heard: [plainText(steps[at + 1]?.observation) ?? []].flat().filter(text => text !== plainText(observation)),
      reward: numberIn(reward),
    }),
  )
  const nth = /:(\d{1,9})$/.exec(textIn(record.episode_id) ?? '')?.[1]
  return {
    id: textIn(record.task_hash) ?? hashOf(asked ?? ''),
    repeat: nth === undefined ? null : Number(nth),
    step: numberIn(record.training_step),
    environment: textIn(task.data_source) ?? textIn(task.env),
    scores: [
      ...(rewards.length === 1 ? [['reward', rewards[0]?.[1] ?? 0] as const] : rewards),
      ...(typeof record.is_correct === 'boolean' ? [['correct', record.is_correct ? 1 : 0] as const] : []),
      ...numbersUnder('', record.metrics),
      ['turns', steps.length],
      ...truncation(why),
    ],
    input: asked,
    output: spoken(turns, why),
  }
}

/** NeMo-RL writes batches of one: each member is a list with the one value. Since 2026 tokens stand in place of texts. */
function ofBatch(record: JsonObject): RolloutRecord {
  const content = onlyIn(record.content)
  const messages = Array.isArray(content) ? content : []
  const texts = messages.filter(message => typeof message === 'string')
  const chat = turnsOf(messages.filter(isJsonObject))
  const [prompt, ...rest] = texts
  const input = chat.turns.length > 0 ? chat.input : texts.length > 1 ? (prompt ?? null) : null
  const said = texts.length > 1 ? rest.join('\n') : (texts[0] ?? plainText(content))
  const asked = input ?? (record.prompt_ids === undefined ? null : JSON.stringify(record.prompt_ids))
  return {
    id: asked === null ? `i${numberIn(record.idx) ?? 0}` : hashOf(asked),
    repeat: null,
    step: numberIn(record.step),
    environment: textIn(onlyIn(record.task_name)),
    scores: [
      ...scored('reward', onlyIn(record.rewards)),
      ...scored('accuracy', onlyIn(record.accuracy)),
      ...scored('tokens', onlyIn(record.input_lengths)),
      ...(chat.turns.length > 0 ? [['turns', chat.turns.length] as const] : []),
    ],
    input,
    output: chat.turns.length > 0 ? spoken(chat.turns, null) : said,
  }
}

/** Messages with what is known of them besides: Trackio's traces. Null where nothing scores them. */
export function messagesRollout(messages: readonly Json[], metadata: JsonObject): RolloutRecord | null {
  const scores = numbersUnder('', metadata).filter(
    ([name]) => !/(?:^|_)(?:idx|index|id|step|epoch|time|ms|seed)$/.test(name),
  )
  if (!scores.some(([name]) => /score|reward|correct|acc/i.test(name))) return null
  const { input, turns } = turnsOf(messages.filter(isJsonObject))
  const why = textIn(metadata.finish_reason) ?? textIn(metadata.stop_reason) ?? textIn(metadata.status)
  return {
    id: hashOf(input ?? ''),
    repeat: null,
    step: null,
    environment: textIn(metadata.environment) ?? textIn(metadata.env),
    scores: [...scores, ['turns', turns.length], ...truncation(why)],
    input,
    output: spoken(turns, why),
  }
}

/** What the policy itself said, and what it was answered. What stands before its first words is the prompt. */
function turnsOf(messages: readonly JsonObject[]): {
  readonly input: string | null
  readonly turns: readonly KeptTurn[]
} {
  const asked: string[] = []
  const turns: { said: string; heard: string[]; reward: number | null }[] = []
  for (const message of messages) {
    const text = plainText(message.content) ?? ''
    const last = turns.at(-1)
    if (message.role === 'assistant' && message.own !== false) {
      turns.push({
        said: [text, ...callsIn(message.tool_calls)].filter(part => part !== '').join('\n'),
        heard: [],
        reward: null,
      })
    } else if (last === undefined) asked.push(text)
    else last.heard.push(text)
  }
  return { input: asked.length === 0 ? null : asked.join('\n'), turns }
}

function callsIn(calls: Json | undefined): string[] {
  return objectsIn(calls).map(call => {
    const called = objectIn(call.function) ?? call
    return `[${textIn(called.name) ?? 'tool'}] ${plainText(called.arguments) ?? ''}`
  })
}

function spoken(turns: readonly KeptTurn[], why: string | null): string {
  const [only] = turns
  if (turns.length !== 1 || only === undefined || only.heard.length > 0) return dialogueText(turns, why)
  return why === null || /^(?:stop|eos|done|completed?)$/i.test(why) ? only.said : `${only.said}\n— ${why}`
}

/** Whether it ended because it might not go on: a limit of tokens, of turns or of time. */
function truncation(why: string | null): (readonly [string, number])[] {
  return why === null
    ? []
    : [['truncated', /length|max_|_limit|timeout|overflow|truncat|compaction_failed/i.test(why) ? 1 : 0]]
}

function scored(name: string, value: Json | undefined): (readonly [string, number])[] {
  const score = typeof value === 'boolean' ? Number(value) : numberFromJson(value)
  return score === undefined || !Number.isFinite(score) ? [] : [[name, score]]
}

function numbersUnder(prefix: string, members: Json | undefined): (readonly [string, number])[] {
  return Object.entries(objectIn(members) ?? {}).flatMap(([name, value]) => scored(`${prefix}${name}`, value))
}

function plainText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  // Chat templates keep a text among pictures as a list of parts.
  const parts = value.map(part => (isJsonObject(part) ? (part.text ?? part.content) : part))
  return parts.every(part => typeof part === 'string') ? parts.join('\n') : JSON.stringify(value)
}

function linesOf(logs: Json | undefined): string | null {
  const entries = Object.entries(objectIn(logs) ?? {})
  return entries.length === 0 ? null : entries.map(([key, value]) => `${key}: ${plainText(value) ?? ''}`).join('\n')
}

function onlyIn(value: Json | undefined): Json | undefined {
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}

function objectIn(value: Json | undefined): JsonObject | null {
  return isJsonObject(value) ? value : null
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function textIn(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function numberIn(value: Json | undefined): number | null {
  return numberFromJson(value) ?? null
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function hashOf(text: string): string {
  return sha256(text.trim()).slice(0, 16)
}
