import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import { dialogueText, sumOfRewards } from '../../model/dialogue.js'
import type { RunEvent } from '../../model/events.js'
import { groupBy } from '../../model/util/group-by.js'
import { warning } from '../source-helpers.js'

/**
 * What UserRL's tool prints of every call: `Turn 2: Executed action in conversation ID (Env: IntentionGym), action: …,
 * feedback: …, reward: 0.7, done: False`. Lines of several workers are mixed, and come a little before or behind the step
 * line that they belong to: a dialogue counts for the step that is logged next after its last turn, and one that is not
 * done waits for another step line, lest a turn is still to come. The lines tell neither the task nor whether it was a
 * rollout to train on or to validate; so they are samples of a table of their own, `dialogue`, known by their conversation.
 */

const turnSchema = z.object({
  number: z.number(),
  said: z.string(),
  heard: z.string(),
  reward: z.number(),
})

const conversationSchema = z.object({
  id: z.string(),
  environment: z.string(),
  turns: z.array(turnSchema),
  done: z.boolean(),
  /** The step that was logged after its last turn; null as long as none was. */
  step: z.number().nullable(),
})

/** All that must be remembered between two lines; plain JSON, because cursors carry it. */
export const turnLinesSchema = z.object({
  waiting: z.array(conversationSchema),
  /** A line whose answer goes on in the next lines of its process. */
  open: z.object({ process: z.string(), text: z.string() }).nullable(),
  incomplete: z.number(),
  leftOut: z.number(),
})

type TurnLines = z.infer<typeof turnLinesSchema>
type Conversation = z.infer<typeof conversationSchema>

export function newTurnLines(): TurnLines {
  return { waiting: [], open: null, incomplete: 0, leftOut: 0 }
}

/** More than a step has, of 48 rollouts and 40 to validate; what waits is written into every cursor. */
const MOST_WAITING = 1000
/** An answer in more pieces, or a longer one, is no answer of a user. */
const LONGEST_LINE = 20_000

const TABLE = 'dialogue'

const BEGINS = /^Turn \d{1,6}: Executed /
const TURN =
  /^Turn (\d{1,6}): Executed \S* ?in conversation (\S{1,100}) \(Env: ([^)]{0,100})\), action: ([\s\S]*?), feedback: ([\s\S]*), reward: (-?\d+(?:\.\d+)?(?:e-?\d+)?), done: (True|False)(?: \[repeated \d+x across cluster\].*)?\s*$/

/** Whether the line is one of these, or goes on with one. */
export function takeTurnLine(state: TurnLines, body: string, process: string): boolean {
  const begins = BEGINS.test(body)
  if (!begins && state.open?.process !== process) return false
  const text = begins || state.open === null ? body : `${state.open.text}\n${body}`
  const turn = TURN.exec(text)
  state.open = turn === null && text.length <= LONGEST_LINE ? { process, text } : null
  if (turn !== null) addTurn(state, turn)
  return true
}

function addTurn(
  state: TurnLines,
  [, number, id = '', environment = '', said = '', heard = '', reward, done]: RegExpExecArray,
): void {
  const turn = { number: Number(number), said, heard, reward: Number(reward) }
  const known = state.waiting.find(conversation => conversation.id === id)
  if (known === undefined && state.waiting.length >= MOST_WAITING) {
    state.leftOut += 1
    return
  }
  const conversation = known ?? { id, environment, turns: [], done: false, step: null }
  if (known === undefined) state.waiting.push(conversation)
  conversation.turns.push(turn)
  conversation.done = done === 'True'
  conversation.step = null
}

/** A step was logged: dialogues that are over are said, the others once more time has passed. */
export function stepLogged(state: TurnLines, step: number): RunEvent[] {
  const [over, waiting] = [[] as Conversation[], [] as Conversation[]]
  for (const conversation of state.waiting) {
    const isOver = conversation.done || conversation.step !== null
    conversation.step ??= step
    if (isOver) over.push(conversation)
    else waiting.push(conversation)
  }
  state.waiting = waiting
  return eventsOf(state, over)
}

/** The training is over: no further turn comes. */
export function turnsEnded(state: TurnLines): RunEvent[] {
  const over = state.waiting.filter(({ step }) => step !== null)
  state.waiting = []
  return eventsOf(state, over)
}

export function turnLineTotals({ incomplete, leftOut }: TurnLines): RunEvent[] {
  return [
    ...(incomplete === 0 ? [] : [warning(say('userrl.gaps', { count: incomplete }))]),
    ...(leftOut === 0 ? [] : [warning(say('userrl.crowded', { limit: MOST_WAITING, count: leftOut }))]),
  ]
}

/** Scores and texts alone: their mean is logged by the trainer, and one over those that were just over would be another. */
function eventsOf(state: TurnLines, conversations: readonly Conversation[]): RunEvent[] {
  const events: RunEvent[] = []
  for (const together of groupBy(conversations, ({ step, environment }) => `${step} ${environment}`).values()) {
    const [first] = together
    if (first === undefined) continue
    const { step, environment } = first
    const at = { step: step ?? 0, condition: { dataset: environment } }
    const whole = together.filter(({ turns }) => turns.every(({ number }, i) => number === i + 1))
    state.incomplete += together.length - whole.length
    const ids = whole.map(({ id }) => id)
    const figures = whole.map(figuresOf)
    if (whole.length > 0) {
      for (const name of ['score', 'turns', 'wasted'] as const) {
        const scores = figures.map(each => each[name])
        events.push({ type: 'samples', samples: { metric: `${TABLE}/${name}`, ...at, ids, scores } })
      }
    }
    const nothing = together.map(() => null)
    const texts = {
      table: TABLE,
      ...at,
      ids: together.map(({ id }) => id),
      repeats: together.map(() => 0),
      inputs: nothing,
      outputs: together.map(textOf),
      expected: nothing,
      choices: nothing,
    }
    events.push({ type: 'texts', texts })
  }
  return events
}

function figuresOf({ turns }: Conversation) {
  const rewards = turns.map(({ reward }) => reward)
  const wasted = rewards.filter(reward => reward === 0).length
  return { score: sumOfRewards(rewards), turns: turns.length, wasted }
}

function textOf({ turns, done }: Conversation): string {
  const kept = turns.map(({ said, heard, reward }) => ({ said, heard: [heard], reward }))
  return dialogueText(kept, endOf(turns, done)).toWellFormed()
}

/** `done` is true when all was found, and at the limit; the lines do not tell which. */
function endOf(turns: Conversation['turns'], done: boolean): string | null {
  const last = turns.at(-1)
  return done && last !== undefined && /^\[finish\]/i.test(last.said) ? 'finished' : null
}

const say = sentences({
  'userrl.gaps': {
    en: '{count} {count|dialogue lacks|dialogues lack} turns in the log and {count|has|have} no score; Ray leaves out lines that repeat unless RAY_DEDUP_LOGS=0 is set',
    zh: '日志中有 {count} 段对话缺少轮次，因而没有得分；除非设置 RAY_DEDUP_LOGS=0，Ray 会略去重复的行',
  },
  'userrl.crowded': {
    en: 'more than {limit} dialogues were under way at once; {count} {count|was|were} left out',
    zh: '同时进行的对话超过 {limit} 段，其中 {count} 段已略过',
  },
})
