import { createHash } from 'node:crypto'
import { isJsonObject } from '../../../model/json.js'
import type { Message } from '../../../model/run.js'
import { parseLooseJson } from '../../../sources/loose-json.js'
import { message } from '../../../text/say.js'
import { checkWidths, readEmbeddings, readTaskFile } from '../embedding-file.js'
import type { Embeddings } from '../embeddings.js'
import type { Group, GroupMember } from '../groups.js'
import { type Choice, missing, type Outcome, type Query, type Task } from '../task.js'
import { TaskError } from '../task-error.js'
import { loggedBaselines } from './logged-baselines.js'
import { type LeverChoice, type LeverRecord, type Place, type RecordOptions, readRecord } from './records.js'

/**
 * The files that Lever-Plus trains on: groups of choices that a vision-language model has scored, and embeddings whose
 * rows are the ids in those groups. Nothing new can be scored, so `score` looks up, and a choice that was never logged
 * is missing. The split is the original's: ids in ascending order, the first 80 % train, the rest validate.
 */
export interface LeverOptions {
  readonly data: string
  readonly queryEmbeddings: string
  /** The same file as for queries when both come from one data set. */
  readonly candidateEmbeddings: string
  readonly fallback?: RecordOptions['fallback']
}

const TRAIN_SHARE = 0.8

export async function leverTask(options: LeverOptions): Promise<Task> {
  const { data: file, queryEmbeddings: queryFile, candidateEmbeddings: candidateFile, fallback = 'drop' } = options
  const bytes = await readTaskFile(file)
  const queriesFile = await readEmbeddings(queryFile)
  const candidatesFile = candidateFile === queryFile ? queriesFile : await readEmbeddings(candidateFile)
  checkWidths(queriesFile.embeddings, queryFile, candidatesFile.embeddings, candidateFile)

  const records = readRecords(file, bytes.toString('utf8'), { fallback })
  checkGroups(file, records)
  const usable = records.filter(record => record.choices.filter(isScored).length >= 2)
  if (usable.length === 0) throw new TaskError(message('lever.not-groups', { file }))
  const pooled = withPools(file, usable)
  checkRows(file, pooled, queryFile, queriesFile.embeddings, candidateFile, candidatesFile.embeddings)

  const trained = Math.floor(pooled.length * TRAIN_SHARE)
  const queries = pooled.map(
    ({ id, pool }, index): Query => ({
      index,
      id: String(id),
      split: index < trained ? 'train' : 'val',
      row: id,
      pool: Int32Array.from(pool),
    }),
  )
  const logged = pooled.map(({ pool, choices }, query): Group => ({ query, members: membersOf(pool, choices) }))
  const outcomes = logged.map(
    ({ members }) => new Map(members.map((member): [string, Outcome] => [member.choice.join(' '), member.outcome])),
  )
  const lookUp = (query: Query, choice: Choice): Outcome =>
    outcomes[query.index].get(choice.join(' ')) ?? missing(message('lever.not-logged', {}))
  const hash = createHash('sha256').update(bytes)
  hash.update(queriesFile.hash).update(candidatesFile.hash).update(fallback)
  return {
    name: 'lever',
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

interface PooledRecord extends LeverRecord {
  readonly pool: readonly number[]
}

const isScored = ({ outcome }: LeverChoice) => outcome.kind === 'scored'

/** Keys that begin with an underscore (`_meta`) describe the file. In ascending order of id, as the original splits them. */
function readRecords(file: string, text: string, options: RecordOptions): readonly LeverRecord[] {
  const content = parseLooseJson(text)
  if (!isJsonObject(content)) throw new TaskError(message('lever.not-groups', { file }))
  return Object.entries(content)
    .filter(([key]) => !key.startsWith('_'))
    .map(([record, value]) => readRecord({ file, record }, value, options))
    .sort((a, b) => a.id - b.id)
}

function checkGroups(file: string, records: readonly LeverRecord[]): void {
  const shots = records.find(record => record.choices.length > 0)?.choices[0].examples.length ?? 0
  for (const { id, choices, fixFailed } of records) {
    if (fixFailed) continue
    const place: Place = { file, record: String(id) }
    if (choices.length < 2) throw new TaskError(message('lever.group-of-one', { ...place, size: choices.length }))
    for (const [position, { examples }] of choices.entries()) {
      if (examples.length !== shots || shots === 0) {
        throw new TaskError(message('lever.shots-differ', { ...place, position, found: examples.length, shots }))
      }
      const repeated = examples.find((example, i) => examples.indexOf(example) !== i)
      if (repeated === undefined) continue
      throw new TaskError(message('lever.pointer-repeats', { ...place, position, id: String(repeated) }))
    }
  }
}

/** A file without pools of its own: every query chooses among all examples that any query ever picked. */
function withPools(file: string, records: readonly LeverRecord[]): readonly PooledRecord[] {
  const picked = new Set(records.flatMap(({ choices }) => choices.flatMap(({ examples }) => examples)))
  const shared = [...picked].sort((a, b) => a - b)
  return records.map(record => {
    const pool = record.pool ?? shared
    const place: Place = { file, record: String(record.id) }
    const known = new Set(pool)
    for (const [position, { examples }] of record.choices.entries()) {
      const outside = examples.find(example => !known.has(example))
      if (outside === undefined) continue
      throw new TaskError(
        message('lever.pointer-outside', { ...place, position, pointer: String(outside), size: pool.length }),
      )
    }
    return { ...record, pool }
  })
}

function checkRows(
  file: string,
  records: readonly PooledRecord[],
  queryFile: string,
  queries: Embeddings,
  candidateFile: string,
  candidates: Embeddings,
): void {
  for (const { id, pool } of records) {
    const refuse = (item: number, embeddings: string, rows: number) =>
      new TaskError(message('lever.row-outside', { file, record: String(id), id: String(item), embeddings, rows }))
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

function remarksOn(
  file: string,
  records: readonly LeverRecord[],
  used: readonly PooledRecord[],
  oneDataSet: boolean,
): readonly Message[] {
  const failed = records.filter(record => record.fixFailed)
  const thin = records.filter(record => !record.fixFailed && record.choices.filter(isScored).length < 2)
  const own = oneDataSet ? used.filter(({ id, pool }) => pool.includes(id)) : []
  const choices = used.flatMap(record => record.choices)
  const unscored = choices.length - choices.filter(isScored).length
  const about = (of: readonly LeverRecord[]) => ({ file, count: of.length, record: String(of[0].id) })
  return [
    ...(failed.length > 0 ? [message('lever.fix-failed', about(failed))] : []),
    ...(thin.length > 0 ? [message('lever.too-few-scored', about(thin))] : []),
    ...(unscored > 0 ? [message('lever.missing-scores', { file, count: unscored, total: choices.length })] : []),
    ...(own.length > 0 ? [message('lever.self-in-pool', about(own))] : []),
  ]
}
