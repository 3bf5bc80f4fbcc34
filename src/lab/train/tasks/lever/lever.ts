import { createHash } from 'node:crypto'
import { Problem } from '../../../../logs/model/problem.js'
import type { Message } from '../../../../logs/model/run.js'
import { message } from '../../../../text/say.js'
import { loggedBaselines } from '../baselines.js'
import { checkWidths, type Embeddings, readEmbeddings } from '../embeddings.js'
import {
  type Choice,
  checkSplits,
  type Group,
  type GroupMember,
  missing,
  type Outcome,
  type Query,
  readTaskFile,
  type SplitOptions,
  splitsOf,
  type Task,
} from '../task.js'
import {
  checkRecords,
  type LeverChoice,
  type LeverRecord,
  type PooledRecord,
  type RecordOptions,
  readRecords,
} from './records.js'

/**
 * The files that Lever-Plus trains on: groups of choices that a vision-language model has scored, and embeddings whose
 * rows are the ids in those groups. Nothing new can be scored, so `score` looks up, and a choice that was never logged
 * is missing. Validation is a second file, or a part of the first; by default the original's: ids in ascending order,
 * the first 80 % train, the rest validate.
 */
export interface LeverOptions {
  readonly data: string
  readonly validation?: string | null
  readonly queryEmbeddings: string
  /** The same file as for queries when both come from one data set. */
  readonly candidateEmbeddings: string
  readonly fallback?: RecordOptions['fallback']
  /** Only choices that were proposed so; all where it is empty. */
  readonly methods?: readonly string[]
  /** The most candidates that a query of an older file, whose choices are its pool, may have. */
  readonly poolSize?: number
  readonly split?: Partial<SplitOptions>
}

const VALIDATION_SHARE = 0.2

export async function leverTask(options: LeverOptions): Promise<Task> {
  const { data: file, validation = null, queryEmbeddings: queryFile, candidateEmbeddings: candidateFile } = options
  const { fallback = 'drop', methods = [], poolSize = 64 } = options
  const bytes = await readTaskFile(file)
  const validationBytes = validation === null ? Buffer.alloc(0) : await readTaskFile(validation)
  const queriesFile = await readEmbeddings(queryFile)
  const candidatesFile = candidateFile === queryFile ? queriesFile : await readEmbeddings(candidateFile)
  checkWidths(queriesFile.embeddings, queryFile, candidatesFile.embeddings, candidateFile)

  const own = readRecords(file, bytes, { fallback })
  const held = validation === null ? [] : readRecords(validation, validationBytes, { fallback })
  const all = [...own, ...held]
  checkRecords(all)
  const records = methods.length === 0 ? all : all.map(record => proposedBy(record, methods))
  const usable = records.filter(isUsable)
  if (usable.length === 0) throw new Problem('not-enough', message('lever.nothing-scored', { file }))
  const pooled = withPools(usable, poolSize)
  checkRows(pooled, queryFile, queriesFile.embeddings, candidateFile, candidatesFile.embeddings)

  const split: SplitOptions = {
    validationShare: validation === null ? VALIDATION_SHARE : 0,
    testShare: 0,
    order: 'ordered',
    draw: 0,
    ...options.split,
  }
  const splits = splitsOf(records.slice(0, own.length).filter(isUsable).length, split)
  const queries = pooled.map(
    ({ id, pool }, index): Query => ({
      index,
      id: String(id),
      split: splits[index] ?? 'val',
      row: id,
      pool: Int32Array.from(pool),
    }),
  )
  checkSplits(file, queries)
  const logged = pooled.map(({ pool, choices }, query): Group => ({ query, members: membersOf(pool, choices) }))
  const outcomes = logged.map(
    ({ members }) => new Map(members.map((member): [string, Outcome] => [member.choice.join(' '), member.outcome])),
  )
  const lookUp = (query: Query, choice: Choice): Outcome =>
    outcomes[query.index].get(choice.join(' ')) ?? missing(message('lever.not-logged', {}))
  const hash = createHash('sha256').update(bytes).update(validationBytes)
  hash
    .update(queriesFile.hash)
    .update(candidatesFile.hash)
    .update(JSON.stringify({ fallback, split, methods, poolSize }))
  return {
    name: 'lever',
    headline: 'soft',
    dataHash: hash.digest('hex'),
    queryEmbeddings: queriesFile.embeddings,
    candidateEmbeddings: candidatesFile.embeddings,
    queries,
    logged,
    remarks: remarksOn(file, records, pooled, queryFile === candidateFile),
    score: async (query, choices) => choices.map(choice => lookUp(query, choice)),
    baselines: async wanted => loggedBaselines(queries, logged, wanted),
  }
}

/** Two scores are the least that can be compared. */
function isUsable({ choices }: LeverRecord): boolean {
  return choices.filter(({ outcome }) => outcome.kind === 'scored').length >= 2
}

function proposedBy(record: LeverRecord, methods: readonly string[]): LeverRecord {
  return { ...record, choices: record.choices.filter(({ method }) => methods.includes(method)) }
}

/** Choices that a pool cut to its limit does not hold are left out with what it lost, as in the original. */
function withPools(records: readonly LeverRecord[], limit: number): readonly PooledRecord[] {
  const shared = examplesOf(records.filter(({ pool }) => pool === 'shared'))
  return records.map(record => {
    if (record.pool === 'own') {
      const pool = examplesOf([record]).slice(0, limit)
      return {
        ...record,
        pool,
        choices: record.choices.filter(({ examples }) => examples.every(id => pool.includes(id))),
      }
    }
    const pool = record.pool === 'shared' ? shared : record.pool
    const known = new Set(pool)
    for (const [position, { examples }] of record.choices.entries()) {
      const outside = examples.find(example => !known.has(example))
      if (outside === undefined) continue
      const pointer = String(outside)
      throw new Problem(
        'unreadable',
        message('lever.pointer-outside', { ...record.place, position, pointer, size: pool.length }),
      )
    }
    return { ...record, pool }
  })
}

function examplesOf(records: readonly LeverRecord[]): readonly number[] {
  const picked = new Set(records.flatMap(({ choices }) => choices.flatMap(({ examples }) => examples)))
  return [...picked].sort((a, b) => a - b)
}

function checkRows(
  records: readonly PooledRecord[],
  queryFile: string,
  queries: Embeddings,
  candidateFile: string,
  candidates: Embeddings,
): void {
  for (const { id, place, pool } of records) {
    const refuse = (item: number, embeddings: string, rows: number) =>
      new Problem('unreadable', message('lever.row-outside', { ...place, id: String(item), embeddings, rows }))
    if (id >= queries.rows) throw refuse(id, queryFile, queries.rows)
    const outside = pool.find(item => item >= candidates.rows)
    if (outside !== undefined) throw refuse(outside, candidateFile, candidates.rows)
  }
}

function membersOf(pool: readonly number[], choices: readonly LeverChoice[]): readonly GroupMember[] {
  const positions = new Map(pool.map((id, position) => [id, position]))
  return choices.map(({ examples, ...rest }) => ({
    ...rest,
    choice: examples.map(id => positions.get(id) ?? -1),
  }))
}

/** What was left out of the data, or teaches nothing, each with the first record that it is true of. */
function remarksOn(
  file: string,
  records: readonly LeverRecord[],
  used: readonly PooledRecord[],
  oneDataSet: boolean,
): readonly Message[] {
  const failed = records.filter(record => record.fixFailed)
  const thin = records.filter(record => !record.fixFailed && record.choices.filter(isScored).length < 2)
  const tied = used.filter(isTied)
  const own = oneDataSet ? used.filter(({ id, pool }) => pool.includes(id)) : []
  const choices = used.flatMap(record => record.choices)
  const unscored = choices.length - choices.filter(isScored).length
  const about = (of: readonly LeverRecord[]) => ({ file: of[0].place.file, count: of.length, record: String(of[0].id) })
  return [
    ...(failed.length > 0 ? [message('lever.fix-failed', about(failed))] : []),
    ...(thin.length > 0 ? [message('lever.too-few-scored', about(thin))] : []),
    ...(unscored > 0 ? [message('lever.missing-scores', { file, count: unscored, total: choices.length })] : []),
    ...(tied.length > 0 ? [message('lever.all-equal', { ...about(tied), total: used.length })] : []),
    ...(own.length > 0 ? [message('lever.self-in-pool', about(own))] : []),
  ]
}

const isScored = ({ outcome }: LeverChoice) => outcome.kind === 'scored'

/** All scores equal, hard and soft: in every reward mode such a group says nothing. */
function isTied({ choices }: LeverRecord): boolean {
  const scores = choices.flatMap(({ outcome }) =>
    outcome.kind === 'scored' ? [`${outcome.hard} ${outcome.soft}`] : [],
  )
  return new Set(scores).size === 1
}
