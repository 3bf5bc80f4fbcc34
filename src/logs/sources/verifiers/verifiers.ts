import { basename, dirname, join } from 'node:path'
import { sha256 } from '../../../logs/model/id.js'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { headText } from '../encoding.js'
import { evaluatedModel, evaluationBelonging } from '../evaluations/evaluated-model.js'
import {
  columnsOf,
  EVALUATION_FILE,
  eventsOfRecords,
  gatherItems,
  type ItemAnswer,
  readJson,
  repeatCounter,
  scoreFrom,
  settingsUnder,
  textOf,
} from '../evaluations/item-scores.js'
import type { Source, SourceFile } from '../source.js'

/**
 * verifiers. Until 0.1 `vf-eval` writes `results.jsonl`, a line for each rollout, with `metadata.json` beside it; version
 * 1 of the traces, since 0.2, is `traces.jsonl`, a line for each episode. The reward is the score; rollouts of one
 * example are repeats of one item. Episodes of a training are rollouts, not an evaluation.
 */
const RESULT = /^\s*\{\s*"example_id"\s*:\s*(?:\d|")/
const TRACE = /^\s*\{"id":"[0-9a-f]{32}","env":\{[^{}]{0,400}\},"task":\{"type":/
const OF_TRAINING = /"run":\{"type":"train"/

type Rollout = Omit<ItemAnswer, 'repeat'>

function verifiersSource(
  recognise: (head: string) => boolean,
  rolloutOf: (record: JsonObject, about: Json | undefined) => Rollout,
): Source {
  return {
    id: 'verifiers',
    ...EVALUATION_FILE,
    recognise: file => recognise(headText(file) ?? ''),
    describe: async file => {
      const { model, task } = namesOf(file, await readJson(join(dirname(file.path), METADATA)))
      const belonging = evaluationBelonging('verifiers', file.path, evaluatedModel(file.path, model), {
        call: basename(file.path),
        order: 0,
      })
      return [belonging.ofCheckpoint === true || task === null ? belonging : { ...belonging, name: `${model}/${task}` }]
    },
    async *read(file) {
      const about = await readJson(join(dirname(file.path), METADATA))
      const { model, task } = namesOf(file, about)
      const { step } = evaluatedModel(file.path, model)
      const gathered = gatherItems(step ?? 0)
      const repeatOf = repeatCounter()
      const tasks = new Set<string>()
      yield* eventsOfRecords(
        file,
        (record, emit) => {
          const rollout = rolloutOf(record, about)
          const named = { ...rollout, task: rollout.task === '' ? (task ?? 'verifiers') : rollout.task }
          if (named.scores.length > 0) tasks.add(named.task)
          gathered.take({ ...named, repeat: repeatOf(`${named.task}\0${named.id}`) }, emit)
        },
        emit => {
          if (step === null) emit({ type: 'config', config: configOf(about, model, tasks) })
          gathered.finish(emit)
          emit({ type: 'status', status: 'finished' })
        },
      )
    },
    surroundings: {
      parts: names => new Set(names.includes('results.jsonl') && names.includes(METADATA) ? [METADATA] : []),
    },
  }
}

const METADATA = 'metadata.json'

/** By the metadata, else by the folder: `<env>--<model>` or `<env>--<model>--<harness>--<id>`. */
function namesOf(
  { path }: SourceFile,
  about: Json | undefined,
): { readonly model: string; readonly task: string | null } {
  const folders = [dirname(path), dirname(dirname(path))].map(folder => basename(folder).split('--'))
  const [task = null, model = null] = folders.find(parts => parts.length > 1) ?? []
  const told = isJsonObject(about) ? about : {}
  return {
    model: textOf(told.model) ?? model?.replaceAll('__', '/') ?? basename(dirname(path)),
    task: textOf(told.env_id) ?? task,
  }
}

function configOf(about: Json | undefined, model: string, tasks: ReadonlySet<string>): Config {
  const told = isJsonObject(about) ? about : {}
  const perTask = [...tasks].map(task =>
    settingsUnder(`task.${task}.`, {
      metric: 'reward',
      repeats: told.rollouts_per_example ?? null,
      ...settingsUnder('', told.sampling_args),
      ...settingsUnder('arg.', told.env_args),
    }),
  )
  return Object.assign(settingsUnder('', { model, limit: told.num_examples ?? null }), ...perTask)
}

/** What stands in a line beside scores. */
const NO_METRIC =
  /^(?:example_id|reward|error|answer|task|prompt|completion|info|.*_ms|is_(?:completed|truncated)|stop_condition|timing|token_usage|metrics)$/

export const verifiersResults = verifiersSource(
  head => RESULT.test(head) && head.includes('"prompt"') && head.includes('"completion"'),
  (record, about) => ({
    task: textOf(isJsonObject(about) ? about.env_id : null) ?? textOf(record.task) ?? '',
    id: textOf(record.example_id) ?? '',
    scores: [
      ...scored('reward', record.reward),
      ...Object.entries(isJsonObject(record.metrics) ? record.metrics : record).flatMap(([name, value]) =>
        NO_METRIC.test(name) ? [] : scored(name, value),
      ),
    ],
    texts: {
      input: lastWords(record.prompt),
      output: lastWords(record.completion),
      expected: textOf(record.answer),
      choice: null,
    },
    columns: columnsOf({ prompt_hash: hashOf(record.prompt) }, record.info),
  }),
)

export const verifiersTraces = verifiersSource(
  head => TRACE.test(head) && !OF_TRAINING.test(head),
  record => {
    const { task, env } = record
    const traces = Array.isArray(record.traces) ? record.traces.filter(isJsonObject) : []
    const data = isJsonObject(task) && isJsonObject(task.data) ? task.data : {}
    const key = isJsonObject(task) ? (textOf(task.key) ?? textOf(task.hash)) : null
    return {
      task: (isJsonObject(env) ? textOf(env.id) : null) ?? '',
      id: key?.slice(0, 16) ?? textOf(data.id) ?? textOf(data.idx) ?? '',
      scores: scoresOfTrace(traces[0]),
      texts: { input: lastWords(data.prompt), output: textOf(traces[0]?.root_reply), expected: null, choice: null },
      columns: columnsOf({ name: data.name ?? null }, traces[0]?.info),
    }
  },
)

/** The reward is the weighted sum, and each part a score of its own; nothing where the scoring did not run. */
function scoresOfTrace(trace: JsonObject | undefined): (readonly [string, number])[] {
  const rewards = Object.entries(isJsonObject(trace?.rewards) ? trace.rewards : {}).flatMap(([name, part]) => {
    const score = isJsonObject(part) ? scoreFrom(part.score) : null
    return score === null ? [] : [{ name, score, weight: (isJsonObject(part) ? scoreFrom(part.weight) : null) ?? 1 }]
  })
  if (rewards.length === 0) return []
  const metrics = Object.entries(isJsonObject(trace?.metrics) ? trace.metrics : {})
  return [
    ['reward', rewards.reduce((sum, { score, weight }) => sum + score * weight, 0)],
    ...rewards.map(({ name, score }) => [`reward/${name}`, score] as const),
    ...metrics.flatMap(([name, value]) => scored(name, value)),
  ]
}

function scored(name: string, value: Json | undefined): (readonly [string, number])[] {
  const score = scoreFrom(value)
  return score === null ? [] : [[name, score]]
}

function lastWords(messages: Json | undefined): string | null {
  const last = Array.isArray(messages) ? messages.at(-1) : messages
  return textOf(isJsonObject(last) ? last.content : last)
}

function hashOf(prompt: Json | undefined): string {
  return sha256(JSON.stringify(prompt ?? null)).slice(0, 16)
}
