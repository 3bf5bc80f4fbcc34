import { basename } from 'node:path'
import { mean } from '../../../stats/descriptive.js'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.js'
import type { Config, RunStatus } from '../../model/run.js'
import { groupBy } from '../../model/util/group-by.js'
import { headText } from '../encoding.js'
import { evaluatedModel, evaluationBelonging } from '../evaluations/evaluated-model.js'
import {
  columnsOf,
  disagreement,
  EVALUATION_FILE,
  gatherItems,
  type ItemAnswer,
  readJson,
  reportedMean,
  sayItems,
  scoreFrom,
  settingsUnder,
  textOf,
} from '../evaluations/item-scores.js'
import { parsePythonJson } from '../python-json.js'
import type { Source, SourceFile } from '../source.js'
import { timeFromText, warning } from '../source-helpers.js'
import { readMember, zipMembers } from './zip.js'

/**
 * Inspect. A log is one task asked of one model: `.eval`, a zip of JSON with the header in `header.json` and a line on
 * every sample in `summaries.json`, or the same as one JSON document. A sample that was asked in several epochs has a
 * score in each; Inspect means them first, as klens does.
 */
const ZIP = /^PK\x03\x04[\s\S]{26}(?:_journal\/)?start\.json/
const DOCUMENT =
  /^\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"(?:started|success|cancelled|error)"\s*,\s*"eval"\s*:\s*\{/

export const inspectLog: Source = {
  id: 'inspect',
  ...EVALUATION_FILE,
  recognise(file) {
    const start = Buffer.from(file.head.subarray(0, 128)).toString('latin1')
    return ZIP.test(start) || DOCUMENT.test(headText(file) ?? '')
  },
  describe: async file => {
    const { header, samples } = await readHeader(file)
    if (isCutArchive(file) && header?.results === undefined && (await samples()) === null) return []
    const { model, task } = subjectOf(header)
    const name = [model, task].filter(part => part !== '').join('/')
    const belonging = evaluationBelonging('inspect', file.path, evaluatedModel(file.path, model), {
      call: basename(file.path).replace(/\.(?:eval|json)$/, ''),
      order: 0,
    })
    return [belonging.ofCheckpoint === true ? belonging : { ...belonging, name: name === '' ? belonging.name : name }]
  },
  async *read(file) {
    const { header, samples } = await readHeader(file)
    const { model } = subjectOf(header)
    const found = await samples()
    if (header === null) return yield [warning(sayItems('items.unreadable', {}))]
    const { step } = evaluatedModel(file.path, model)
    yield [
      { type: 'about', about: aboutOf(header) },
      ...(step === null ? [{ type: 'config', config: configOf(header, found ?? []) } as const] : []),
      ...(found === null ? [warning(say('inspect.no-samples', {}))] : []),
      ...(isCutArchive(file) ? [warning(say('inspect.cut-off', {}))] : []),
      ...eventsOf(header, found ?? [], step ?? 0),
      { type: 'status', status: STATUS[String(header.status)] ?? 'unknown' },
    ]
  },
  lacks: file => (isCutArchive(file) ? say('inspect.cut-off', {}) : null),
  surroundings: { mayBeLog: path => path.toLowerCase().endsWith('.eval') },
}

/** An archive ends with its directory, and what marks the end of that. */
function isCutArchive({ head, tail = head }: SourceFile): boolean {
  const start = Buffer.from(head.subarray(0, 128)).toString('latin1')
  return ZIP.test(start) && !Buffer.from(tail).includes('PK\x05\x06')
}

const STATUS: { readonly [status: string]: RunStatus } = { success: 'finished', error: 'failed', cancelled: 'killed' }

interface LogContent {
  readonly header: JsonObject | null
  /** Null where they cannot be read. */
  readonly samples: () => Promise<readonly JsonObject[] | null>
}

async function readHeader(file: SourceFile): Promise<LogContent> {
  if (file.head[0] !== 0x50) {
    const log = await readJson(file.path)
    const header = isJsonObject(log) ? log : null
    return { header, samples: async () => (header === null ? null : objectsIn(header.samples)) }
  }
  const members = await zipMembers(file.path).catch(() => null)
  const jsonOf = async (name: string): Promise<Json | undefined> => {
    const member = members?.get(name)
    const text = member === undefined ? null : await readMember(file.path, member)
    return text === null ? undefined : parsePythonJson(text)
  }
  for (const name of ['header.json', '_journal/start.json', 'start.json']) {
    const header = await jsonOf(name)
    if (!isJsonObject(header)) continue
    const results = name === 'start.json' ? await jsonOf('results.json') : undefined
    return {
      header: isJsonObject(results) ? { ...header, ...results } : header,
      samples: () => summariesIn([...(members?.keys() ?? [])], jsonOf),
    }
  }
  return { header: null, samples: async () => null }
}

/** All of them where the log is finished, else what was written as it went. */
async function summariesIn(
  names: readonly string[],
  jsonOf: (name: string) => Promise<Json | undefined>,
): Promise<readonly JsonObject[] | null> {
  for (const name of ['summaries.json', 'summary.json']) {
    const summaries = await jsonOf(name)
    if (Array.isArray(summaries)) return summaries.filter(isJsonObject)
  }
  const pieces = names.filter(name => /^(?:_journal\/)?summaries\/\d+\.json$/.test(name))
  const found: JsonObject[] = []
  for (const name of pieces) found.push(...objectsIn(await jsonOf(name)))
  return pieces.length === 0 ? null : found
}

function objectsIn(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

function subjectOf(header: JsonObject | null) {
  const spec = header !== null && isJsonObject(header.eval) ? header.eval : {}
  return { model: textOf(spec.model) ?? '', task: textOf(spec.task) ?? '', spec }
}

function aboutOf(header: JsonObject) {
  const { spec } = subjectOf(header)
  const packages = isJsonObject(spec.packages) ? spec.packages : {}
  const startedAt = timeFromText(textOf(spec.created) ?? '')
  const version = textOf(packages.inspect_ai)
  return { ...(startedAt !== null && { startedAt }), ...(version !== null && { versions: { inspect_ai: version } }) }
}

function configOf(header: JsonObject, samples: readonly JsonObject[]): Config {
  const { model, task, spec } = subjectOf(header)
  const { plan } = header
  const generation = isJsonObject(plan) ? plan.config : undefined
  const config = isJsonObject(spec.config) ? spec.config : {}
  const [metric] = scorersIn(samples)
  const dataset = isJsonObject(spec.dataset) ? spec.dataset : {}
  return {
    ...settingsUnder('', { model, limit: config.limit ?? null }),
    ...settingsUnder(`task.${task}.`, {
      ...(metric !== undefined && { metric }),
      version: spec.task_version ?? null,
      epochs: config.epochs ?? null,
      cluster: clusterOf(header),
      dataset: dataset.name ?? null,
      ...settingsUnder('', generation),
      ...settingsUnder('arg.', spec.task_args),
      ...settingsUnder('model_arg.', spec.model_args),
    }),
  }
}

/** The column by which the task itself clusters its standard error. */
function clusterOf({ results }: JsonObject): string | null {
  for (const metric of metricsIn(results).map(({ value }) => value)) {
    const cluster = isJsonObject(metric) && isJsonObject(metric.params) ? metric.params.cluster : null
    if (typeof cluster === 'string') return cluster
  }
  return null
}

function metricsIn(results: Json | undefined) {
  return objectsIn(isJsonObject(results) ? results.scores : undefined).flatMap(score =>
    Object.entries(isJsonObject(score.metrics) ? score.metrics : {}).map(([name, value]) => ({
      scorer: textOf(score.name) ?? '',
      n: scoreFrom(score.scored_samples),
      name,
      value,
    })),
  )
}

function scorersIn(samples: readonly JsonObject[]): readonly string[] {
  return [...new Set(samples.flatMap(sample => scoresIn(sample).map(([name]) => name)))]
}

function eventsOf(header: JsonObject, samples: readonly JsonObject[], step: number): RunEvent[] {
  const { task } = subjectOf(header)
  const events: RunEvent[] = []
  const emit = (event: RunEvent): void => void events.push(event)
  const gathered = gatherItems(step)
  const answers = samples.map(sample => answerOf(task, sample))
  for (const answer of answers) gathered.take(answer, emit)
  gathered.finish(emit)
  const unscored = answers.filter(({ scores }) => scores.length === 0).length
  if (unscored > 0) events.push(warning(say('inspect.unscored', { count: unscored })))
  for (const { scorer, name, value, n } of metricsIn(header.results)) {
    const reported = isJsonObject(value) ? scoreFrom(value.value) : null
    if (reported === null || (name !== 'accuracy' && name !== 'mean')) continue
    const counted = meanOfItems(answers, scorer)
    if (counted === null) events.push(...reportedMean(task, scorer, { step, value: reported, n, error: null }))
    else events.push(...disagreement(task, scorer, reported, counted))
  }
  return events
}

function meanOfItems(answers: readonly ItemAnswer[], scorer: string): number | null {
  const scored = answers.flatMap(({ id, scores }) =>
    scores.filter(([name]) => name === scorer).map(([, score]) => ({ id, score })),
  )
  const items = [...groupBy(scored, ({ id }) => id).values()].map(ofItem => mean(ofItem.map(({ score }) => score)))
  return items.length === 0 ? null : mean(items)
}

function answerOf(task: string, sample: JsonObject): ItemAnswer {
  const scores = isJsonObject(sample.scores) ? Object.values(sample.scores).find(isJsonObject) : undefined
  const epoch = scoreFrom(sample.epoch) ?? 1
  return {
    task,
    id: textOf(sample.id) ?? '',
    repeat: Number.isInteger(epoch) && epoch > 0 && epoch < 1e6 ? epoch - 1 : 0,
    scores: scoresIn(sample),
    texts: {
      input: textOf(sample.input),
      output: textOf(scores?.explanation),
      expected: textOf(sample.target),
      choice: textOf(scores?.answer),
    },
    columns: columnsOf(sample.metadata),
  }
}

/** Of a scorer with several values, each by its own name. */
function scoresIn({ scores }: JsonObject): (readonly [string, number])[] {
  return Object.entries(isJsonObject(scores) ? scores : {}).flatMap(([scorer, score]) => {
    const value = isJsonObject(score) ? score.value : undefined
    if (isJsonObject(value)) {
      return Object.entries(value).flatMap(([part, each]) => asNumber(`${scorer}/${part}`, each))
    }
    return asNumber(scorer, value)
  })
}

/** Inspect's own letters: correct, incorrect, partial, no answer. */
const LETTERS: { readonly [letter: string]: number } = { C: 1, I: 0, P: 0.5, N: 0 }
const WORDS: { readonly [word: string]: number } = { yes: 1, true: 1, no: 0, false: 0 }

/** As `value_to_float` has it. */
function asNumber(name: string, value: Json | undefined): (readonly [string, number])[] {
  const text = typeof value === 'string' ? value : null
  const number =
    text === null
      ? scoreFrom(value)
      : (LETTERS[text] ?? WORDS[text.toLowerCase()] ?? (text.trim() === '' ? null : Number(text)))
  return number === null || number === undefined || !Number.isFinite(number) ? [] : [[name, number]]
}

const say = sentences({
  'inspect.cut-off': {
    en: 'this .eval archive is truncated: only the complete part before the cut can be read',
    zh: '该 .eval 压缩包在结尾前被截断：只能读取截断前完整的部分',
  },
  'inspect.no-samples': {
    en: 'the log has no readable per-sample scores; only its reported figures are used',
    zh: '日志中没有可读取的逐样本得分，只保留其汇总数值',
  },
  'inspect.unscored': {
    en: '{count} {count|sample has|samples have} no score (an error, or a limit that was hit); left out, as Inspect does',
    zh: '有 {count} 个样本没有得分（出错或触及上限），已略过，与 Inspect 的做法一致',
  },
})
