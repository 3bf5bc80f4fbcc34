import { constants } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { seededRandom, shuffled } from '../../../stats/random.js'
import { message } from '../../../text/say.js'
import type { AnswerLogProbability, LogprobApi } from '../../endpoint/prompt-logprobs.js'
import type { Embeddings } from './embeddings.js'

/**
 * What a selector can be trained on: queries, for each a pool of K candidates, and a scorer of any choice of
 * S of them. The policy sees embeddings only; the scorer sees the real thing. A score that could not be had is
 * missing, with its reason; it is never 0, because 0 is what a wrong answer earns.
 */
export interface Task {
  readonly name: string
  /** Which outcome its score is: right or wrong, or how right. The other is reported beside it. */
  readonly headline: 'hard' | 'soft'
  /** SHA-256 over all that decides a reward: data, embeddings and settings. */
  readonly dataHash: string
  readonly queryEmbeddings: Embeddings
  readonly candidateEmbeddings: Embeddings
  /** `queries[i].index === i`. */
  readonly queries: readonly Query[]
  /** Groups that were scored before klens came; empty for tasks that score on demand only. */
  readonly logged: readonly Group[]
  /** What was left out of the data, and why. */
  readonly remarks: readonly Message[]
  /** One outcome for each choice, in their order. All choices of one query together, so that a task may run them side by side. */
  score(query: Query, choices: readonly Choice[]): Promise<readonly Outcome[]>
  baselines(options: BaselineOptions): Promise<readonly Baseline[]>
  /** Where a language model answers: how likely it finds the right answer, asked by one of two APIs. */
  likelihoodOfAnswer?(api: LogprobApi): ChoiceLikelihood
}

/** The log-probability of a query's right answer after a choice of examples, or none of them. */
export type ChoiceLikelihood = (query: Query, choice: Choice) => ReturnType<AnswerLogProbability>

/**
 * Several choices for one query, each with its outcome: what RCE and GRPO learn from. Offline, choices come from
 * beams, temperature samples, retrieval and chance, as in Lever-Plus; online, from the policy that is being trained.
 */
export interface Group {
  /** Index into the task's queries. */
  readonly query: number
  readonly members: readonly GroupMember[]
}

export interface GroupMember {
  readonly choice: Choice
  readonly outcome: Outcome
  /** Who proposed it: beam, sample, retrieval, random, policy, or what a log says. */
  readonly method: string
  /** Log-probability under the proposer at temperature 1 (a `sample`: at its own temperature), where known. */
  readonly logProbability: number | null
}

/**
 * What a selector has to beat, and what it can at most reach: chance, the most similar candidates, the best choice.
 * Averages run over the choices that were scored; missing ones are counted beside them, not averaged in.
 */
export interface Baseline {
  readonly name: 'zero-shot' | 'random' | 'nearest' | 'best' | 'logged'
  readonly shots: number
  readonly split: Split
  /** NaN where the data holds no hard judgement, or nothing was scored. */
  readonly hard: number
  readonly soft: number
  readonly scored: number
  readonly missing: number
}

export interface BaselineOptions {
  readonly shots: number
  readonly split: Split
  readonly seed: number
  /** Random choices for each query. */
  readonly draws?: number
  /** How many queries at most. */
  readonly samples?: number | null
}

export type Split = 'train' | 'val' | 'test'

export interface Query {
  readonly index: number
  /** As the data names it. */
  readonly id: string
  readonly split: Split
  /** Its row in `queryEmbeddings`. */
  readonly row: number
  /** Rows in `candidateEmbeddings`, K of them, all different. */
  readonly pool: Int32Array
}

/** Positions in the query's pool (not rows), all different, in the order of picking. */
export type Choice = readonly number[]

export type Outcome =
  | {
      readonly kind: 'scored'
      /** 1 for a right answer, 0 for a wrong one; null where the data holds no such judgement. */
      readonly hard: number | null
      /** How right, usually in [0, 1]: a probability, or the share of annotators who agree. */
      readonly soft: number
      /** What a log may say besides: the probability of the right answer, relevance, the proposer's score. */
      readonly probability?: number | null
      readonly relevance?: number | null
      readonly beamScore?: number | null
    }
  | { readonly kind: 'missing'; readonly reason: Message }

/** The score of an outcome as the task counts it; a judgement that the data does not hold is replaced by its degree. */
export function scoreOf(
  { headline }: Task,
  { hard, soft }: { readonly hard: number | null; readonly soft: number },
): number {
  return headline === 'hard' ? (hard ?? soft) : soft
}

export function missing(reason: Message): Outcome {
  return { kind: 'missing', reason }
}

export function queriesOf(task: Task, split: Split): readonly Query[] {
  return task.queries.filter(query => query.split === split)
}

/** What the data has logged, by the index of its query. */
export function loggedByQuery({ logged }: Task): ReadonlyMap<number, Group> {
  return new Map(logged.map(group => [group.query, group]))
}

/** Whether a task can be trained on at so many shots: its pools are large enough, and what is logged has that many. */
export function checkShots(task: Task, shots: number): void {
  checkPools(task, shots)
  const sizes = new Set(task.logged.flatMap(({ members }) => members.map(({ choice }) => choice.length)))
  if (sizes.size === 0 || sizes.has(shots)) return
  throw new Problem(
    'bad-request',
    message('task.other-shots', { task: task.name, logged: [...sizes].join(', '), shots }),
  )
}

/** A choice is made without replacement, so a pool smaller than the number of shots has none. */
export function checkPools(task: Task, shots: number): void {
  const short = task.queries.find(query => query.pool.length < shots)
  if (short === undefined) return
  throw new Problem(
    'unreadable',
    message('task.pool-too-small', { task: task.name, record: short.id, size: short.pool.length, shots }),
  )
}

/** Files of a task, read whole; one that is not there or too large is an error by its name. */
export async function readTaskFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new Problem('unreadable', message('task.file-unreadable', { file, detail }))
  }
}

export function textOf(file: string, bytes: Buffer): string {
  if (bytes.length <= constants.MAX_STRING_LENGTH) return bytes.toString('utf8')
  const most = Math.floor(constants.MAX_STRING_LENGTH / 2 ** 20)
  throw new Problem(
    'unreadable',
    message('task.file-too-large', { file, megabytes: Math.ceil(bytes.length / 2 ** 20), most }),
  )
}

/** How queries that do not say themselves where they belong are divided. */
export interface SplitOptions {
  readonly validationShare: number
  readonly testShare: number
  /** In the order of the data, as the original does it, or by lot. */
  readonly order: 'ordered' | 'random'
  readonly draw: number
}

/** Sums of decimal shares fall short of whole numbers by rounding. */
const ROUNDING = 1e-9

export function splitsOf(count: number, { validationShare, testShare, order, draw }: SplitOptions): readonly Split[] {
  const trained = Math.floor(count * (1 - validationShare - testShare) + ROUNDING)
  const untested = Math.floor(count * (1 - testShare) + ROUNDING)
  const splits = Array.from({ length: count }, (_, place): Split => {
    if (place < trained) return 'train'
    return place < untested ? 'val' : 'test'
  })
  return order === 'ordered' ? splits : shuffled(splits, seededRandom(draw))
}

/** Something must be left to train on. Without validation a training is blind, but can be wanted. */
export function checkSplits(file: string, queries: readonly Query[]): void {
  if (queries.some(({ split }) => split === 'train')) return
  throw new Problem('not-enough', message('task.nothing-to-train', { file, count: queries.length }))
}
