import { Problem } from '../model/problem.js'
import type { Workspace } from '../store/workspace.js'
import type { Cell } from '../study/status/cell.js'
import { message } from '../text/say.js'
import { sentences } from '../text/sentences.js'
import type { TrainConfig } from '../train/config/selector-settings.js'
import { evaluateCheckpoint } from '../train/evaluate.js'
import { type LoadedCheckpoint, loadCheckpoint } from '../train/load-checkpoint.js'
import { queriesOf } from '../train/tasks/task.js'
import { taskOpener } from './eval.js'
import { keepEvaluations } from './keep-evaluations.js'
import type { Asking } from './question.js'

/** The last checkpoints of trials, asked the first so many prompts of a split; what they answered is kept with their runs. */

const say = sentences({
  'study.prompts.no-checkpoint': {
    en: '{trial} has no checkpoint that prompts could be asked of',
    zh: '{trial} 没有可供评测的检查点',
  },
  'study.prompts.language-model': {
    en: '{trial} trains a language model; settle can ask prompts of selectors only, so leave out settle.prompts',
    zh: '{trial} 训练的是语言模型；settle 只能对 selector 增加评测样本，请去掉 settle.prompts',
  },
  'study.prompts.none': {
    en: 'not one prompt of the split "{split}" has a score for all of {trials} trials',
    zh: '“{split}”中没有一个样本在全部 {trials} 个试验上都有分数',
  },
})

export interface PromptAsker {
  /** How many prompts there are. */
  readonly pool: (cell: Cell) => Promise<number>
  /** Scores of the same prompts, in the task's order, by trial; what some trial has no score for is left out for all. */
  readonly ask: (cells: readonly Cell[], count: number) => Promise<ReadonlyMap<string, readonly number[]>>
  /** Seconds that one prompt took one run, so far. */
  readonly secondsPerPrompt: () => number
  /** Answers that were had, of all runs together. */
  readonly answers: () => number
}

interface Answers {
  readonly asked: number
  readonly scores: ReadonlyMap<string, number>
}

export function promptAsker(workspace: Workspace, split: 'val' | 'test', { remark, signal }: Asking): PromptAsker {
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
