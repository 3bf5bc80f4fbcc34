import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, numberFromJson } from '../../model/json.js'
import { parsePythonJson } from '../python-json.js'
import type { Source, SourceFile } from '../source.js'
import { epochIn, unreadable } from './scores.js'

/**
 * What Lever-Plus chose and answered, question by question: `icd_idx_list`, the demonstrations taken for each question
 * (`v3_icd_predictions.json`: `[[12, 873], [4, 91], …]`), and answers (`[{"question_id": 1, "answer": "cat"}, …]`). The files do
 * not tell whether an answer was right; where a fork adds a score to the answers, it is kept.
 */
export const leverChoices: Source = {
  id: 'lever-plus-choices',
  role: 'samples',
  grows: false,
  keep: 'all',
  namesMetrics: true,

  recognise(file) {
    const head = Buffer.from(file.head).toString('utf8')
    if (ANSWERS.test(head)) return true
    return OPENS_NAMED_LIST.test(head) || (OPENS_LIST.test(head) && /icd/i.test(basename(file.path)))
  },

  async describe(file) {
    const folder = dirname(file.path)
    const name = basename(file.path, '.json')
    return [{ run: `lever-plus:${file.path}`, name, folder, order: 0, firstRecord: '' }]
  },

  async *read(file) {
    const value = file.size > LARGEST ? undefined : parsePythonJson(await readFile(file.path, 'utf8'))
    const list = isJsonObject(value) ? value.icd_idx_list : value
    if (!Array.isArray(list)) {
      yield [unreadable(file)]
      return
    }
    const place = await placeOf(file)
    for (let start = 0; start < list.length; start += BATCH) {
      const items = list.slice(start, start + BATCH)
      yield isJsonObject(items[0]) ? answers(items, place.step) : choices(items, start, place)
    }
  },
}

const OPENS_LIST = /^\s*\[\s*\[\s*\d{1,12}\s*[,\]]/
const OPENS_NAMED_LIST = /^\s*\{\s*"icd_idx_list"\s*:\s*\[\s*\[/
const ANSWERS =
  /^\s*\[\s*\{\s*"(?:answer"\s*:\s*"(?:[^"\\]|\\.){0,2000}"\s*,\s*"question_id|question_id"\s*:\s*"?\w{1,40}"?\s*,\s*"answer)"\s*:/

/** Some 300,000 questions; parsing takes several times as much. */
const LARGEST = 64 << 20
const BATCH = 4096

interface Place {
  readonly step: number
  readonly shots: number | undefined
}

/** Which checkpoint it was: the result beside it says, else the name. */
async function placeOf(file: SourceFile): Promise<Place> {
  const beside = await readFile(join(dirname(file.path), 'v3_vqa_result.json'), 'utf8').catch(() => '')
  const result = parsePythonJson(beside.slice(0, LONGEST_RESULT))
  const told = isJsonObject(result) && typeof result.grpo_ckpt === 'string' ? basename(result.grpo_ckpt) : ''
  const shots = isJsonObject(result) ? numberFromJson(result.shot_num) : undefined
  const step = told === '' ? epochIn(`${basename(dirname(file.path))}/${basename(file.path)}`) : epochIn(told)
  return { step: told.includes('rce_epoch') ? 0 : step, shots: isCount(shots) ? shots : undefined }
}

const LONGEST_RESULT = 1 << 16

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value < 1000
}

/** Choices of one question as text; equal texts are equal choices, in the same order. */
function choices(items: readonly Json[], start: number, { step, shots }: Place): RunEvent[] {
  const lists = items.map(item => (isChoice(item) ? JSON.stringify(item) : null))
  const nothing = items.map(() => null)
  const condition = shots === undefined ? {} : { shots }
  const ids = items.map((_, i) => String(start + i))
  const repeats = items.map(() => 0)
  const columns = { ids, repeats, inputs: nothing, outputs: nothing, expected: nothing, choices: lists }
  return [{ type: 'texts', texts: { table: 'icd_idx_list', step, condition, ...columns } }]
}

const MOST_CHOSEN = 100

function isChoice(item: Json): boolean {
  return Array.isArray(item) && item.length <= MOST_CHOSEN && item.every(index => typeof index === 'number')
}

function answers(items: readonly Json[], step: number): RunEvent[] {
  const objects = items.filter(isJsonObject)
  const ids = objects.map(({ question_id: id }) =>
    typeof id === 'string' || typeof id === 'number' ? String(id).toWellFormed() : '',
  )
  const nothing = objects.map(() => null)
  const outputs = objects.map(({ answer }) => (typeof answer === 'string' ? answer.toWellFormed() : null))
  const columns = { ids, repeats: ids.map(() => 0), inputs: nothing, outputs, expected: nothing, choices: nothing }
  const events: RunEvent[] = [{ type: 'texts', texts: { table: 'answers', step, condition: {}, ...columns } }]
  const scores = objects.map(({ score, accuracy, vqa_acc_score: soft }) => numberFromJson(score ?? accuracy ?? soft))
  const scored = scores.flatMap((score, i) => (score === undefined ? [] : [i]))
  if (scored.length === 0) return events
  const values = scored.map(i => scores[i] ?? Number.NaN)
  events.push({
    type: 'samples',
    samples: { metric: 'answers/score', step, condition: {}, ids: scored.map(i => ids[i] ?? ''), scores: values },
  })
  return events
}
