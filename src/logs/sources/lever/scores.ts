import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import { parsePythonJson } from '../python-json.js'
import type { Source, SourceFile } from '../source.js'
import { warning } from '../source-helpers.js'

/**
 * Accuracies by the number of demonstrations, out of Lever-Plus's result files. Files of one folder that differ only in the
 * epoch are checkpoints of one run. Several retrievers in one file are several runs.
 */
export const leverScores: Source = {
  id: 'lever-plus-scores',
  role: 'table',
  grows: false,
  keep: 'all',
  namesMetrics: true,

  recognise({ head }) {
    const text = Buffer.from(head).toString('utf8')
    return METRICS.test(text) || (RESULT.test(text) && /"shot_num"\s*:\s*\d/.test(text) && /"grpo_ckpt"\s*:/.test(text))
  },

  async describe(file) {
    const results = await readResults(file)
    const whole = runOf(file)
    const folder = dirname(file.path)
    if (results === null) return [{ run: whole.run, name: whole.name, folder, order: 0, firstRecord: '' }]
    return results.map(({ retriever, step }) => ({
      run: `${whole.run}#${retriever}`,
      member: retriever,
      name: results.length === 1 ? whole.name : `${whole.name} ${retriever}`,
      folder,
      order: step,
      firstRecord: '',
    }))
  },

  async *read(file, { run }) {
    const results = await readResults(file)
    if (results === null) {
      yield [unreadable(file)]
      return
    }
    const whole = `${runOf(file).run}#`
    yield results.filter(({ retriever }) => run === `${whole}${retriever}`).flatMap(eventsOf)
  },
}

const METRICS = /^\s*\{\s*"[^"\\]{0,500}"\s*:\s*\{\s*"shot_num=\d{1,3}"\s*:/
const RESULT = /^\s*\{[^{}]{0,2000}"accuracy"\s*:/

function runOf(file: SourceFile): { readonly run: string; readonly name: string } {
  const folder = dirname(file.path)
  const stem = basename(file.path, '.json')
  const [, name = ''] = /^(.*?)_?(?:epoch[-_]?\d+)?_metrics$/i.exec(stem) ?? []
  if (name !== '') return { run: `lever-plus:${folder}/${name}`, name }
  return { run: `lever-plus:${folder}`, name: basename(folder) }
}

function eventsOf({ step, n, scores, settings, changed }: Results): RunEvent[] {
  const shots = [...scores.keys()].sort((a, b) => a - b)
  const metrics = shots.map(count => `shot_num=${count}`)
  const values = shots.map(count => scores.get(count) ?? Number.NaN)
  const warnings: RunEvent[] =
    changed.length === 0 ? [] : [warning(say('lever.evaluated-twice', { step, shots: changed.join(', ') }))]
  return [
    { type: 'config', config: settings },
    { type: 'row', step, time: null, metrics, values },
    ...shots.map((count, i): RunEvent => {
      const condition = { shots: count }
      const [metric = '', value = Number.NaN] = [metrics[i], values[i]]
      return {
        type: 'evaluation',
        evaluation: { metric, step, condition, value, n, quality: 'measured' },
      }
    }),
    ...warnings,
  ]
}

/**
 * What Lever-Plus's evaluations write. `icl_inference.py` keeps one file per checkpoint, `…_epoch2_metrics.json`, with an
 * entry per evaluation: `{"2025-12-22 10:01:02.1-test_data_num=200-LeverLMRetriever": {"shot_num=1": 0.57, …}}`.
 * `evaluate_v3` writes `v3_vqa_result.json`: `{"accuracy": 0.57, "shot_num": 2, "dataset": …, "grpo_ckpt": …}`.
 */
interface Results {
  /** How demonstrations were chosen: by the trained policy, at random, by similarity. */
  readonly retriever: string
  /** The GRPO epoch of the checkpoint; 0 when none is told, or when it is from before GRPO. */
  readonly step: number
  /** Questions asked; null where the file does not tell, or asks all. */
  readonly n: number | null
  /** Accuracy by the number of demonstrations. */
  readonly scores: ReadonlyMap<number, number>
  readonly settings: JsonObject
  /** Numbers of demonstrations that were evaluated twice with different outcomes. */
  readonly changed: readonly number[]
}

/** Real ones have a few kilobytes. */
const LARGEST = 16 << 20

async function readResults(file: SourceFile): Promise<readonly Results[] | null> {
  if (file.size > LARGEST) return null
  const value = parsePythonJson(await readFile(file.path, 'utf8'))
  if (!isJsonObject(value)) return null
  const single = singleResult(value)
  return single === null ? metricsFile(value, epochIn(basename(file.path))) : [single]
}

export function epochIn(text: string): number {
  return Number(/epoch[-_]?(\d{1,9})/i.exec(text)?.[1] ?? 0)
}

function singleResult(value: JsonObject): Results | null {
  const { accuracy, shot_num: shots, grpo_ckpt: checkpoint, model, dataset } = value
  const score = numberFromJson(accuracy)
  if (score === undefined || !isShots(shots)) return null
  const path = typeof checkpoint === 'string' ? checkpoint : ''
  const settings = Object.entries({ grpo_ckpt: checkpoint, infer_model: model, dataset })
  return {
    retriever: '',
    step: /rce_epoch/.test(basename(path)) ? 0 : epochIn(basename(path)),
    n: null,
    scores: new Map([[shots, score]]),
    settings: Object.fromEntries(
      settings.filter((member): member is [string, string] => typeof member[1] === 'string'),
    ),
    changed: [],
  }
}

const INFO = /^(?:.*-)?test_data_num=(-?\d{1,9})-(.+)$/
const SHOTS = /^shot_num=(\d{1,3})$/

function metricsFile(value: JsonObject, step: number): readonly Results[] | null {
  const byRetriever = new Map<string, { n: number | null; scores: Map<number, number>; changed: Set<number> }>()
  for (const [info, scores] of Object.entries(value)) {
    if (!isJsonObject(scores)) continue
    const [, asked = '-1', retriever = ''] = INFO.exec(info) ?? []
    const known = byRetriever.get(retriever) ?? { n: null, scores: new Map(), changed: new Set() }
    byRetriever.set(retriever, known)
    known.n = Number(asked) > 0 ? Number(asked) : null
    for (const [key, member] of Object.entries(scores)) {
      const shots = Number(SHOTS.exec(key)?.[1] ?? Number.NaN)
      const score = numberFromJson(member)
      if (Number.isNaN(shots) || score === undefined) continue
      const before = known.scores.get(shots)
      if (before !== undefined && !Object.is(before, score)) known.changed.add(shots)
      known.scores.set(shots, score)
    }
  }
  const results = [...byRetriever].filter(([, { scores }]) => scores.size > 0)
  if (results.length === 0) return null
  return results.map(([retriever, { n, scores, changed }]) => ({
    retriever,
    step,
    n,
    scores,
    settings: { ...(retriever !== '' && { retriever }), ...(n !== null && { test_data_num: n }) },
    changed: [...changed],
  }))
}

function isShots(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1000
}

export function unreadable({ path }: SourceFile): RunEvent {
  return warning(say('lever.unreadable', { file: basename(path) }))
}

const say = sentences({
  'lever.unreadable': {
    en: '{file} looks like a result of Lever-Plus, but could not be read: it is not complete JSON, or too large',
    zh: '{file} 看起来是 Lever-Plus 的结果文件，但无法读取：JSON 不完整，或文件过大',
  },
  'lever.evaluated-twice': {
    en: 'the checkpoint of epoch {step} was evaluated more than once with different accuracies (shot {shots}): the last one is used. Which checkpoint was loaded, and was decoding deterministic?',
    zh: 'epoch {step} 的 checkpoint 被多次评测且准确率不一致（shot {shots}），以最后一次为准。请确认加载的是哪个 checkpoint，以及解码是否确定',
  },
})
