import { mkdir } from 'node:fs/promises'
import { takeLease } from '../../../core/store/lease.js'
import type { Workspace } from '../../../core/store/workspace.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import type { Language } from '../../../text/language.js'
import { sentences } from '../../../text/sentences.js'
import type { Cell, EvaluationCell } from '../cell.js'
import type { PlannedCondition, ProgramCondition } from '../evaluations/plan-evaluations.js'
import type { EvaluationRecord } from '../evaluations/records.js'
import type { StudyEvent } from '../events.js'
import type { Host } from '../executor/local.js'
import { freeze } from '../file/frozen.js'
import { studyFolder } from '../ledger.js'
import type { PlannedStudy } from '../plan/plan-study.js'
import type { TrialCheckpoint } from '../trial.js'

/**
 * A study that is worked on: its plan and where it is kept, the machine it is worked on from, and where its events go.
 * All that brings a study forward starts here: `runStudy` (run.ts), `settleStudy` (settle.ts), `searchStudy` (search.ts).
 */
export interface StudyEngine {
  readonly workspace: Workspace
  readonly plan: PlannedStudy
  readonly host: Host
  readonly scoring: Scoring
  /** Trials at a time; null: as the file says, or as many as there is place for. */
  readonly workers: number | null
  readonly language: Language
  readonly signal: AbortSignal
  readonly onEvent: (event: StudyEvent) => void
  readonly remark: (remark: Message) => void
}

const say = sentences({
  'study.run.busy': {
    en: 'the study "{study}" is being run by process {pid} on {host}; follow it with klens study status, or stop it there with Ctrl-C and run it again',
    zh: '研究“{study}”正由 {host} 上的进程 {pid} 运行；可用 klens study status 查看，或在那里按 Ctrl-C 停止后再运行',
  },
  'study.run.drop-elsewhere': {
    en: 'automatic dropping works only for trials that klens trains itself, on this machine; otherwise remove drop and use klens study drop FILE ARM',
    zh: '只有 klens 在本机自己训练的试验能中途暂停以放弃实验组；否则请去掉 drop，改用 klens study drop FILE ARM',
  },
  'study.run.over-budget': {
    en: 'the study plans {planned} trials and its budget is {budget}; use fewer arms or seeds, or raise budget.trials',
    zh: '研究计划了 {planned} 个试验，而预算为 {budget}；请减少实验组或种子，或提高 budget.trials',
  },
})

/** Throws where the plan cannot be run as it is. */
export function refuseUnrunnable({ file, trials }: PlannedStudy): void {
  const budget = file.budget.trials
  if (budget !== null && trials.length > budget) {
    throw new Problem('bad-request', say('study.run.over-budget', { planned: trials.length, budget }))
  }
  if (file.drop !== 'none' && !(file.executor.kind === 'local' && file.engine === 'builtin')) {
    throw new Problem('bad-request', say('study.run.drop-elsewhere', {}))
  }
}

/** Two processes that ran one study would both begin what neither has begun; so one at a time, frozen before it begins. */
export async function withStudyLease<Result>(
  workspace: Workspace,
  plan: PlannedStudy,
  work: () => Promise<Result>,
): Promise<Result> {
  const folder = studyFolder(workspace, plan.name)
  await mkdir(folder, { recursive: true })
  const lease = await takeLease(folder, 'train', (_folder, _purpose, { pid, host }) =>
    say('study.run.busy', { study: plan.name, pid: String(pid), host }),
  )
  try {
    await freeze(workspace, plan)
    return await work()
  } finally {
    await lease.release()
  }
}

/** Why not all was done: it was asked to stop, or the budget is spent. */
export type Stopped = 'asked' | 'out-of-budget' | null

/** How checkpoints are scored: by the same code as `klens eval` and `klens gym eval`, which lies above the engine. */
export interface Scoring {
  cellEvaluator(): CellEvaluator
  promptAsker(split: 'val' | 'test'): PromptAsker
}

export interface CellToEvaluate<Asks extends PlannedCondition['asks'] = PlannedCondition['asks']> {
  readonly cell: EvaluationCell & { readonly condition: { readonly asks: Asks } }
  readonly checkpoint: TrialCheckpoint
}

/** One cell of a study's matrix; what comes out is kept with a run before it is returned. */
export type CellEvaluator = (asked: CellToEvaluate<OwnCondition>) => Promise<EvaluationRecord>

/** Played by klens itself. */
export type OwnCondition = Exclude<PlannedCondition['asks'], ProgramCondition>

/** The last checkpoints of trials, asked the first so many prompts of a split. */
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
