import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { headText } from '../encoding.js'
import { evaluatedModel, evaluationBelonging } from '../evaluations/evaluated-model.js'
import {
  columnsOf,
  EVALUATION_FILE,
  eventsOfRecords,
  gatherItems,
  readJson,
  reportedMean,
  sayItems,
  scoreFrom,
  settingsUnder,
  textOf,
} from '../evaluations/item-scores.js'
import type { Source, SourceFile } from '../source.js'
import { warning } from '../source-helpers.js'

/**
 * lm-evaluation-harness. One call writes `results_<time>.json` (means, settings) and, with --log_samples, a
 * `samples_<task>_<time>.jsonl` for each task, into a folder named after the model; before 0.4.2 `results.json` alone.
 * Metrics are called `acc,none`: the metric and the filter that the answer went through.
 */
const NAME = /^(?:results|samples_(.+))_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl?$/

interface Call {
  readonly task: string | null
  readonly time: string
}

function callOf(path: string): Call {
  const [, task = null, time = ''] = NAME.exec(basename(path)) ?? []
  return { task, time }
}

function belonging(file: SourceFile, order: number, model: string | null) {
  // Its folder is named after the model; the results tell the name itself.
  const fallback = basename(dirname(file.path)).split('__').slice(-2).join('/')
  const { time } = callOf(file.path)
  const call = time === '' ? basename(file.path).replace(/\.jsonl?$/, '') : `results_${time}`
  return evaluationBelonging('lm-eval', file.path, evaluatedModel(file.path, model ?? fallback), { call, order })
}

const RESULTS = /^\s*\{\s*"results"\s*:\s*\{\s*"[^"\\]{1,300}"\s*:\s*\{/
const OF_TASK = /"alias"\s*:|"[\w.-]{1,80},[\w.-]{1,80}"\s*:\s*(?:-?\d|"|NaN)|"[\w.-]{1,80}_stderr"\s*:/

export const lmEvalResults: Source = {
  id: 'lm-eval',
  ...EVALUATION_FILE,
  recognise(file) {
    const head = headText(file) ?? ''
    return RESULTS.test(head) && OF_TASK.test(head)
  },
  describe: async file => {
    const results = await readJson(file.path)
    return [belonging(file, 0, isJsonObject(results) ? modelOf(results) : null)]
  },
  async *read(file) {
    const results = await readJson(file.path)
    if (!isJsonObject(results) || !isJsonObject(results.results))
      return yield [warning(sayItems('items.unreadable', {}))]
    const { step } = evaluatedModel(file.path, modelOf(results))
    yield [
      { type: 'about', about: aboutOf(results) },
      ...(step === null ? [{ type: 'config', config: configOf(results) } as const] : []),
      ...meansOf(results, step ?? 0, task => existsSync(samplesBeside(file.path, task))),
      { type: 'status', status: 'finished' },
    ]
  },
}

function modelOf({ model_name: name, config }: JsonObject): string | null {
  if (typeof name === 'string' && name !== '') return name
  const args = isJsonObject(config) ? config.model_args : undefined
  const text = typeof args === 'string' ? args : isJsonObject(args) ? `pretrained=${textOf(args.pretrained) ?? ''}` : ''
  return /(?:^|,)(?:peft|pretrained|model|path|engine)=([^,]+)/.exec(text)?.[1] ?? null
}

function aboutOf({ date, lm_eval_version: version }: JsonObject) {
  const started = typeof date === 'number' && date > 1e9 ? { startedAt: date } : {}
  return { ...started, ...(typeof version === 'string' && { versions: { 'lm-eval': version } }) }
}

/** A group stands among the tasks with a mean over its own, which are judged one by one. */
function tasksIn({ results, group_subtasks: groups }: JsonObject): readonly (readonly [string, JsonObject])[] {
  const isGroup = (name: string): boolean => {
    const members = isJsonObject(groups) ? groups[name] : undefined
    return Array.isArray(members) && members.length > 0
  }
  if (!isJsonObject(results)) return []
  return Object.entries(results).flatMap(([name, task]) => (isJsonObject(task) && !isGroup(name) ? [[name, task]] : []))
}

const SETTINGS = ['output_type', 'repeats', 'doc_to_text', 'description', 'dataset_path', 'dataset_name']

function configOf(results: JsonObject): Config {
  const { config, configs, versions, 'n-shot': shots, chat_template_sha: template } = results
  const perTask = tasksIn(results).map(([task, figures]): Config => {
    const own = isJsonObject(configs) && isJsonObject(configs[task]) ? configs[task] : {}
    const metric = Object.keys(figures)
      .map(metricName)
      .find(name => name !== null && !name.endsWith('_stderr'))
    const generation = isJsonObject(own.generation_kwargs) ? own.generation_kwargs : {}
    const kept = Object.fromEntries(SETTINGS.flatMap(key => (own[key] === undefined ? [] : [[key, own[key]]])))
    return settingsUnder(`task.${task}.`, {
      ...(metric != null && { metric }),
      shots: memberOf(shots, task) ?? own.num_fewshot ?? null,
      version: memberOf(versions, task) ?? null,
      temperature: generation.temperature ?? null,
      goal: goalOf(results, task, metric ?? ''),
      ...kept,
    })
  })
  const limit = memberOf(config, 'limit') ?? null
  const instruction = results.system_instruction ?? null
  const call = { model: modelOf(results), limit, system_instruction: instruction, chat_template_sha: template ?? null }
  return Object.assign(settingsUnder('', call), ...perTask)
}

/** Said only where less is better: more is what tools take for granted. */
function goalOf({ higher_is_better: higher }: JsonObject, task: string, metric: string): Json {
  const name = metric.split(',')[0] ?? ''
  return memberOf(memberOf(higher, task), name) === false ? 'min' : null
}

function memberOf(object: Json | undefined, name: string): Json | undefined {
  return isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined
}

/** `acc,none` is `acc`, another filter stays; null for what is no metric of the task. */
function metricName(key: string): string | null {
  if (key.includes(',')) return key.endsWith(',none') ? key.slice(0, -5) : key
  return ['alias', 'name', 'sample_len', 'samples', ' '].includes(key) ? null : key
}

function meansOf(results: JsonObject, step: number, hasItems: (task: string) => boolean): RunEvent[] {
  const counts = results['n-samples']
  return tasksIn(results).flatMap(([task, figures]) => {
    if (hasItems(task)) return []
    const n =
      numberFromJson(memberOf(memberOf(counts, task), 'effective')) ?? numberFromJson(figures.sample_len) ?? null
    return Object.entries(figures).flatMap(([key, cell]) => {
      const metric = metricName(key)
      const value = scoreFrom(cell)
      if (metric === null || value === null || /_stderr(?:,|$)/.test(key)) return []
      const [name = '', filter] = key.split(',')
      const error = scoreFrom(figures[filter === undefined ? `${name}_stderr` : `${name}_stderr,${filter}`])
      return reportedMean(task, metric, { step, value, n, error })
    })
  })
}

function samplesBeside(path: string, task: string): string {
  return join(dirname(path), `samples_${task}_${callOf(path).time}.jsonl`)
}

const SAMPLE = /^\s*\[?\s*\{\s*"doc_id"\s*:\s*\d+\s*,\s*"doc"\s*:\s*[{"[]/

export const lmEvalSamples: Source = {
  id: 'lm-eval',
  ...EVALUATION_FILE,
  recognise: file => SAMPLE.test(headText(file) ?? ''),
  describe: async file => [belonging(file, 1, await modelBeside(file.path))],
  async *read(file) {
    const task = callOf(file.path).task ?? basename(file.path).replace(/^samples_|\.jsonl?$/g, '')
    const step = evaluatedModel(file.path, await modelBeside(file.path)).step ?? 0
    // Each filter has its own pass over the items.
    const passes = new Map<string, ReturnType<typeof gatherItems>>()
    const seen = new Map<string, Map<string, number>>()
    yield* eventsOfRecords(
      file,
      (record, emit) => {
        const filter = textOf(record.filter) ?? 'none'
        const pass = passes.get(filter) ?? gatherItems(step)
        passes.set(filter, pass)
        const texts = filter === passes.keys().next().value ? textsIn(record) : null
        const columns = columnsOf({ prompt_hash: record.prompt_hash ?? null }, record.doc)
        const item = { task, id: itemId(record, seen), repeat: 0, scores: scoresIn(record, filter), texts, columns }
        pass.take(item, emit)
      },
      emit => {
        for (const pass of passes.values()) pass.finish(emit)
        emit({ type: 'status', status: 'finished' })
      },
    )
  },
}

async function modelBeside(path: string): Promise<string | null> {
  const { time } = callOf(path)
  const results = time === '' ? undefined : await readJson(join(dirname(path), `results_${time}.json`))
  return isJsonObject(results) ? modelOf(results) : null
}

/** The hash of the document. The same document may stand in a task twice: the second time it is another item. */
function itemId({ doc_id: place, doc_hash: hash, doc }: JsonObject, seen: Map<string, Map<string, number>>): string {
  const key = typeof hash === 'string' && hash !== '' ? hash.slice(0, 16) : `doc ${textOf(place) ?? textOf(doc) ?? ''}`
  const places = seen.get(key) ?? new Map<string, number>()
  seen.set(key, places)
  const at = textOf(place) ?? ''
  const nth = places.get(at) ?? places.size
  places.set(at, nth)
  return nth === 0 ? key : `${key}#${nth + 1}`
}

const NO_SCORE = new Set(['doc_id', 'doc', 'target', 'arguments', 'resps', 'filtered_resps', 'filter', 'metrics'])

function scoresIn(record: JsonObject, filter: string): (readonly [string, number])[] {
  const listed = Array.isArray(record.metrics) ? record.metrics.filter(name => typeof name === 'string') : null
  const names = listed ?? Object.keys(record).filter(key => !NO_SCORE.has(key) && !key.endsWith('_hash'))
  return names.flatMap(name => {
    const score = scoreFrom(memberOf(record, name))
    return score === null ? [] : [[filter === 'none' ? name : `${name},${filter}`, score] as const]
  })
}

function textsIn({ arguments: given, resps, filtered_resps: filtered, target }: JsonObject) {
  const first = memberOf(memberOf(given, 'gen_args_0'), 'arg_0') ?? firstOf(firstOf(given))
  const choice = firstOf(filtered)
  return {
    input: textOf(first),
    output: textOf(firstOf(firstOf(resps))),
    expected: textOf(target),
    choice: typeof choice === 'string' ? choice.toWellFormed() : likeliest(filtered),
  }
}

function firstOf(list: Json | undefined): Json | undefined {
  return Array.isArray(list) ? list[0] : undefined
}

/** Of the choices of a question, each with its log-likelihood, the place of the likeliest. */
function likeliest(choices: Json | undefined): string | null {
  if (!Array.isArray(choices)) return null
  const likelihoods = choices.map(choice => Number(firstOf(choice)))
  if (likelihoods.length < 2 || likelihoods.some(Number.isNaN)) return null
  return String(likelihoods.indexOf(Math.max(...likelihoods)))
}
