import { z } from 'zod'
import type { Workspace } from '../store/workspace.js'
import { readDrops } from '../study/drop/ledger.js'
import { type PlannedStudy, planStudy } from '../study/plan/plan-study.js'
import { type StudyTrial, seedsOf, trialsOf } from '../study/plan/trials.js'
import { fixedDesign } from '../study/settle/fixed-design.js'
import { keepSettled, type SettledStudy } from '../study/settle/ledger.js'
import { promptLookSchema, seedLookSchema, verdictSchema } from '../study/settle/looks.js'
import { type ArmAnswer, armAnswer, armsToSettle, bestAnswer } from '../study/settle/settled-arms.js'
import { cellsOf } from '../study/status/cells.js'
import { list, request } from './fields.js'
import { ASKED_METRIC } from './keep-evaluations.js'
import { type Asking, question } from './question.js'
import { settleByPrompts } from './settle-by-prompts.js'
import { settleBySeeds } from './settle-by-seeds.js'
import type { ArmLook, SettleEvent } from './settling.js'
import { holdingStudy } from './study-hold.js'
import { allowPrograms, startingRequest } from './study-programs.js'
import { buyTrials } from './study-purchase.js'
import { cost, costOf, design, designAnswer } from './study-status.js'

/**
 * Which arms are better than the baseline? Seeds, or prompts, are bought for all of them, a few at a time, until that is
 * settled or the budget is spent. After each look it says what it knows, what it buys next and why.
 */

const ofArm = { other: z.string() }

const seedLook = z.object({ ...ofArm, ...seedLookSchema.shape })

const promptLook = z.object({ ...ofArm, ...promptLookSchema.shape })

const answer = z.object({
  ...ofArm,
  verdict: verdictSchema,
  why: z.enum(['claim', 'same', 'futile', 'last-look', 'dropped']),
})

const offer = z.object({
  kind: z.enum(['seeds', 'prompts']),
  count: z.number(),
  seconds: z.number(),
  error: z.number(),
})

const settleAnswer = z.object({
  study: z.string(),
  question: z.string(),
  /** What is judged: where prompts are bought, what they score. */
  metric: z.string(),
  direction: z.enum(['max', 'min']),
  margin: z.number().nullable(),
  design,
  by: z.enum(['seeds', 'prompts']),
  /** Seeds speak about the settings, prompts about these checkpoints. */
  scope: z.enum(['configs', 'checkpoints']),
  baseline: z.string(),
  /** In the order in which they were made; several arms have a look each. */
  looks: list(z.union([seedLook, promptLook])),
  /** Of each arm against the baseline, as far as it is settled. */
  answers: list(answer),
  /** Of the arm that did best. Null: stopped or out of budget before all was settled. */
  answer: answer.nullable(),
  /** What was bought for each look, by this call: trainings, and prompts that each run was asked. */
  bought: list(z.object({ look: z.number(), trials: list(z.string()), prompts: z.number().nullable() })),
  /** Scatter between seeds, and what the prompts add to a run's score; null where prompts are not bought. */
  components: z.object({ seeds: z.number(), prompts: z.number(), asked: z.number() }).nullable(),
  /** What could be bought next, the better buy first; empty where it is settled. */
  offers: list(offer),
  /** The next look, and the trainings that it would take; null where it is settled. */
  next: z.object({ look: z.number(), trials: z.number() }).nullable(),
  stopped: z.enum(['asked', 'out-of-budget']).nullable(),
  cost: cost.extend({ answers: z.number() }),
  /** Of a study that looks only once (`study/settle/fixed-design.ts`); null before the first look. */
  fixedDesignCost: cost
    .extend({ seeds: z.number(), prompts: z.number().nullable(), by: z.enum(['margin', 'most']) })
    .nullable(),
})

export type StudySettleAnswer = z.infer<typeof settleAnswer>

const settleRequest = request(startingRequest)

export const studySettle = question({
  request: settleRequest,
  answer: settleAnswer,
  async ask(workspace, { file, workers, executor, trust, lang }, asking: Asking<SettleEvent>) {
    return settleStudy(workspace, await planStudy(file, executor), { workers, trust, lang }, asking)
  },
})

/** `study`: as its file plans it, or as it was frozen. */
export async function settleStudy(
  workspace: Workspace,
  study: PlannedStudy,
  { workers, trust, lang }: Omit<z.output<typeof settleRequest>, 'file' | 'executor'>,
  asking: Asking<SettleEvent>,
): Promise<StudySettleAnswer> {
  const [baseline, ...others] = armsToSettle(study)
  const { metric, margin, direction, settle } = study.file
  await allowPrograms(workspace, study, trust)
  return holdingStudy(workspace, study, async () => {
    const dropped = new Set((await readDrops(workspace, study.name)).map(({ arm }) => arm))
    const buy = (trials: readonly StudyTrial[]) =>
      buyTrials(workspace, study, trials, { workers, lang, counted: allTrials(study, trials) }, asking)
    const settling = { workspace, study, baseline, others, dropped, asking, buy }
    const outcome = settle.by === 'seeds' ? await settleBySeeds(settling) : await settleByPrompts(settling)
    const { settled, components } = outcome
    const answers = others.flatMap(({ name }, i) => armAnswer(name, settled[i], { direction, dropped }))
    const looks = others.flatMap(({ name }, i) => settled[i].looks.map(look => ({ other: name, ...look })))
    const estimates = new Map(looks.map(({ other, estimate }) => [other, estimate]))
    const most = allTrials(study, trialsOf(study.name, [baseline, ...others], mostSeeds(study)))
    const spent = { ...costOf(await cellsOf(workspace, study, most)), answers: outcome.answers }
    const fixedDesignCost = fixedCost(looks.at(-1), study, others.length, spent)
    if (answers.length === others.length) {
      await keepSettled(workspace, study.name, settledOf(settle.by, answers, looks, fixedDesignCost))
    }
    return {
      study: study.name,
      question: study.file.question,
      metric: settle.by === 'prompts' || settle.prompts !== undefined ? ASKED_METRIC : metric,
      direction,
      margin,
      design: await designAnswer(workspace, study),
      by: settle.by,
      scope: settle.by === 'seeds' ? ('configs' as const) : ('checkpoints' as const),
      baseline: baseline.name,
      looks: looks.toSorted((a, b) => sizeOf(a) - sizeOf(b)),
      answers,
      answer: answers.length < others.length ? null : bestAnswer(answers, estimates, direction),
      bought: outcome.bought,
      components:
        components === null
          ? null
          : {
              seeds: Math.sqrt(components.seeds),
              prompts: Math.sqrt(components.prompts / components.asked),
              asked: components.asked,
            },
      offers: outcome.offers,
      next: outcome.next,
      stopped: outcome.stopped,
      cost: spent,
      fixedDesignCost,
    }
  })
}

function settledOf(
  by: 'seeds' | 'prompts',
  answers: readonly ArmAnswer[],
  looks: readonly ArmLook[],
  fixed: StudySettleAnswer['fixedDesignCost'],
): SettledStudy {
  return {
    by,
    looks: new Set(looks.map(sizeOf)).size,
    answers: answers.map(({ other, verdict }) => {
      const last = looks.findLast(look => look.other === other)
      const known = { other, verdict, estimate: last?.estimate ?? null }
      return last !== undefined && 'seeds' in last
        ? { ...known, interval: last.interval, p: last.p, seeds: last.seeds }
        : { ...known, interval: null, p: null, seeds: 1 }
    }),
    fixed: fixed === null ? null : { trials: fixed.trials, hours: fixed.hours, prompts: fixed.prompts },
  }
}

function sizeOf(look: ArmLook): number {
  return 'seeds' in look ? look.seeds : look.prompts
}

function mostSeeds({ file: { seeds, settle } }: PlannedStudy): readonly number[] {
  return seedsOf(seeds, Math.max(seeds.length, settle.by === 'seeds' ? settle.most : 1))
}

/** The budget is the study's, whichever arms it was spent on. */
function allTrials(study: PlannedStudy, more: readonly StudyTrial[]): readonly StudyTrial[] {
  return [...new Map([...study.trials, ...more].map(trial => [trial.id, trial])).values()]
}

/** Priced by what a trial has cost so far. */
function fixedCost(
  last: ArmLook | undefined,
  { file: { margin, settle } }: PlannedStudy,
  others: number,
  spent: StudySettleAnswer['cost'],
): StudySettleAnswer['fixedDesignCost'] {
  if (last === undefined) return null
  const fixed = fixedDesign(last, { margin, most: settle.most, others })
  return { ...fixed, hours: (spent.hours / Math.max(1, spent.trials)) * fixed.trials }
}
