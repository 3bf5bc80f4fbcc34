import { createHash } from 'node:crypto'
import { loadRun } from '../../core/store/catalogue.js'
import { readSamples } from '../../core/store/samples.js'
import { readSampleTexts } from '../../core/store/texts.js'
import type { Workspace } from '../../core/store/workspace.js'
import type { Cell } from '../../lab/study/cell.js'
import type { CellEvaluator, CellToEvaluate, PromptAsker, Scoring } from '../../lab/study/engine/engine.js'
import type { DialogueCondition, SelectorCondition } from '../../lab/study/evaluations/plan-evaluations.js'
import type { EvaluationRecord } from '../../lab/study/evaluations/records.js'
import type { TrainConfig } from '../../lab/train/config/selector-settings.js'
import { evaluateCheckpoint, evaluatedSplit } from '../../lab/train/evaluate.js'
import { type LoadedCheckpoint, loadCheckpoint } from '../../lab/train/load-checkpoint.js'
import { queriesOf } from '../../lab/train/tasks/task.js'
import type { Condition } from '../../logs/model/evaluation.js'
import { sha256 } from '../../logs/model/id.js'
import { Problem } from '../../logs/model/problem.js'
import { mean } from '../../stats/descriptive.js'
import type { Language } from '../../text/language.js'
import { message } from '../../text/say.js'
import { render, sentences } from '../../text/sentences.js'
import { taskOpener } from './eval.js'
import { gymEval } from './gym-eval.js'
import { dialoguePlace } from './gym-keep.js'
import { sceneFor } from './gym-request.js'
import { ASKED_METRIC, conditionOf, keepEvaluations, keepingRun, stepOf } from './keep-evaluations.js'
import type { Asking } from './question.js'

/**
 * The checkpoints of a study scored by the same code as `klens eval` and `klens gym eval`. What comes out is read
 * back from the store and not from memory: a record is only made of scores that are kept. For the same reason scores that
 * are there already, because a process was killed before it could record them, are not evaluated again.
 */

const say = sentences({
  'study.eval.not-kept': {
    en: 'its scores could not be kept, because another process holds run {run}',
    zh: '另一进程占用 run {run}，分数未能保存',
  },
  'study.prompts.no-checkpoint': {
    en: '{trial} has no checkpoint to evaluate more prompts with',
    zh: '{trial} 没有可供评测的检查点',
  },
  'study.prompts.language-model': {
    en: '{trial} trains a language model; klens study settle can add prompts for selectors only, so remove settle.prompts',
    zh: '{trial} 训练的是语言模型；settle 只能对 selector 增加评测样本，请去掉 settle.prompts',
  },
  'study.prompts.none': {
    en: 'no prompt of the split "{split}" has a score for all of {trials} trial{trials||s}',
    zh: '“{split}”中没有一个样本在全部 {trials} 个试验上都有分数',
  },
})

export function studyScoring(workspace: Workspace, language: Language, asking: Asking): Scoring {
  return {
    cellEvaluator: () => cellEvaluator(workspace, language, asking),
    promptAsker: split => promptAsker(workspace, split, asking),
  }
}

function cellEvaluator(workspace: Workspace, lang: Language, asking: Asking): CellEvaluator {
  const open = taskOpener(workspace, asking.remark)
  let latest: LoadedCheckpoint | null = null

  async function loaded(path: string): Promise<LoadedCheckpoint> {
    if (latest?.path === path) return latest
    latest = await loadCheckpoint(path)
    if (latest === null) throw new Problem('unreadable', message('eval.no-selector', { path }))
    return latest
  }

  async function choices(asked: CellToEvaluate, { config, shots, split: wanted }: SelectorCondition): Promise<Scored> {
    const { cell, checkpoint } = asked
    const { samples } = cell.condition
    const [weights, task] = [await loaded(checkpoint.path), await open(config)]
    const split = evaluatedSplit(task, wanted)
    const place = {
      run: await keepingRun(workspace, weights),
      step: stepOf(weights),
      condition: conditionOf({ task, shots, split }),
      ids: queriesOf(task, split)
        .slice(0, samples ?? undefined)
        .map(({ id }) => id),
      repeats: 1,
    }
    return keptOr(workspace, place, weights.contentHash, async () => {
      const request = { task, config, shots: [shots], split, samples }
      const evaluated = await evaluateCheckpoint(checkpoint.path, weights, request)
      await keepEvaluations(workspace, cell.trial.name, evaluated, asking.remark)
      return evaluated.flatMap(({ validation: { reason } }) => (reason === null ? [] : [render(reason, lang)]))
    })
  }

  async function dialogues(asked: CellToEvaluate, condition: DialogueCondition): Promise<Scored> {
    const { cell, checkpoint } = asked
    const { data, split, language, maxTurns, temperature, repeats, quirks } = condition
    const limit = cell.condition.samples
    const policy = `${cell.trial.runs[0] ?? null}@${checkpoint.step}`
    const settings = { policy, weights: checkpoint.contentHash, temperature }
    const common = { split, temperature, maxTurns, simulator: 'embedded', gym: 'intention', quirk: quirks } as const
    const scene = await sceneFor(workspace, { ...common, prompts: null, data, language, limit })
    const { id: run, condition: kept } = dialoguePlace(settings, { ...common, data: scene.data })
    const ids = scene.tasks.map(({ id }) => id)
    return keptOr(workspace, { run, step: 0, condition: kept, ids, repeats }, checkpoint.contentHash, async () => {
      const request = { ...common, prompts: null, policies: [policy], data, language, repeats, limit, lang }
      return (await gymEval.ask(workspace, request, asking)).reasons
    })
  }

  return async asked => {
    const { cell, checkpoint } = asked
    const began = performance.now()
    const { asks, hash } = cell.condition
    const scored = asks.kind === 'selector' ? await choices(asked, asks) : await dialogues(asked, asks)
    return {
      ...{ condition: hash, trial: cell.trial.id, step: checkpoint.step },
      ...scored,
      seconds: (performance.now() - began) / 1000,
      at: Date.now() / 1000,
    }
  }
}

type Scored = Omit<EvaluationRecord, 'condition' | 'trial' | 'step' | 'seconds' | 'at'>

/** Which scores are wanted, and where in the store they are or will be. */
interface ScorePlace {
  readonly run: string
  readonly step: number
  readonly condition: Condition
  readonly ids: readonly string[]
  readonly repeats: number
}

async function keptOr(
  workspace: Workspace,
  place: ScorePlace,
  contentHash: string,
  evaluate: () => Promise<readonly string[]>,
): Promise<Scored> {
  const before = await keptScores(workspace, place)
  if (before !== null && before.missing === 0) return { ...before, contentHash, origin: 'store', reasons: [] }
  const reasons = await evaluate()
  const now = await keptScores(workspace, place)
  if (now === null || (now.missing > 0 && reasons.length === 0)) {
    throw new Problem('busy', say('study.eval.not-kept', { run: place.run }))
  }
  return { ...now, contentHash, origin: 'evaluated', reasons }
}

/** Null where the store has nothing of it. */
async function keptScores(workspace: Workspace, { run: id, step, condition, ids, repeats }: ScorePlace) {
  const run = await loadRun(workspace, id)
  if (run === null) return null
  const wanted = new Set(ids)
  const scores = new Map<string, number>()
  const bySample = new Map<string, number[]>()
  for (const batch of await readSamples(run, { metric: ASKED_METRIC, step, condition })) {
    batch.ids.forEach((sample, i) => {
      const repeat = batch.repeats?.[i] ?? 0
      if (!wanted.has(sample) || repeat >= repeats) return
      scores.set(`${sample} ${repeat}`, batch.scores[i])
      bySample.set(sample, [...(bySample.get(sample) ?? []), batch.scores[i]])
    })
  }
  const chosen = new Map<string, string>()
  for await (const rows of readSampleTexts(run, { metric: ASKED_METRIC, step, condition, ids })) {
    for (const { sample, repeat, choice, output } of rows) {
      if (repeat < repeats) chosen.set(`${sample} ${repeat}`, choice ?? output ?? '')
    }
  }
  if (scores.size === 0 && chosen.size === 0) return null
  const values = [...bySample.values()].map(mean)
  return {
    run: id,
    dataset: condition.dataset ?? '',
    split: condition.split ?? '',
    value: values.length === 0 ? null : mean(values),
    n: values.length,
    missing: ids.length * repeats - scores.size,
    scores: hashOf(scores),
    choices: sixteenths(chosen),
    distinctScores: new Set(scores.values()).size,
    distinctChoices: new Set(chosen.values()).size,
  }
}

const PIECES = 16

/** A sample is always in the same piece. */
function sixteenths(chosen: ReadonlyMap<string, string>): string {
  const pieces = Array.from({ length: PIECES }, () => new Map<string, string>())
  for (const [sample, choice] of chosen) {
    pieces[createHash('sha256').update(sample).digest()[0] % PIECES].set(sample, choice)
  }
  return pieces.map(piece => hashOf(piece).slice(0, 12)).join(' ')
}

/** Whatever the order in which they came. */
function hashOf(values: ReadonlyMap<string, string | number>): string {
  const inOrder = [...values].sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(inOrder.map(([sample, value]) => `${JSON.stringify(sample)} ${JSON.stringify(value)}\n`).join(''))
}

interface Answers {
  readonly asked: number
  readonly scores: ReadonlyMap<string, number>
}

/** What they answered is kept with their runs. */
function promptAsker(workspace: Workspace, split: 'val' | 'test', { remark, signal }: Asking): PromptAsker {
  const open = taskOpener(workspace, remark)
  const known = new Map<string, Answers>()
  const spent = { answers: 0, seconds: 0 }

  async function answersOf(cell: Cell, count: number): Promise<Answers> {
    const { trial, checkpoint } = cell
    const before = known.get(trial.id)
    if (before !== undefined && before.asked >= count) return before
    signal?.throwIfAborted()
    const { path, loaded } = await load(cell)
    const config = selectorConfig(cell)
    const task = await open(config)
    const started = performance.now()
    const shots = [config.policy.shots]
    const evaluated = await evaluateCheckpoint(path, loaded, { task, config, shots, split, samples: count })
    spent.seconds += (performance.now() - started) / 1000
    spent.answers += count
    await keepEvaluations(workspace, `${trial.name}@${checkpoint?.step ?? 0}`, evaluated, remark)
    const [{ validation }] = evaluated
    const answers = { asked: count, scores: new Map(validation.ids.map((id, i) => [id, validation.scores[i]])) }
    known.set(trial.id, answers)
    return answers
  }

  return {
    async pool(cell) {
      return queriesOf(await open(selectorConfig(cell)), split).length
    },
    async ask(cells, count) {
      const all = new Map<string, Answers>()
      for (const cell of cells) all.set(cell.trial.id, await answersOf(cell, count))
      const [first] = cells
      const order = queriesOf(await open(selectorConfig(first)), split).slice(0, count)
      const shared = order.map(({ id }) => id).filter(id => [...all.values()].every(({ scores }) => scores.has(id)))
      if (shared.length === 0)
        throw new Problem('not-enough', say('study.prompts.none', { split, trials: cells.length }))
      return new Map([...all].map(([trial, { scores }]) => [trial, shared.flatMap(id => scores.get(id) ?? [])]))
    },
    secondsPerPrompt: () => spent.seconds / Math.max(1, spent.answers),
    answers: () => spent.answers,
  }
}

function selectorConfig({ trial: { name, config } }: Cell): TrainConfig {
  if (config !== null && config.task !== 'intention') return config
  throw new Problem('bad-request', say('study.prompts.language-model', { trial: name }))
}

async function load({
  trial,
  checkpoint,
}: Cell): Promise<{ readonly path: string; readonly loaded: LoadedCheckpoint }> {
  if (checkpoint === null) throw new Problem('not-enough', say('study.prompts.no-checkpoint', { trial: trial.name }))
  const loaded = await loadCheckpoint(checkpoint.path)
  if (loaded === null) throw new Problem('unreadable', message('eval.no-selector', { path: checkpoint.path }))
  return { path: checkpoint.path, loaded }
}
