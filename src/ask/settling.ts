import { Problem } from '../model/problem.js'
import type { Workspace } from '../store/workspace.js'
import { openSuspicions } from '../study/lineage/suspicion.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import type { PlannedArm, StudyTrial } from '../study/plan/trials.js'
import { keepSettling } from '../study/settle/ledger.js'
import type { Components, Offer } from '../study/settle/next-purchase.js'
import type { PromptLook } from '../study/settle/settle-prompts.js'
import type { SeedLook } from '../study/settle/settle-seeds.js'
import { armAnswer } from '../study/settle/settled-arms.js'
import type { Settled } from '../study/settle/together.js'
import type { Cell } from '../study/status/cell.js'
import { cellsOf } from '../study/status/cells.js'
import { sentences } from '../text/sentences.js'
import type { Asking } from './question.js'
import type { Purchase } from './study-purchase.js'
import type { TrialEvent } from './study-train.js'

/** What both ways of settling a study, by seeds and by prompts, start from, tell and come to. */

const say = sentences({
  'study.settle.no-value': {
    en: '{trial} has no finite {metric} ({state}); without it the arms cannot be compared at equal seeds',
    zh: '{trial} 没有有限的 {metric}（{state}）；缺了它就无法在相同种子数下比较',
  },
  'study.settle.suspicious': {
    en: '{trial} is suspicious, so that nothing is settled with it: {why}; klens study acknowledge vouches for it',
    zh: '{trial} 可疑，不能据此作出结论：{why}；用 klens study acknowledge 可予以担保',
  },
})

export interface Settling {
  readonly workspace: Workspace
  readonly study: PlannedStudy
  readonly baseline: PlannedArm
  readonly others: readonly PlannedArm[]
  readonly dropped: ReadonlySet<string>
  readonly asking: Asking<SettleEvent>
  readonly buy: (trials: readonly StudyTrial[]) => Promise<Purchase>
}

export type SettleEvent =
  | TrialEvent
  | { readonly event: 'look'; readonly look: ArmLook }
  | { readonly event: 'offers'; readonly components: Components | null; readonly offers: readonly Offer[] }

export type ArmLook = { readonly other: string } & (SeedLook | PromptLook)

export interface Outcome {
  /** In the order of the arms. */
  readonly settled: readonly Settled<SeedLook | PromptLook>[]
  readonly bought: readonly {
    readonly look: number
    readonly trials: readonly string[]
    readonly prompts: number | null
  }[]
  readonly components: Components | null
  readonly offers: readonly Offer[]
  readonly next: { readonly look: number; readonly trials: number } | null
  readonly stopped: Purchase['stopped']
  /** Answers to prompts that were had. */
  readonly answers: number
}

export function nothingSettled(arms: readonly PlannedArm[]): Outcome {
  return {
    settled: arms.map(() => ({ looks: [], answer: null, why: null })),
    bought: [],
    components: null,
    offers: [],
    next: null,
    stopped: null,
    answers: 0,
  }
}

/** For whoever looks from elsewhere, such as a page. */
export async function keepProgress(
  { workspace, study, baseline, others, dropped }: Settling,
  planned: readonly number[],
  settled: Outcome['settled'],
): Promise<void> {
  const { settle, direction } = study.file
  await keepSettling(workspace, study.name, {
    by: settle.by,
    baseline: baseline.name,
    planned: [...planned],
    others: others.map(({ name }, i) => ({
      arm: name,
      looks: [...settled[i].looks],
      verdict: armAnswer(name, settled[i], { direction, dropped })[0]?.verdict ?? null,
    })),
  })
}

export async function trustedCells(
  workspace: Workspace,
  study: PlannedStudy,
  trials: readonly StudyTrial[],
): Promise<readonly Cell[]> {
  const cells = await cellsOf(workspace, study, trials)
  for (const cell of cells) refuseUntrusted(cell, study.file.metric)
  return cells
}

/** A seed that failed must not be passed over: which seeds fail may depend on the arm. */
function refuseUntrusted({ trial, value, state, suspicious }: Cell, metric: string): void {
  if (value === null || !Number.isFinite(value)) {
    throw new Problem('not-enough', say('study.settle.no-value', { trial: trial.name, metric, state }))
  }
  const open = openSuspicions(suspicious)
  if (open.length > 0) {
    const why = open.map(({ message }) => message)
    throw new Problem('not-enough', say('study.settle.suspicious', { trial: trial.name, why }))
  }
}
