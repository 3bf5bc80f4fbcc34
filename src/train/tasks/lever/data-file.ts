import { isJsonObject } from '../../../model/json.js'
import { Problem } from '../../../model/problem.js'
import { parsePythonJson } from '../../../sources/python-json.js'
import { message } from '../../../text/say.js'
import { textOf } from '../task-file.js'
import { type LeverRecord, type RecordOptions, readRecord } from './records.js'

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
