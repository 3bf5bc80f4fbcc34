import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { mean } from '../stats/descriptive.js'
import { pairedPrompts, promptsForEquivalence, seedsForDifference, seedsForEquivalence } from '../stats/sample-size.js'
import type { Workspace } from '../store/workspace.js'
import { readDrops } from '../study/drop/ledger.js'
import { openSuspicions } from '../study/lineage/suspicion.js'
import { type PlannedStudy, planStudy } from '../study/plan/plan-study.js'
import { type PlannedArm, type StudyTrial, seedsOf, trialsOf } from '../study/plan/trials.js'
import { keepLooks, keepSettled, keepSettling, readLooks, type SettledStudy } from '../study/settle/ledger.js'
import { promptLookSchema, seedLookSchema, verdictSchema } from '../study/settle/looks.js'
import { type Components, componentsOf, type Offer, offersFor } from '../study/settle/next-purchase.js'
import { type PromptLook, settlePrompts } from '../study/settle/settle-prompts.js'
import { type SeedLook, settlePlan, settleSeeds } from '../study/settle/settle-seeds.js'
import type { Settled } from '../study/settle/together.js'
import type { Cell } from '../study/status/cell.js'
import { cellsOf } from '../study/status/cells.js'
import { sentences } from '../text/sentences.js'
import { evaluateTrials } from './evaluate-trials.js'
import { list, numberWithin, request } from './fields.js'
import { ASKED_METRIC } from './keep-evaluations.js'
import { type Asking, question } from './question.js'
import { type PromptAsker, promptAsker } from './study-prompts.js'
import { type AskedTrials, holdingStudy, type TrialEvent, trainTrials } from './study-run.js'
import { cost, costOf, design, designAnswer } from './study-status.js'

/**
 * Which arms are better than the baseline? Seeds, or prompts, are bought for all of them, a few at a time, until that is
 * settled or the budget is spent. After each look it says what it knows, what it buys next and why.
 */

const say = sentences({
  'study.settle.which': {
    en: 'settle compares arms with a baseline, and this study has {count}: {arms}',
    zh: 'settle 将各 arm 与基线比较，而此研究只有 {count} 个：{arms}',
  },
  'study.settle.no-arm': { en: 'there is no arm "{arm}"; there are {arms}', zh: '没有 arm“{arm}”；现有 {arms}' },
  'study.settle.no-value': {
    en: '{trial} has no finite {metric} ({state}); without it the arms cannot be compared at equal seeds',
    zh: '{trial} 没有有限的 {metric}（{state}）；缺了它就无法在相同种子数下比较',
  },
  'study.settle.suspicious': {
    en: '{trial} is suspicious, so that nothing is settled with it: {why}; klens study acknowledge vouches for it',
    zh: '{trial} 可疑，不能据此作出结论：{why}；用 klens study acknowledge 可予以担保',
  },
})

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
  /**
   * A single look that four times in five finds a difference of the margin where there is one and shows the same where
   * there is none, with the spread that was seen; without a margin, as much as the last planned look has. Null before
   * the first look.
   */
  fixedDesignCost: cost
    .extend({ seeds: z.number(), prompts: z.number().nullable(), by: z.enum(['margin', 'most']) })
    .nullable(),
})

export type StudySettleAnswer = z.infer<typeof settleAnswer>
export type StudyLook = StudySettleAnswer['looks'][number]

export type SettleEvent =
  | TrialEvent
  | { readonly event: 'look'; readonly look: StudyLook }
  | { readonly event: 'offers'; readonly components: Components | null; readonly offers: readonly Offer[] }

/** What both ways of settling come to. */
interface Outcome {
  readonly settled: readonly Settled<SeedLook | PromptLook>[]
  readonly bought: StudySettleAnswer['bought']
  readonly components: Components | null
  readonly offers: readonly Offer[]
  readonly next: StudySettleAnswer['next']
  readonly stopped: StudySettleAnswer['stopped']
  readonly answers: number
}

interface Settling {
  readonly workspace: Workspace
  readonly study: PlannedStudy
  readonly baseline: PlannedArm
  readonly others: readonly PlannedArm[]
  readonly dropped: ReadonlySet<string>
  readonly asking: Asking<SettleEvent>
  /** Null where all of them are there; else why not. */
  readonly buy: (trials: readonly StudyTrial[]) => Promise<Bought>
}

interface Bought {
  readonly trials: readonly string[]
  readonly missing: number
  readonly stopped: StudySettleAnswer['stopped']
}

export const studySettle = question({
  request: request({
    file: z.string(),
    workers: numberWithin({ above: 0, whole: true }),
    executor: z.string().optional(),
  }),
  answer: settleAnswer,
  async ask(workspace, { file, workers, executor, lang }, asking: Asking<SettleEvent>) {
    return settleStudy(workspace, await planStudy(file, executor), { workers, lang }, asking)
  },
})

/** `study`: as its file plans it, or as it was frozen. */
export async function settleStudy(
  workspace: Workspace,
  study: PlannedStudy,
  { workers, lang }: Omit<AskedTrials, 'hoursSpent'>,
  asking: Asking<SettleEvent>,
): Promise<StudySettleAnswer> {
  const [baseline, ...others] = armsToSettle(study)
  const { metric, margin, direction, settle } = study.file
  return holdingStudy(workspace, study, async () => {
    const dropped = new Set((await readDrops(workspace, study.name)).map(({ arm }) => arm))
    const buy = (trials: readonly StudyTrial[]) => buyTrials(workspace, study, trials, { workers, lang }, asking)
    const settling = { workspace, study, baseline, others, dropped, asking, buy }
    const outcome = settle.by === 'seeds' ? await bySeeds(settling) : await byPrompts(settling)
    const { settled, components } = outcome
    const answers = others.flatMap(({ name }, i) => answerFor(name, settled[i], direction, dropped))
    const looks = others.flatMap(({ name }, i) => settled[i].looks.map(look => ({ other: name, ...look })))
    const last = others.map((_, i) => settled[i].looks.at(-1)?.estimate ?? Number.NaN)
    const spent = {
      ...costOf(await allCells(workspace, study, trialsOf(study.name, [baseline, ...others], mostSeeds(study)))),
      answers: outcome.answers,
    }
    const fixedDesignCost = fixedDesign(looks, study, others.length, spent)
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
      answer: answers.length < others.length ? null : ofTheBest(answers, others, last, direction),
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
  looks: readonly StudyLook[],
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

function sizeOf(look: StudyLook): number {
  return 'seeds' in look ? look.seeds : look.prompts
}

export function armsToSettle({ arms, file: { settle } }: PlannedStudy): readonly [PlannedArm, ...PlannedArm[]] {
  const names = arms.map(({ name }) => name).join(', ')
  const [first, ...others] = (settle.arms ?? arms.map(({ name }) => name)).map(name => {
    const arm = arms.find(each => each.name === name)
    if (arm === undefined) throw new Problem('bad-request', say('study.settle.no-arm', { arm: name, arms: names }))
    return arm
  })
  if (others.length === 0)
    throw new Problem('bad-request', say('study.settle.which', { count: arms.length, arms: names }))
  return [first, ...others]
}

function mostSeeds({ file: { seeds, settle } }: PlannedStudy): readonly number[] {
  return seedsOf(seeds, Math.max(seeds.length, settle.by === 'seeds' ? settle.most : 1))
}

/** Trains what is missing of these trials, as far as the budget of the study goes. */
async function buyTrials(
  workspace: Workspace,
  study: PlannedStudy,
  trials: readonly StudyTrial[],
  asked: Omit<AskedTrials, 'hoursSpent'>,
  asking: Asking<SettleEvent>,
): Promise<Bought> {
  const { budget } = study.file
  const wanted = (await cellsOf(workspace, study, trials)).filter(({ state }) => state !== 'done')
  if (wanted.length === 0) return { trials: [], missing: 0, stopped: null }
  const spent = costOf(await allCells(workspace, study, trials))
  const isNew = wanted.filter(({ runs }) => runs.length === 0).length
  if (budget.trials !== null && spent.trials + isNew > budget.trials) {
    return { trials: [], missing: wanted.length, stopped: 'out-of-budget' }
  }
  const missing = wanted.map(({ trial }) => trial)
  const { stopped } = await trainTrials(workspace, study, missing, { ...asked, hoursSpent: spent.hours }, asking)
  if (study.primary !== null) {
    const { signal, remark } = asking
    const quietly = { ...(signal !== undefined && { signal }), ...(remark !== undefined && { remark }) }
    await evaluateTrials(workspace, study, missing, asked.lang, quietly)
  }
  return { trials: missing.map(({ name }) => name), missing: stopped === null ? 0 : wanted.length, stopped }
}

async function bySeeds(settling: Settling): Promise<Outcome> {
  const { workspace, study, baseline, others, dropped, asking, buy } = settling
  const { metric, margin, settle, seeds: planned } = study.file
  const plan = settlePlan(settle.most)
  const judge = await judgeOf(workspace, study, asking)
  const bought: { look: number; trials: readonly string[]; prompts: number | null }[] = []
  let outcome: Outcome = {
    settled: others.map(() => ({ looks: [], answer: null, why: null })),
    bought,
    components: null,
    offers: [],
    next: null,
    stopped: null,
    answers: 0,
  }
  const valuesAt = new Map<number, ReadonlyMap<string, readonly number[]>>()
  for (const [i, seeds] of plan.looks.entries()) {
    const open = others.filter(({ name }, k) => !dropped.has(name) && outcome.settled[k].answer === null)
    if (open.length === 0) break
    const arms = [baseline, ...open]
    const trials = trialsOf(study.name, arms, seedsOf(planned, seeds))
    const { trials: trained, missing, stopped } = await buy(trials)
    if (stopped !== null) return { ...outcome, stopped, next: { look: seeds, trials: missing } }
    const cells = (await cellsOf(workspace, study, trials)).map(cell => trusted(cell, metric))
    const stock = { seeds, arms: arms.length, next: plan.looks[i + 1] ?? null }
    const { values, components, offers, prompts } = await judge.at(cells, stock)
    valuesAt.set(seeds, groupedByArm(cells, values))
    if (trained.length > 0) bought.push({ look: seeds, trials: trained, prompts })
    const scoresAt = (count: number) => {
      const at = valuesAt.get(count)
      const of = ({ name }: PlannedArm): readonly number[] => at?.get(name) ?? []
      return { baseline: of(baseline), others: others.map(of) }
    }
    const settled = settleSeeds(others.length, scoresAt, margin, plan)
    if (settle.prompts !== undefined) await keepProgress(settling, plan.looks, settled)
    for (const [k, { name }] of others.entries()) {
      const look = settled[k].looks[i]
      if (look !== undefined) asking.onProgress?.({ event: 'look', look: { other: name, ...look } })
    }
    const isOpen = settled.some(({ answer }, k) => answer === null && !dropped.has(others[k].name))
    const left = isOpen ? offers : []
    if (isOpen && offers.length > 0) asking.onProgress?.({ event: 'offers', components, offers })
    outcome = { ...outcome, settled, components, offers: left, answers: judge.answers() }
  }
  return outcome
}

/** How a trial is judged: by its own last evaluation, or by prompts of which more can be bought. */
interface Judge {
  readonly at: (
    cells: readonly Cell[],
    stock: { readonly seeds: number; readonly arms: number; readonly next: number | null },
  ) => Promise<{
    /** By trial. */
    readonly values: ReadonlyMap<string, number>
    readonly components: Components | null
    readonly offers: readonly Offer[]
    readonly prompts: number | null
  }>
  readonly answers: () => number
}

async function judgeOf(workspace: Workspace, study: PlannedStudy, asking: Asking<SettleEvent>): Promise<Judge> {
  const { prompts } = study.file.settle
  if (prompts === undefined) {
    return {
      answers: () => 0,
      at: async (cells, { seeds, arms, next }) => {
        const run = mean(cells.map(({ seconds }) => seconds))
        const values = new Map(cells.map(({ trial, value }) => [trial.id, value ?? Number.NaN]))
        const byArm = [...groupedByArm(cells, values).values()].map(scores => scores.map(score => [score]))
        const components = { ...componentsOf(byArm), asked: 1 }
        const offers = offersFor(components, { seeds, arms }, { run, prompt: 0 }, { seeds: next, prompts: null })
        return { values, components: null, offers, prompts: null }
      },
    }
  }
  const asker = promptAsker(workspace, prompts.split, asking)
  const looks = new Map(await readLooks(workspace, study.name))
  return {
    answers: asker.answers,
    at: async (cells, { seeds, arms, next }) => {
      const pool = Math.min(await asker.pool(cells[0]), prompts.most ?? Number.POSITIVE_INFINITY)
      const run = mean(cells.map(({ seconds }) => seconds))
      const made = looks.get(seeds)
      let asked = Math.min(made ?? Math.max(prompts.first, ...looks.values()), pool)
      for (;;) {
        const scores = await asker.ask(cells, asked)
        const byArm = [...groupedByArm(cells, scores).values()]
        const components = componentsOf(byArm)
        const prices = { run, prompt: asker.secondsPerPrompt() }
        const more = asked < pool ? Math.min(2 * asked, pool) : null
        const offers = offersFor(components, { seeds, arms }, prices, { seeds: next, prompts: more })
        const [best] = offers
        if (made !== undefined || best?.kind !== 'prompts') {
          looks.set(seeds, asked)
          await keepLooks(workspace, study.name, looks)
          const values = new Map([...scores].map(([trial, each]) => [trial, mean(each)]))
          return { values, components, offers, prompts: asked }
        }
        asking.onProgress?.({ event: 'offers', components, offers })
        asked = best.count
      }
    },
  }
}

/** Of the first seed, a batch of prompts at a time: as many again as at first. */
async function byPrompts(settling: Settling): Promise<Outcome> {
  const { workspace, study, baseline, others, dropped, asking, buy } = settling
  const { metric, margin, settle, seeds } = study.file
  const { split, first, most } = settle.prompts ?? { split: 'test' as const, first: 100, most: null }
  const arms = [baseline, ...others.filter(({ name }) => !dropped.has(name))]
  const trials = trialsOf(study.name, arms, seeds.slice(0, 1))
  const { trials: trained, missing, stopped } = await buy(trials)
  const nothing = { bought: [], components: null, offers: [], next: null, stopped, answers: 0 }
  const untouched = others.map(() => ({ looks: [], answer: null, why: null }))
  if (stopped !== null) return { ...nothing, settled: untouched, next: { look: first, trials: missing } }
  const cells = (await cellsOf(workspace, study, trials)).map(cell => trusted(cell, metric))
  const asker: PromptAsker = promptAsker(workspace, split, asking)
  const pool = Math.min(await asker.pool(cells[0]), most ?? Number.POSITIVE_INFINITY)
  const looks = Array.from({ length: Math.ceil(pool / first) }, (_, i) => Math.min(pool, first * (i + 1)))
  let settled: readonly Settled<PromptLook>[] = untouched
  let asked = 0
  for (const count of looks) {
    const scores = await asker.ask(cells, count)
    asked = count
    const of = (arm: PlannedArm): readonly number[] =>
      scores.get(cells.find(({ trial }) => trial.arm.name === arm.name)?.trial.id ?? '') ?? []
    // A prompt without a score is left out: looks are at what there is.
    const seen = looks.filter(each => each <= count).map(each => Math.min(each, of(baseline).length))
    const plan = { looks: [...new Set(seen)], isAll: count === pool }
    settled = settlePrompts(of(baseline), others.map(of), margin, plan)
    await keepProgress(settling, looks, settled)
    for (const [k, { name }] of others.entries()) {
      const look = settled[k].looks.at(-1)
      if (look !== undefined && look.prompts === seen.at(-1))
        asking.onProgress?.({ event: 'look', look: { other: name, ...look } })
    }
    if (settled.every(({ answer }, k) => answer !== null || dropped.has(others[k].name))) break
  }
  return {
    ...nothing,
    settled,
    bought: trained.length === 0 ? [] : [{ look: asked, trials: trained, prompts: asked }],
    answers: asker.answers(),
  }
}

/** For whoever looks from elsewhere, such as a page. */
async function keepProgress(
  { workspace, study, baseline, others, dropped }: Settling,
  planned: readonly number[],
  settled: readonly Settled<SeedLook | PromptLook>[],
): Promise<void> {
  const { settle, direction } = study.file
  await keepSettling(workspace, study.name, {
    by: settle.by,
    baseline: baseline.name,
    planned: [...planned],
    others: others.map(({ name }, i) => ({
      arm: name,
      looks: [...settled[i].looks],
      verdict: answerFor(name, settled[i], direction, dropped)[0]?.verdict ?? null,
    })),
  })
}

function groupedByArm<Value>(
  cells: readonly Cell[],
  values: ReadonlyMap<string, Value>,
): ReadonlyMap<string, readonly Value[]> {
  const byArm = new Map<string, Value[]>()
  for (const { trial } of cells) {
    const value = values.get(trial.id)
    if (value !== undefined) byArm.set(trial.arm.name, [...(byArm.get(trial.arm.name) ?? []), value])
  }
  return byArm
}

/** The budget is the study's, whichever arms it was spent on. */
function allCells(workspace: Workspace, study: PlannedStudy, more: readonly StudyTrial[]): Promise<readonly Cell[]> {
  const all = new Map([...study.trials, ...more].map(trial => [trial.id, trial]))
  return cellsOf(workspace, study, [...all.values()])
}

/** A seed that failed must not be passed over: which seeds fail may depend on the arm. */
function trusted(cell: Cell, metric: string): Cell {
  const { trial, value, state, suspicious } = cell
  if (value === null || !Number.isFinite(value)) {
    throw new Problem('not-enough', say('study.settle.no-value', { trial: trial.name, metric, state }))
  }
  const open = openSuspicions(suspicious)
  if (open.length > 0) {
    const why = open.map(({ message }) => message)
    throw new Problem('not-enough', say('study.settle.suspicious', { trial: trial.name, why }))
  }
  return cell
}

type ArmAnswer = StudySettleAnswer['answers'][number]

function answerFor(
  other: string,
  { answer, why }: Settled<SeedLook | PromptLook>,
  direction: 'max' | 'min',
  dropped: ReadonlySet<string>,
): readonly ArmAnswer[] {
  if (answer === null || why === null) {
    return dropped.has(other) ? [{ other, verdict: 'undetermined', why: 'dropped' }] : []
  }
  if (answer === 'same' || answer === 'undetermined') return [{ other, verdict: answer, why }]
  return [{ other, verdict: (answer === 'higher') === (direction === 'max') ? 'better' : 'worse', why }]
}

const RANK = { better: 3, same: 2, undetermined: 1, worse: 0 }

function ofTheBest(
  answers: readonly ArmAnswer[],
  others: readonly PlannedArm[],
  estimates: readonly number[],
  direction: 'max' | 'min',
): ArmAnswer {
  const sign = direction === 'max' ? 1 : -1
  const estimateOf = ({ other }: ArmAnswer): number => sign * estimates[others.findIndex(({ name }) => name === other)]
  return answers.reduce((best, each) =>
    RANK[each.verdict] > RANK[best.verdict] ||
    (RANK[each.verdict] === RANK[best.verdict] && estimateOf(each) > estimateOf(best))
      ? each
      : best,
  )
}

function fixedDesign(
  looks: readonly StudyLook[],
  { file: { margin, settle, seeds } }: PlannedStudy,
  others: number,
  spent: StudySettleAnswer['cost'],
): StudySettleAnswer['fixedDesignCost'] {
  const last = looks.at(-1)
  if (last === undefined) return null
  const perTrial = spent.hours / Math.max(1, spent.trials)
  const level = 1 - 0.05 / others
  if ('seeds' in last) {
    const count =
      margin === null
        ? settle.most
        : Math.max(
            seedsForDifference(last.scatter, { difference: margin, level }),
            seedsForEquivalence(last.scatter, { margin, level }),
          )
    const trials = (others + 1) * count
    return { seeds: count, prompts: null, trials, hours: perTrial * trials, by: margin === null ? 'most' : 'margin' }
  }
  const differing = (last.forBaseline + last.forArm) / last.prompts
  const prompts =
    margin === null
      ? last.prompts
      : Math.max(
          pairedPrompts(differing, { difference: margin, level }),
          promptsForEquivalence(differing, { margin, level }),
        )
  const trials = (others + 1) * Math.min(1, seeds.length)
  return { seeds: 1, prompts, trials, hours: perTrial * trials, by: margin === null ? 'most' : 'margin' }
}
