import { basename, dirname, extname, join } from 'node:path'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import { sha256 } from '../../model/id.js'
import { isJsonObject, type Json } from '../../model/json.js'
import { runNameFromPath } from '../run-identity.js'
import type { Belonging, SourceFile } from '../source.js'
import { warning } from '../source-helpers.js'
import { cellsAt, findColumn, isNumeric } from '../table/columns.js'
import { readTableHead, type TableHead } from '../table/head.js'
import type { TableRecord } from '../table/records.js'
import type { TableTally } from '../table/tally.js'
import { type DialogueOutput, dialogueIn, spelledDialogue } from '../userrl/dialogue-output.js'
import { gatherSamples } from './gather.js'
import {
  CONDITION_NAMES,
  conditionFrom,
  countOf,
  holdsScores,
  SAMPLE_NAMES,
  SCORE_NAMES,
  scoreOf,
  stepOf,
  textOf,
} from './shape.js'

/**
 * Completions with their scores, record by record. Every number beside the score is a part of the reward and becomes a
 * metric of its own. A prompt without an id is known by the hash of its text, so that it is found again in other runs.
 */

/** More number columns than any reward has; what comes after is left out, once said. */
const MOST_METRICS = 40
/** A longer id is a text. */
const LONGEST_ID = 200

export function completionRecords({ table, step: stepOfFile }: CompletionsPlace, tally: TableTally) {
  const gathered = gatherSamples(table, { asSeries: true })
  const metrics = new Set<string>()
  let columns: readonly string[] = []
  let found: Columns = columnsOf([])
  let tooMany = false
  let withoutStep = false

  function take(record: TableRecord, emit: (event: RunEvent) => void): void {
    if (record.columns !== columns) {
      columns = record.columns
      found = columnsOf(columns)
    }
    const { values } = record
    const valueIn = (role: Role): Json | undefined => {
      const at = found.at[role]
      return at === undefined ? undefined : values[at]
    }
    const input = wholeText(valueIn('input'))
    const id = idOf(valueIn('sample'), input)
    if (id === null) return
    const step = stepFor(valueIn('step'))
    if (step === null) return
    const scores = scoresOf(values, valueIn)
    if (scores.length === 0) return
    const output = wholeText(valueIn('output'))
    const dialogue = output === null ? null : dialogueIn(output)
    if (dialogue !== null) scores.push(...dialogueParts(dialogue))
    const texts = {
      input,
      output: dialogue?.text ?? output,
      expected: textOf(valueIn('expected')),
      choice: textOf(valueIn('choice')),
    }
    const condition = conditionFrom(valueIn)
    gathered.take({ step, condition, id, repeat: countOf(valueIn('repeat')), scores, texts }, emit)
  }

  function stepFor(value: Json | undefined): number | null {
    if (found.at.step !== undefined) return stepOf(value, tally)
    if (stepOfFile === null) withoutStep = true
    return stepOfFile ?? 0
  }

  function scoresOf(values: readonly Json[], valueIn: (role: Role) => Json | undefined): (readonly [string, number])[] {
    const scores: (readonly [string, number])[] = []
    const add = (name: string, value: Json | undefined): void => {
      const score = scoreOf(value, tally)
      if (score === null) return
      const metric = `${table}/${name}`
      if (metrics.size < MOST_METRICS) metrics.add(metric)
      if (metrics.has(metric)) scores.push([metric, score])
      else tooMany = true
    }
    if (found.at.score !== undefined) add(columns[found.at.score] ?? 'score', valueIn('score'))
    for (const { at, name } of found.others) add(name, values[at])
    const finish = textOf(valueIn('finish'))
    if (finish !== null) add('truncated', /length|max_tokens/i.test(finish) ? 1 : 0)
    return scores
  }

  /** What the text of a dialogue tells beside its score, unless a column does. */
  function dialogueParts({ text: _, ...parts }: DialogueOutput): (readonly [string, number])[] {
    return Object.entries(parts).flatMap(([name, value]) =>
      columns.includes(name) ? [] : [[`${table}/${name}`, value] as const],
    )
  }

  function finish(emit: (event: RunEvent) => void): void {
    gathered.finish(emit)
    if (tooMany) emit(warning(say('completions.too-many-metrics', { limit: MOST_METRICS })))
    if (withoutStep) emit(warning(say('completions.no-step', {})))
  }

  return { take, finish }
}

function idOf(value: Json | undefined, input: string | null): string | null {
  const told = textOf(value)
  if (told !== null) return told.length <= LONGEST_ID ? told : hashOf(told)
  return input === null ? null : hashOf(input.trim())
}

function hashOf(text: string): string {
  return sha256(text).slice(0, 16)
}

/** A text as it stands, for line ends and blanks are part of an answer. Chat messages are told turn by turn. */
function wholeText(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object') return String(value)
  const dialogue = Array.isArray(value) ? spelledDialogue(value) : null
  if (dialogue !== null) return dialogue.toWellFormed()
  const turns = Array.isArray(value) ? value.map(turnOf) : []
  const isChat = turns.length > 0 && turns.every(turn => turn !== null)
  return (isChat ? turns.join('\n') : JSON.stringify(value)).toWellFormed()
}

function turnOf(value: Json): string | null {
  if (!isJsonObject(value) || typeof value.role !== 'string' || typeof value.content !== 'string') return null
  return `${value.role}: ${value.content}`
}

/**
 * Which column of a table of completions holds what. Looked up again whenever the columns change, because rewards write
 * what they like beside the fixed columns, and a first row may be longer than the piece of the file that is looked at.
 */

const NAMES = {
  ...CONDITION_NAMES,
  step: ['step', 'global_step', 'training/global_step', 'train_step', 'iteration', 'iter', 'epoch'],
  sample: SAMPLE_NAMES,
  score: SCORE_NAMES,
  input: ['input', 'prompt', 'question', 'query', 'problem', 'instruction', 'messages'],
  output: ['output', 'response', 'completion', 'generation', 'generated_text', 'model_output'],
  expected: ['gts', 'ground_truth', 'expected', 'target', 'reference', 'label', 'solution', 'gold', 'answer'],
  choice: ['choice', 'pred', 'prediction', 'selected', 'selection', 'extracted_answer', 'model_answer'],
  finish: ['finish_reason', 'stop_reason'],
} as const

type Role = keyof typeof NAMES

interface Columns {
  readonly at: { readonly [role in Role]?: number }
  /** Every other column: rewards where it holds numbers. */
  readonly others: readonly { readonly at: number; readonly name: string }[]
}

/** Numbers that are no rewards. */
const NO_REWARD =
  /^(?:_?(?:time|timestamp|created(?:_at)?|date)|seed|epoch|rank|worker|(?:.*_)?(?:uid|uuid|idx|index|id)|row)$/i

export function columnsOf(names: readonly string[]): Columns {
  const at: { [role in Role]?: number } = {}
  for (const role of ROLES) {
    const column = findColumn(names, NAMES[role])
    if (column !== undefined) at[role] = names.indexOf(column)
  }
  const taken = new Set(Object.values(at))
  const others = names.flatMap((name, index) =>
    taken.has(index) || name.trim() === '' || NO_REWARD.test(name.trim()) ? [] : [{ at: index, name: name.trim() }],
  )
  return { at, others }
}

const ROLES: readonly Role[] = [
  'repeat',
  'dataset',
  'shots',
  'temperature',
  'split',
  'step',
  'sample',
  'score',
  'input',
  'output',
  'expected',
  'choice',
  'finish',
]

const say = sentences({
  'completions.too-many-metrics': {
    en: 'more than {limit} columns of numbers beside the completions; the rest was left out',
    zh: '回答旁的数值列超过 {limit} 个，其余已略过',
  },
  'completions.no-step': {
    en: 'neither a column nor the file name gives the step; kept as step 0',
    zh: '没有 step 列，文件名也看不出 step，按 step 0 保存',
  },
})

/**
 * What the path of a table of completions tells. verl writes a file per step (`<validation_data_dir>/40.jsonl`), TRL as
 * well (`completions/completions_00040.parquet`); then the folder says what kind they are, and the run is the folder
 * above. Any other file is called after its own name.
 */
interface CompletionsPlace {
  /** What its metrics are called after: `val/score`, `rollout/acc`, `my_eval/score`. */
  readonly table: string
  /** Where no column tells. */
  readonly step: number | null
  readonly belonging: Belonging
}

const STEP_NAME =
  /^(?:(?:global[-_]?)?step|iter(?:ation)?|epoch|checkpoint|ckpt|completions?|generations?|rollouts?|outputs?|samples?|val(?:id(?:ation)?)?|eval(?:uation)?|test|train)?[-_ ]?(\d{1,15})$/i

export function placeOf({ path }: SourceFile): CompletionsPlace {
  const folder = dirname(path)
  const stem = basename(path, extname(path))
  const step = STEP_NAME.exec(stem)?.[1]
  if (step === undefined) {
    const above = /(?:step|checkpoint|ckpt|epoch|iter)[-_]?(\d{1,15})$/i.exec(basename(folder))?.[1]
    const belonging = { run: path, name: runNameFromPath(path), folder, order: 0, firstRecord: '' }
    return { table: stem, step: above === undefined ? null : Number(above), belonging }
  }
  const ofFolder = kindIn(basename(folder))
  const runFolder = ofFolder === null ? folder : dirname(folder)
  return {
    table: ofFolder ?? kindIn(stem) ?? kindIn(basename(dirname(folder))) ?? 'samples',
    step: Number(step),
    belonging: {
      run: runFolder,
      name: runNameFromPath(join(runFolder, 'metrics')),
      folder: runFolder,
      order: Number(step),
      firstRecord: '',
    },
  }
}

/** Parquet is mostly data to train on, which is none of klens's business; this is how TRL calls its completions. */
export function isCompletionsFile(path: string): boolean {
  return /^completions?[-_]?\d+\.parquet$/i.test(basename(path))
}

function kindIn(name: string): string | null {
  if (/(?:^|[^a-z])(?:val|valid|validation|evals?|evaluations?|test)(?:[^a-z]|$)/i.test(name)) return 'val'
  if (/(?:^|[^a-z])completions?(?:[^a-z]|$)/i.test(name)) return 'completions'
  return /(?:^|[^a-z])(?:rollouts?|train|training)(?:[^a-z]|$)/i.test(name) ? 'rollout' : null
}

/** Is a table one of completions? It holds answers, their scores, and something to know the prompts by. */
export function isCompletions(file: SourceFile): boolean {
  const { step } = placeOf(file)
  if (beginsWithLongPrompt(file)) return step !== null
  const head = readTableHead(file)
  if (head === null || head.format === 'json') return false
  const { at } = columnsOf(head.columns)
  if (at.input === undefined && at.sample === undefined) return false
  if (at.output === undefined || at.score === undefined || !holdsScores(head, head.columns[at.score] ?? ''))
    return false
  return at.step === undefined || (isNumeric(cellsAt(head, at.step)) && (step !== null || !isLog(head, at.step)))
}

/** Of a prompt longer than the piece that is looked at, nothing but its beginning can be seen. verl writes it first. */
export function beginsWithLongPrompt({ head, size }: SourceFile): boolean {
  if (size <= head.length || head.includes(NEWLINE)) return false
  return LONG_PROMPT.test(Buffer.from(head.subarray(0, 100)).toString('utf8'))
}

const NEWLINE = 0x0a
const LONG_PROMPT = /^\s*\{\s*"(?:input|prompt|question|query|problem|instruction|messages)"\s*:\s*["[]/

/** A log may show one answer at each step; its numbers are the step's, not the answer's. */
function isLog(head: TableHead, step: number): boolean {
  const steps = new Set(head.rows.map(row => JSON.stringify(row[step])))
  return head.rows.length > 1 && steps.size === head.rows.length
}
