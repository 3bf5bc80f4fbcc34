import { dialogueScores, dialogueText, type KeptTurn, sumOfRewards } from '../../model/dialogue.js'
import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import { headText } from '../encoding.js'
import { gatherSamples } from '../samples/gather.js'
import type { Source } from '../source.js'
import { warning } from '../source-helpers.js'
import {
  belongingOf,
  type CachedEnvironment,
  type CachedTask,
  type Move,
  placeOf,
  readRewardCache,
} from './eval-files.js'
import { say } from './texts.js'

/**
 * `NAME_reward_cache.json`: every dialogue of an evaluation, kept as `klens gym eval` keeps its own. See
 * docs/sources/userrl.md.
 */
export const userrlRewardCache: Source = {
  id: 'userrl',
  role: 'log',
  grows: false,
  keep: 'all',
  beginsAlike: true,

  recognise: file => BEGINS.test(headText(file) ?? ''),

  describe: async file => [belongingOf(file, 'dialogues')],

  async *read(file) {
    const environments = await readRewardCache(file.path)
    if (environments === null) {
      yield [warning(say('userrl.unreadable', {}))]
      return
    }
    const events: RunEvent[] = []
    const emit = (event: RunEvent): void => void events.push(event)
    const { step } = placeOf(file.path)
    for (const environment of environments) takeEnvironment(environment, step, emit)
    yield [...events, { type: 'status', status: 'finished' }]
  },
}

/** An environment, the hash of an item, and the first of its three lists. */
const BEGINS = /^\s*\{\s*"[^"\\]{1,200}"\s*:\s*\{\s*"[0-9a-f]{64}"\s*:\s*\{\s*"(?:history|reward|data)"\s*:\s*\[/

function takeEnvironment({ name, tasks, strays }: CachedEnvironment, step: number, emit: (event: RunEvent) => void) {
  const gathered = gatherSamples('eval.score', { asSeries: false })
  const idOf = idsAmong(tasks)
  let mute = 0
  for (const task of tasks) {
    for (const [repeat, rewards] of task.reward.entries()) {
      const moves = task.history[repeat] ?? []
      if (moves.length === 0) mute += 1
      const output = dialogueText(moves.map(turnOf), endOf(moves))
      const texts = { input: requestIn(task), output, expected: null, choice: null }
      const scores = dialogueScores('eval.', figuresOf(moves, rewards))
      gathered.take({ step, condition: { dataset: name }, id: idOf(task), repeat, scores, texts }, emit)
    }
  }
  gathered.finish(emit)
  if (strays > 0) emit(warning(say('userrl.strays', { environment: name, count: strays })))
  if (mute > 0) emit(warning(say('userrl.mute', { environment: name, count: mute })))
}

/** The task's own id where items are told apart by it, else the hash by which the file knows them. */
function idsAmong(tasks: CachedEnvironment['tasks']): (task: CachedEnvironment['tasks'][number]) => string {
  const golds = tasks.map(({ data }) => data[0].gold)
  const areIds =
    new Set(golds).size === golds.length &&
    golds.every(gold => typeof gold === 'string' && gold !== '' && gold.length <= 200)
  return ({ hash, data }) => (areIds ? String(data[0].gold) : hash.slice(0, 16))
}

/** UserRL counts the sum of rewards, also of a dialogue that broke off. */
function figuresOf(moves: readonly Move[], rewards: readonly number[]) {
  const coverage = coverageTold(moves)
  return {
    score: sumOfRewards(rewards),
    turns: moves.length,
    wasted: moves.filter(({ reward }) => reward === 0).length,
    ...(coverage !== null && { coverage }),
  }
}

const ENDED = /^Session ended\. You covered (\d{1,4})\/(\d{1,4}) missing details/

function coverageTold(moves: readonly Move[]): number | null {
  const told = ENDED.exec(textOf(moves.at(-1)?.feedback ?? null))
  return told === null || Number(told[2]) === 0 ? null : Number(told[1]) / Number(told[2])
}

/** Only that the policy ended it can be seen: a solved dialogue, a limit and an outage look alike in the file. */
function endOf(moves: readonly Move[]): string | null {
  const last = moves.at(-1)
  return last !== undefined && (last.choice === 'finish' || ENDED.test(textOf(last.feedback))) ? 'finished' : null
}

function turnOf({ choice, content, feedback, reward }: Move): KeptTurn {
  const said = textOf(content)
  return {
    said: choice === '' || said.startsWith('[') ? said : `[${choice}] ${said}`,
    heard: [textOf(feedback)],
    reward,
  }
}

/** What the user asked for: the last message before the policy speaks. */
function requestIn({ data: [{ messages }] }: CachedTask): string | null {
  const spoken = messages.findIndex(({ role }) => role === 'assistant')
  const before = spoken < 0 ? messages : messages.slice(0, spoken)
  const request = before.findLast(({ role }) => role === 'user')
  return request === undefined ? null : textOf(request.content).toWellFormed()
}

function textOf(value: Json): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed()
}
