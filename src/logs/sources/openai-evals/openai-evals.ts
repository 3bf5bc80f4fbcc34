import { basename } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type JsonObject } from '../../model/json.js'
import { headText } from '../encoding.js'
import { evaluatedModel, evaluationBelonging } from '../evaluations/evaluated-model.js'
import {
  columnsOf,
  EVALUATION_FILE,
  eventsOfRecords,
  gatherItems,
  repeatCounter,
  reportedMean,
  scoreFrom,
  settingsUnder,
  textOf,
} from '../evaluations/item-scores.js'
import { parsePythonJson } from '../python-json.js'
import type { Source, SourceFile } from '../source.js'

/**
 * OpenAI's evals, and what writes as they do: a line with the `spec` of the run, then events (`match` says whether an
 * answer is correct, `metrics` any figures of a sample), last the `final_report`.
 */
const SPEC = /^\s*\{\s*"spec"\s*:\s*\{/

export const openaiEvals: Source = {
  id: 'openai-evals',
  ...EVALUATION_FILE,
  recognise: file => {
    const head = headText(file) ?? ''
    return SPEC.test(head) && /"(?:eval_name|base_eval|completion_fns)"\s*:/.test(head)
  },
  describe: async file => {
    const { model, task } = subjectOf(specIn(file))
    const belonging = evaluationBelonging('openai-evals', file.path, evaluatedModel(file.path, model), {
      call: basename(file.path),
      order: 0,
    })
    return [belonging.ofCheckpoint === true ? belonging : { ...belonging, name: `${model}/${task}` }]
  },
  async *read(file) {
    const spec = specIn(file)
    const { model, task } = subjectOf(spec)
    const { step } = evaluatedModel(file.path, model)
    const gathered = gatherItems(step ?? 0)
    const repeatOf = repeatCounter()
    const metrics = new Set<string>()
    let report: JsonObject = {}
    yield* eventsOfRecords(
      file,
      (record, emit) => {
        if (isJsonObject(record.final_report)) report = record.final_report
        const scores = scoresOf(record)
        const id = textOf(record.sample_id)
        if (id === null || scores.length === 0) return
        for (const [name] of scores) metrics.add(name)
        const { sampled, expected, picked } = isJsonObject(record.data) ? record.data : {}
        const texts = { input: null, output: textOf(sampled), expected: textOf(expected), choice: textOf(picked) }
        const repeat = repeatOf(`${String(record.type)}\0${id}`)
        gathered.take({ task, id, repeat, scores, texts, columns: columnsOf() }, emit)
      },
      emit => {
        const [metric = 'accuracy'] = metrics
        const perTask = settingsUnder(`task.${task}.`, { metric, split: spec.split ?? null })
        if (step === null) emit({ type: 'config', config: { ...settingsUnder('', { model }), ...perTask } })
        gathered.finish(emit)
        for (const mean of metrics.size > 0 ? [] : meansIn(report, task, step ?? 0)) emit(mean)
        emit({ type: 'status', status: Object.keys(report).length > 0 ? 'finished' : 'unknown' })
      },
    )
  },
}

function specIn(file: SourceFile): JsonObject {
  const head = headText(file) ?? ''
  const first = parsePythonJson(head.slice(0, head.search(/[\r\n]|$/)))
  return isJsonObject(first) && isJsonObject(first.spec) ? first.spec : {}
}

function subjectOf(spec: JsonObject): { readonly model: string; readonly task: string } {
  const models = Array.isArray(spec.completion_fns)
    ? spec.completion_fns.map(textOf).join(',')
    : textOf(spec.model_name)
  return { model: models ?? 'model', task: textOf(spec.eval_name) ?? textOf(spec.base_eval) ?? 'evals' }
}

/** A match is right or wrong; `accuracy` is what the final report calls its mean. */
function scoresOf({ type, data }: JsonObject): (readonly [string, number])[] {
  if (!isJsonObject(data)) return []
  if (type === 'match') {
    const correct = scoreFrom(data.correct)
    return correct === null ? [] : [['accuracy', correct]]
  }
  if (type !== 'metrics') return []
  return Object.entries(data).flatMap(([name, value]) => {
    const score = scoreFrom(value)
    return score === null ? [] : [[name, score] as const]
  })
}

function meansIn(report: JsonObject, task: string, step: number): RunEvent[] {
  return Object.entries(report).flatMap(([metric, cell]) => {
    const value = scoreFrom(cell)
    if (value === null || /bool?strap_std$|_std(?:err)?$/.test(metric)) return []
    const error = metric === 'accuracy' ? scoreFrom(report.boostrap_std ?? report.bootstrap_std) : null
    return reportedMean(task, metric, { step, value, n: null, error })
  })
}
