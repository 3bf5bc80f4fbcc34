import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../../../logs/model/json.js'
import { Problem } from '../../../../logs/model/problem.js'
import { parsePythonJson } from '../../../../logs/sources/python-json.js'
import { message } from '../../../../text/say.js'
import { type GroupMember, missing, type Outcome, type Query, textOf } from '../task.js'

/**
 * One query's record of Lever-Plus, in all its versions, as ids and outcomes:
 *   v3       `candidate_pool_ids`, and choices with local `pointer` plus `pointer_global`
 *   older    choices whose `pointer` (or `pointer_pos`) holds global ids; the query's own choices are its pool, whatever
 *            `candidate_pool_ids` says, as in the original
 *   beams    `id_list` of [example…, query id] with `score_list`; a score, but no judgement right or wrong; one pool for all,
 *            unless `candidate_pool_ids` says (klens's own)
 * The presence of `pointer_global` decides whether `pointer` is local.
 */
export interface LeverRecord {
  readonly place: Place
  readonly id: number
  /** Ids; or the examples of the record's own choices, or those that the whole file ever picks. */
  readonly pool: readonly number[] | 'own' | 'shared'
  readonly choices: readonly LeverChoice[]
  readonly fixFailed: boolean
}

export interface PooledRecord extends LeverRecord {
  readonly pool: readonly number[]
}

export interface LeverChoice {
  /** Global ids, in order. */
  readonly examples: readonly number[]
  readonly method: string
  readonly logProbability: number | null
  readonly outcome: Outcome
}

/** What the original's further reward modes rest on; null where the record does not say. */
function partsOf(place: Place, position: number, value: JsonObject) {
  return {
    probability: score(place, position, 'vqa_gt_prob', value.vqa_gt_prob),
    relevance: score(place, position, 'vqa_rel_score', value.vqa_rel_score),
    beamScore: score(place, position, 'beam_score', value.beam_score),
  }
}

export interface RecordOptions {
  /** Scores of the original's fallback metric; dropped by default, there as here. */
  readonly fallback: 'drop' | 'keep'
}

/** Where in which file: every error names it. */
interface Place {
  readonly file: string
  readonly record: string
}

function readRecord(place: Place, value: Json, options: RecordOptions): LeverRecord {
  if (!/^\d+$/.test(place.record)) throw badField(place, 'query id', place.record)
  if (!isJsonObject(value)) throw badField(place, 'record', value)
  const id = Number(place.record)
  const listed =
    value.candidate_pool_ids === undefined ? null : ids(place, 'candidate_pool_ids', value.candidate_pool_ids)
  if (listed !== null) checkPool(place, listed)
  if (value.id_list !== undefined) return readBeams(place, id, value, listed)
  const fixFailed = value._fix_failed === true
  if (fixFailed) return { place, id, pool: 'own', choices: [], fixFailed }
  if (!Array.isArray(value.pointer_candidates)) throw badField(place, 'pointer_candidates', value.pointer_candidates)
  const choices = value.pointer_candidates.map((choice, i) => readChoice(place, i, choice, listed, options))
  const isLocal = value.pointer_candidates.some(choice => isJsonObject(choice) && choice.pointer_global !== undefined)
  return { place, id, pool: isLocal && listed !== null ? listed : 'own', choices, fixFailed }
}

function readChoice(
  place: Place,
  position: number,
  value: Json,
  pool: readonly number[] | null,
  options: RecordOptions,
): LeverChoice {
  if (!isJsonObject(value)) throw badField(place, `pointer_candidates[${position}]`, value)
  const field = value.pointer_global === undefined && value.pointer_pos !== undefined ? 'pointer_pos' : 'pointer'
  const pointer = ids(place, `pointer_candidates[${position}].${field}`, value[field])
  if (pool !== null && pointer.length > pool.length) {
    const sizes = { size: pool.length, shots: pointer.length }
    throw new Problem('unreadable', message('lever.pool-too-small', { ...place, ...sizes }))
  }
  const examples =
    value.pointer_global === undefined
      ? pointer
      : globalIds(place, position, pointer, ids(place, 'pointer_global', value.pointer_global), pool)
  return {
    examples,
    method: typeof value.gen_method === 'string' ? value.gen_method : 'unknown',
    logProbability: numberFromJson(value.logprob_score) ?? null,
    outcome: readOutcome(place, position, value, options),
  }
}

/** The pool at the pointer must be what `pointer_global` says, or one of the two is from another version of the file. */
function globalIds(
  place: Place,
  position: number,
  pointer: readonly number[],
  global: readonly number[],
  pool: readonly number[] | null,
): readonly number[] {
  if (pool === null) throw badField(place, 'candidate_pool_ids', undefined)
  if (pointer.length !== global.length) throw badField(place, 'pointer_global', global)
  for (const [i, local] of pointer.entries()) {
    if (local >= pool.length) {
      throw new Problem(
        'unreadable',
        message('lever.pointer-outside', { ...place, position, pointer: String(local), size: pool.length }),
      )
    }
    if (pool[local] === global[i]) continue
    throw new Problem(
      'unreadable',
      message('lever.pointer-contradicts', {
        ...place,
        position,
        pointer: String(local),
        inPool: String(pool[local]),
        global: String(global[i]),
      }),
    )
  }
  return global
}

function readOutcome(place: Place, position: number, value: JsonObject, options: RecordOptions): Outcome {
  const mode = value.vqa_eval_mode
  if (value.eval_failed === true || mode === 'error') return missing(message('lever.scoring-failed', {}))
  if (mode === 'fallback' && options.fallback === 'drop') return missing(message('lever.fallback-score', {}))
  const hard = score(place, position, 'vqa_correct', value.vqa_correct)
  const soft = score(place, position, 'vqa_acc_score', value.vqa_acc_score)
  if (hard === null || soft === null) return missing(message('lever.no-score', {}))
  return { kind: 'scored', hard, soft, ...partsOf(place, position, value) }
}

function readBeams(place: Place, id: number, value: JsonObject, listed: readonly number[] | null): LeverRecord {
  const { id_list: beams, score_list: scores } = value
  if (!Array.isArray(beams)) throw badField(place, 'id_list', beams)
  if (!Array.isArray(scores)) throw badField(place, 'score_list', scores)
  if (beams.length !== scores.length) {
    throw new Problem(
      'unreadable',
      message('lever.lengths-differ', { ...place, choices: beams.length, rewards: scores.length }),
    )
  }
  const choices = beams.map((beam, position): LeverChoice => {
    const sequence = ids(place, `id_list[${position}]`, beam)
    const query = sequence.at(-1)
    if (query !== id) {
      throw new Problem(
        'unreadable',
        message('lever.beam-of-other-query', { ...place, position, found: String(query) }),
      )
    }
    const soft = score(place, position, 'score_list', scores[position])
    return {
      examples: sequence.slice(0, -1),
      method: 'beam',
      logProbability: null,
      outcome: soft === null ? missing(message('lever.no-score', {})) : { kind: 'scored', hard: null, soft },
    }
  })
  return { place, id, pool: listed ?? 'shared', choices, fixFailed: false }
}

/** Null for a score that is not there; a NaN that is there is an error, because it cannot have been meant. */
function score(place: Place, position: number, field: string, value: Json | undefined): number | null {
  if (value === undefined || value === null) return null
  const number = typeof value === 'boolean' ? Number(value) : numberFromJson(value)
  if (number !== undefined && Number.isFinite(number)) return number
  throw new Problem(
    'unreadable',
    message('lever.reward-not-finite', { ...place, position, field, value: String(value) }),
  )
}

function ids(place: Place, field: string, value: Json | undefined): readonly number[] {
  if (!Array.isArray(value)) throw badField(place, field, value)
  return value.map(id => {
    if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) return id
    throw badField(place, field, value)
  })
}

function checkPool(place: Place, pool: readonly number[]): void {
  const seen = new Set<number>()
  for (const id of pool) {
    if (seen.has(id)) throw new Problem('unreadable', message('lever.pool-repeats', { ...place, id: String(id) }))
    seen.add(id)
  }
}

function badField(place: Place, field: string, value: Json | undefined): Problem {
  const found = value === undefined ? 'undefined' : JSON.stringify(value).slice(0, LONGEST_QUOTE)
  return new Problem('unreadable', message('lever.bad-record', { ...place, field, found }))
}

/** Of a value that is quoted in an error. */
const LONGEST_QUOTE = 80

/** The records of one file, in ascending order of id, as the original splits them. Keys that begin with an underscore (`_meta`) describe the file. */
export function readRecords(file: string, bytes: Buffer, options: RecordOptions): readonly LeverRecord[] {
  const text = textOf(file, bytes)
  const content = parsePythonJson(text)
  if (content === undefined) throw new Problem('unreadable', message('task.not-json', { file }))
  if (!isJsonObject(content)) throw new Problem('unreadable', message('lever.not-groups', { file }))
  const repeated = repeatedKey(text)
  if (repeated !== undefined) throw new Problem('unreadable', message('lever.repeated-id', { file, record: repeated }))
  const records = Object.entries(content)
    .filter(([key]) => !key.startsWith('_'))
    .map(([record, value]) => readRecord({ file, record }, value, options))
    .sort((a, b) => a.id - b.id)
  if (records.length === 0) throw new Problem('unreadable', message('lever.not-groups', { file }))
  return records
}

/**
 * The records of all files hold together: a query once, groups of at least two, the same number of examples in every
 * choice, none of them twice.
 */
export function checkRecords(records: readonly LeverRecord[]): void {
  const shots = records.find(record => record.choices.length > 0)?.choices[0].examples.length ?? 0
  const seen = new Map<number, LeverRecord>()
  for (const record of records) {
    const { id, place, choices, fixFailed } = record
    const other = seen.get(id)
    if (other !== undefined) {
      throw new Problem(
        'unreadable',
        other.place.file === place.file
          ? message('lever.repeated-id', { ...place })
          : message('lever.in-both-files', { ...place, other: other.place.file }),
      )
    }
    seen.set(id, record)
    if (fixFailed) continue
    if (choices.length < 2)
      throw new Problem('unreadable', message('lever.group-of-one', { ...place, size: choices.length }))
    for (const [position, { examples }] of choices.entries()) {
      if (examples.length !== shots || shots === 0) {
        throw new Problem(
          'unreadable',
          message('lever.shots-differ', { ...place, position, found: examples.length, shots }),
        )
      }
      const repeated = examples.find((example, i) => examples.indexOf(example) !== i)
      if (repeated === undefined) continue
      throw new Problem('unreadable', message('lever.pointer-repeats', { ...place, position, id: String(repeated) }))
    }
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const SPACE = 0x20
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * A key that the outermost object has twice: JSON.parse keeps the last and says nothing. The text is known to be JSON.
 * By hand, because a file has a hundred megabytes, and strings are passed over by the engine's own search.
 */
function repeatedKey(text: string): string | undefined {
  const seen = new Set<string>()
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1
    if (code !== QUOTE) continue
    const end = endOfString(text, at)
    if (depth === 1 && isBeforeColon(text, end)) {
      const key = text.slice(at + 1, end)
      if (seen.has(key)) return key
      seen.add(key)
    }
    at = end
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1
  return backslashes % 2 === 1
}

function isBeforeColon(text: string, end: number): boolean {
  let next = end + 1
  while (text.charCodeAt(next) <= SPACE) next += 1
  return text.charCodeAt(next) === COLON
}

/** A record of v3, as its generator writes it. */
export function leverRecord({ id, row, pool }: Query, members: readonly GroupMember[]): JsonObject {
  return {
    query: { query_id: row, question_id: id },
    candidate_pool_ids: [...pool],
    pointer_candidates: members.map(({ choice, outcome, method, logProbability }) => ({
      pointer: [...choice],
      pointer_global: choice.map(position => pool[position]),
      gen_method: method,
      logprob_score: logProbability,
      ...(outcome.kind === 'scored'
        ? // The original calls any accuracy above 0 correct.
          { vqa_correct: outcome.soft > 0 ? 1 : 0, vqa_acc_score: outcome.soft, vqa_eval_mode: 'vqaEval' }
        : { vqa_correct: null, vqa_acc_score: null, vqa_eval_mode: 'error' }),
      eval_failed: outcome.kind === 'missing',
    })),
  }
}
