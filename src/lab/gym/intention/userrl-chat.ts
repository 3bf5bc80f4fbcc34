import { Problem } from '../../../logs/model/problem.js'
import { readPythonLiteral } from '../../../logs/sources/console/python-literal.js'
import type { Gym, Step } from '../gym.js'
import type { WatchedEpisode } from './intention.js'
import { HISTORY_SHOWN } from './rules.js'
import type { Exchange } from './simulator.js'
import { type IntentionTask, taskSchema } from './task.js'

/**
 * The user of UserRL's own gym, which asks a model twice a step, for a reply and for a judgement. Both are answered by the
 * step that an episode of this gym takes in the same dialogue, so that the same words earn the same whoever counts. A
 * prompt shows the last three exchanges only, and this user remembers more (a question beside the point is not forgotten),
 * so dialogues are known by what a prompt shows of them. Where two would look alike and differ before that, the younger
 * one's reply ends with a blank.
 */
export type UserRlUser = (prompt: string) => Promise<string | null>

interface KnownDialogue {
  readonly task: IntentionTask
  readonly actions: readonly string[]
  /** What the next prompt shows. */
  readonly shown: readonly Exchange[]
  /** All that what follows depends on. */
  readonly state: string
  /** By question: the gym asks for the reply and the judgement at once. */
  readonly steps: Map<string, Promise<TakenStep>>
}

interface TakenStep {
  readonly step: Step
  readonly state: string
}

/** Of these the oldest is forgotten when another would be too many. */
const MOST_DIALOGUES = 100_000

/** Answers a prompt; null: it is none of UserRL's nor of klens's, or tells no task. */
export function userRlUser(
  gym: Gym<IntentionTask, WatchedEpisode>,
  tasks: ReadonlyMap<string, IntentionTask>,
): UserRlUser {
  const dialogues = new Map<string, KnownDialogue>()

  return async prompt => {
    const asked = readPrompt(prompt) ?? readKlensPrompt(prompt)
    if (asked === null) return null
    const record = taskSchema.safeParse(asked.record)
    const task = tasks.get(idOf(asked.record) ?? '') ?? (record.success ? record.data : null)
    if (task === null) return null
    const dialogue = dialogues.get(keyOf(task, asked.history)) ?? (await begun(task, asked.history))
    const { step, state } = await taken(dialogue, asked.question)
    if (step.end?.why === 'failed') throw new Problem('unreachable', step.end.reason)
    if (asked.details !== null) {
      const { details } = asked
      const indices = (step.found ?? []).map(found => details.indexOf(found)).filter(index => index >= 0)
      return JSON.stringify({ analysis: '', is_task_related: true, covered_detail_indices: indices })
    }
    return JSON.stringify({ thought: '', response: remember(dialogue, asked.question, step.feedback, state) })
  }

  /** One that has begun elsewhere, or is forgotten, is taken to have begun with what the prompt shows. */
  async function begun(task: IntentionTask, history: string): Promise<KnownDialogue> {
    const shown = exchangesIn(history)
    const actions = shown.map(({ question }) => question)
    return keep(history, { task, actions, shown, state: stateOf(await playedOn(task, actions)), steps: new Map() })
  }

  function taken(dialogue: KnownDialogue, question: string): Promise<TakenStep> {
    const before = dialogue.steps.get(question)
    if (before !== undefined) return before
    const taking = takeStep(dialogue, question)
    dialogue.steps.set(question, taking)
    const forget = (): boolean => dialogue.steps.delete(question)
    // What failed may be asked again.
    taking.then(({ step }) => step.end?.why === 'failed' && forget(), forget)
    return taking
  }

  async function takeStep({ task, actions }: KnownDialogue, question: string): Promise<TakenStep> {
    const episode = await playedOn(task, actions)
    const step = await episode.step(actionFor(question))
    return { step, state: stateOf(episode) }
  }

  async function playedOn(task: IntentionTask, actions: readonly string[]): Promise<WatchedEpisode> {
    const episode = gym.open(task)
    for (const action of actions) await episode.step(actionFor(action))
    return episode
  }

  /** Makes the dialogue known in which this was said; what was said. */
  function remember({ task, actions, shown }: KnownDialogue, question: string, said: Step['feedback'], state: string) {
    for (let feedback = said; ; feedback = `${feedback} `) {
      const exchanges = [...shown, { question, feedback }].slice(-HISTORY_SHOWN)
      const history = textOf(exchanges)
      const other = dialogues.get(keyOf(task, history))
      if (other === undefined) {
        keep(history, { task, actions: [...actions, question], shown: exchanges, state, steps: new Map() })
      }
      if (other === undefined || other.state === state) return feedback
    }
  }

  function keep(history: string, dialogue: KnownDialogue): KnownDialogue {
    const [oldest] = dialogues.keys()
    if (dialogues.size >= MOST_DIALOGUES && oldest !== undefined) dialogues.delete(oldest)
    dialogues.set(keyOf(dialogue.task, history), dialogue)
    return dialogue
  }
}

/** A prompt's question has lost its prefix, and what looks like another one is part of the question. */
function actionFor(question: string): string {
  return `[action] ${question}`
}

function stateOf(episode: WatchedEpisode): string {
  const { remaining, misses } = episode.progress()
  return `${misses} ${remaining.join(' ')}`
}

function keyOf({ id }: IntentionTask, history: string): string {
  return JSON.stringify([id, history])
}

interface AskedPrompt {
  /** The task as Python prints it. */
  readonly record: unknown
  readonly question: string
  readonly history: string
  /** Descriptions of what is left, as the judge is shown them; null: a reply is asked for. */
  readonly details: readonly string[] | null
}

/** The two prompts, known by their headings. */
function readPrompt(prompt: string): AskedPrompt | null {
  const record = readPythonLiteral(/\b(?:TASK|REQUEST): (\{.*\})$/m.exec(prompt)?.[1] ?? '')
  const history = plain(
    /\nCONVERSATION HISTORY:\n([\s\S]*?)(?:\n\nLATEST USER'S QUESTION: |\n\nYour job is|$)/.exec(prompt)?.[1] ?? '',
  )
  const judged = /\nLATEST USER'S QUESTION: ([\s\S]*?)\n\nYour job is/.exec(prompt)?.[1]
  if (judged !== undefined) {
    const details = [...prompt.matchAll(/^\d+\. \[(?:LOW|MEDIUM|HIGH)\] (.*)$/gm)].map(([, description]) => description)
    return { record, question: judged, history, details }
  }
  const question = /\nCURRENT QUESTION FROM HELPER: ([\s\S]*?)\n\nCONVERSATION HISTORY:/.exec(prompt)?.[1]
  return question === undefined ? null : { record, question, history, details: null }
}

/** What `klens … --simulator` asks in its own words. */
function readKlensPrompt(prompt: string): AskedPrompt | null {
  const [, id, open = null, history, question] =
    /^Task: (.*)\n(?:Your request|Request): [\s\S]*?(?:\n\nOpen details:\n([\s\S]*?))?\n\nSo far:\n([\s\S]*?)\n\nQuestion: ([\s\S]*)$/.exec(
      prompt,
    ) ?? []
  if (id === undefined) return null
  const details =
    open === null ? null : [...open.matchAll(/^\d+\. \[\w+\] (.*) \(for example: .*\)$/gm)].map(([, name]) => name)
  const before = history === '(nothing)' ? '' : plain(`Previous conversation:\n${history}`)
  return { record: { id }, question, history: before, details }
}

function idOf(record: unknown): string | null {
  return typeof record === 'object' && record !== null && 'id' in record && typeof record.id === 'string'
    ? record.id
    : null
}

const ASKED = /^(?:Helper|Q\d?): (?:\[(?:action|answer)\])?\s*/gm
const SAID = /^(?:You|A\d?): /gm

/** The history of either prompt in one form; '' where there is none. */
function plain(history: string): string {
  const [, shown = ''] = /^Previous conversation:\n([\s\S]*?)\n*$/.exec(history.replace(/^\n+/, '')) ?? []
  return shown.replace(ASKED, 'Q: ').replace(SAID, 'A: ')
}

function textOf(exchanges: readonly Exchange[]): string {
  const lines = exchanges.map(({ question, feedback }) => `Q1: ${actionFor(question)}\nA1: ${feedback}`)
  return plain(`Previous conversation:\n${lines.join('\n')}`)
}

function exchangesIn(history: string): readonly Exchange[] {
  return history
    .split(/^Q: /m)
    .slice(1)
    .map(exchange => {
      const [question, feedback = ''] = exchange.replace(/\n$/, '').split(/\nA: /)
      return { question, feedback }
    })
}
