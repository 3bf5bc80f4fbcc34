import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { mean } from '../../../stats/descriptive.js'
import { figure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { dialogueScores, dialogueText, type KeptTurn, sumOfRewards } from '../../model/dialogue.js'
import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import { headText } from '../encoding.js'
import { parsePythonJson } from '../python-json.js'
import { gatherSamples } from '../samples/gather.js'
import type { Belonging, Source, SourceFile } from '../source.js'
import { warning } from '../source-helpers.js'

/**
 * What UserRL's `eval.py` leaves behind for each `--save_name`: `NAME_results.json`, averages per environment and number of
 * rollouts, and `NAME_reward_cache.json`, every dialogue. The two are one run, named after the policy. Where the name ends
 * with a step (`qwen3-kl-global_step_45`), all steps of that name are one run and can be compared as checkpoints.
 */

const RESULTS = '_results.json'
const CACHE = '_reward_cache.json'

/** Some 20,000 dialogues; parsing takes several times as much. */
const LARGEST = 256 << 20

const NAME = /^(.*?)(?:[-_](?:global[-_]?)?(?:step|checkpoint|ckpt)[-_]?(\d{1,12}))?$/i

interface Place {
  readonly policy: string
  readonly step: number
}

function placeOf(path: string): Place {
  const stem = basename(path).replace(/_(?:results|reward_cache)\.json$/i, '')
  const [, policy, step] = NAME.exec(stem) ?? []
  return policy === undefined || policy === '' || step === undefined
    ? { policy: stem, step: 0 }
    : { policy, step: Number(step) }
}

/** At a step the dialogues stand before their averages, so that a run is known again by the same file. */
function belongingOf({ path }: SourceFile, kind: 'dialogues' | 'averages'): Belonging {
  const { policy, step } = placeOf(path)
  const folder = dirname(path)
  const order = step + (kind === 'averages' ? 0.5 : 0)
  return { run: `userrl:${join(folder, policy)}`, name: policy, folder, order, firstRecord: '' }
}

const moveSchema = z.looseObject({
  choice: z.string().default(''),
  content: z.json().default(''),
  feedback: z.json().default(null),
  reward: z.number().nullable().default(null),
})

const itemSchema = z.looseObject({
  gold: z.json().default(null),
  messages: z.array(z.looseObject({ role: z.string(), content: z.json().default('') })).default([]),
})

/** `history`, `reward` and `data` hold one entry for each rollout. */
const taskSchema = z.looseObject({
  history: z.array(z.array(moveSchema)),
  reward: z.array(z.array(z.number())),
  data: z.tuple([itemSchema], itemSchema),
})

const cacheSchema = z.record(z.string(), z.record(z.string(), z.unknown()))

type Move = z.infer<typeof moveSchema>
type CachedTask = z.infer<typeof taskSchema>

interface CachedEnvironment {
  readonly name: string
  readonly tasks: readonly (CachedTask & { readonly hash: string })[]
  /** Entries that are no task. With several `--pass_k`, `eval.py` goes on with the names of an item's fields. */
  readonly strays: number
}

/** Null where the file cannot be read. */
async function readRewardCache(path: string): Promise<readonly CachedEnvironment[] | null> {
  const parsed = cacheSchema.safeParse(await readJson(path))
  if (!parsed.success) return null
  return Object.entries(parsed.data).map(([name, entries]) => {
    const tasks = Object.entries(entries).flatMap(([hash, entry]) => {
      const task = taskSchema.safeParse(entry)
      return task.success ? [{ hash, ...task.data }] : []
    })
    return { name, tasks, strays: Object.keys(entries).length - tasks.length }
  })
}

const averageSchema = z.object({ micro_avg: z.number(), micro_max: z.number() })
const resultsSchema = z.record(z.string(), z.record(z.string().regex(/^\d{1,6}$/), averageSchema))

async function readJson(path: string): Promise<unknown> {
  const bytes = await readFile(path).catch(() => null)
  return bytes === null || bytes.length > LARGEST ? undefined : parsePythonJson(bytes.toString('utf8'))
}

function unreadable(): RunEvent {
  return warning(say('userrl.unreadable', {}))
}

/**
 * `NAME_results.json`: {environment: {k: {micro_avg, micro_max}}}. With the reward cache beside it the dialogues speak, and
 * averages that do not follow from them are named and left out; without it the averages are all there is.
 */
export const userrlResults: Source = {
  id: 'userrl',
  role: 'log',
  grows: false,
  keep: 'all',
  beginsAlike: true,

  recognise(file) {
    if (file.size > file.head.length || !file.path.toLowerCase().endsWith(RESULTS)) return false
    const parsed = resultsSchema.safeParse(parsePythonJson(headText(file) ?? ''))
    return parsed.success && Object.values(parsed.data).some(passes => Object.keys(passes).length > 0)
  },

  describe: async file => [belongingOf(file, 'averages')],

  async *read(file) {
    const results = resultsSchema.safeParse(await readJson(file.path))
    if (!results.success) {
      yield [unreadable()]
      return
    }
    const dialogues = await scoresInCache(file.path)
    const { step } = placeOf(file.path)
    const events: RunEvent[] = []
    for (const [dataset, passes] of Object.entries(results.data)) {
      for (const [count, { micro_avg: average, micro_max: best }] of Object.entries(passes)) {
        const counted = dialogues?.get(dataset)
        if (counted !== undefined) events.push(...disagreement(dataset, Number(count), average, counted))
        else
          events.push(averaged(dataset, step, `mean@${count}`, average), averaged(dataset, step, `best@${count}`, best))
      }
    }
    yield [...events, { type: 'status', status: 'finished' }]
  },
}

function averaged(dataset: string, step: number, aggregate: string, value: number): RunEvent {
  const condition = { dataset, aggregate }
  return {
    type: 'evaluation',
    evaluation: { metric: 'eval.score', step, condition, value, n: null, quality: 'measured' },
  }
}

/** Of each environment the sums of rewards, by task and rollout; null without a cache. */
async function scoresInCache(path: string): Promise<ReadonlyMap<string, readonly (readonly number[])[]> | null> {
  const environments = await readRewardCache(path.slice(0, -RESULTS.length) + CACHE)
  if (environments === null) return null
  const sum = (rewards: readonly number[]): number => rewards.reduce((total, reward) => total + reward, 0)
  return new Map(environments.map(({ name, tasks }) => [name, tasks.map(({ reward }) => reward.map(sum))]))
}

/** Sums of a few rewards in another order. */
const ROUNDING = 1e-9

function disagreement(
  environment: string,
  count: number,
  average: number,
  scores: readonly (readonly number[])[],
): RunEvent[] {
  const counted = mean(scores.map(ofTask => mean(ofTask.slice(0, count))))
  if (Math.abs(counted - average) <= ROUNDING) return []
  const params = { environment, count, average: figure(average, 4), counted: figure(counted, 4) }
  return [warning(say('userrl.disagrees', params))]
}

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
      yield [unreadable()]
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

const say = sentences({
  'userrl.unreadable': {
    en: 'the file is not complete JSON of UserRL’s evaluation, or larger than 256 MiB; nothing was read',
    zh: '文件不是完整的 UserRL 评测 JSON，或超过 256 MiB，未读取任何内容',
  },
  'userrl.disagrees': {
    en: '{environment}: the results give {average} on average of {count}, the dialogues {counted}; the dialogues are used',
    zh: '{environment}：results 文件给出 {count} 次的平均值为 {average}，而对话本身得出 {counted}；以对话为准',
  },
  'userrl.strays': {
    en: '{environment}: {count} {count|entry is not a task|entries are not tasks} (eval.py adds such with several --pass_k); left out, though its own averages count {count|it|them} as 0',
    zh: '{environment}：有 {count} 个条目不是任务（eval.py 在给出多个 --pass_k 时会写入），已略过；而它自己的平均值把这些条目按 0 计入',
  },
  'userrl.mute': {
    en: '{environment}: {count} {count|dialogue has|dialogues have} no turn; the file does not say whether the policy asked nothing or its server failed, and UserRL counts 0 for both',
    zh: '{environment}：有 {count} 段对话没有任何轮次；文件无法说明是策略没有提问还是服务出错，UserRL 一律按 0 计',
  },
})
