import { Problem } from '../../../logs/model/problem.js'
import type { ArmAnswer, SettleResult } from '../../../logs/model/study/answers.js'
import type { ArmLook, PromptLook, SeedLook, StudyCost } from '../../../logs/model/study/terms.js'
import { sentences } from '../../../text/sentences.js'
import { type Cell, costOf, openSuspicions } from '../cell.js'
import { keepSettled, keepSettling, readDropped, type SettledStudy } from '../ledger.js'
import type { PlannedStudy } from '../plan/plan-study.js'
import { type Components, fixedDesign } from '../settle/offers.js'
import { type Settled, settlePlan, settlePrompts, settleSeeds } from '../settle/sequential.js'
import { armAnswer, armsToSettle, bestAnswer } from '../settle/settled-arms.js'
import { readCells } from '../status/status.js'
import { type PlannedArm, seedsOf, type Trial, trialsOf } from '../trial.js'
import { type StudyEngine, withStudyLease } from './engine.js'
import { openJudge } from './judge.js'
import { type CompletedTrials, completeTrials } from './train.js'

/**
 * Which arms are better than the baseline? Seeds, or prompts, are bought for all of them, a few at a time, until that is
 * settled or the budget is spent. After each look it says what it knows, what it buys next and why.
 */

const say = sentences({
  'study.settle.no-value': {
    en: '{trial} has no finite {metric} ({state}); without it the arms cannot be compared at equal seeds',
    zh: '{trial} 没有有限的 {metric}（{state}）；缺了它就无法在相同种子数下比较',
  },
  'study.settle.suspicious': {
    en: '{trial} is suspicious, so it is not used: {why}; klens study acknowledge accepts it',
    zh: '{trial} 可疑，不能据此作出结论：{why}；用 klens study acknowledge 可予以担保',
  },
})

export async function settleStudy(engine: StudyEngine): Promise<SettleResult> {
  const { workspace, plan } = engine
  const { direction, settle } = plan.file
  const [baseline, ...others] = armsToSettle(plan)
  return withStudyLease(workspace, plan, async () => {
    const dropped = await readDropped(workspace, plan.name)
    const settling: Settling = { engine, plan, baseline, others, dropped }
    const { settled, ...progress } = settle.by === 'seeds' ? await bySeeds(settling) : await byPrompts(settling)
    const answers = others.flatMap(({ name }, i) => armAnswer(name, settled[i], { direction, dropped }))
    const looks = others.flatMap(({ name }, i) => settled[i].looks.map(look => ({ other: name, ...look })))
    const estimates = new Map(looks.map(({ other, estimate }) => [other, estimate]))
    const most = seedsOf(plan.file.seeds, Math.max(plan.file.seeds.length, settle.by === 'seeds' ? settle.most : 1))
    const trials = withPlanned(plan, trialsOf(plan.name, [baseline, ...others], most))
    const cost = { ...costOf(await readCells(workspace, plan, trials)), answers: progress.answers }
    const fixedDesignCost = fixedCost(looks.at(-1), plan, others.length, cost)
    if (answers.length === others.length) {
      await keepSettled(workspace, plan.name, settledStudy(settle.by, answers, looks, fixedDesignCost))
    }
    return {
      ...progress,
      components: deviationsOf(progress.components),
      baseline: baseline.name,
      looks: looks.toSorted((a, b) => sizeOf(a) - sizeOf(b)),
      answers,
      answer: answers.length < others.length ? null : bestAnswer(answers, estimates, direction),
      cost,
      fixedDesignCost,
    }
  })
}

/** Variances as standard deviations of a run's score. */
function deviationsOf(components: Components | null): SettleResult['components'] {
  if (components === null) return null
  const { seeds, prompts, asked } = components
  return { seeds: Math.sqrt(seeds), prompts: Math.sqrt(prompts / asked), asked }
}

interface Settling {
  readonly engine: StudyEngine
  readonly plan: PlannedStudy
  readonly baseline: PlannedArm
  readonly others: readonly PlannedArm[]
  readonly dropped: ReadonlySet<string>
}

/** How far settling has come, by seeds or by prompts. */
interface Progress extends Pick<SettleResult, 'bought' | 'offers' | 'next' | 'stopped'> {
  /** In the order of the arms. */
  readonly settled: readonly Settled<SeedLook | PromptLook>[]
  readonly components: Components | null
  /** Answers to prompts that were had. */
  readonly answers: number
}

function notBegun(arms: readonly PlannedArm[]): Progress {
  return {
    settled: arms.map(() => ({ looks: [], answer: null, why: null })),
    ...{ bought: [], components: null, offers: [], next: null, stopped: null, answers: 0 },
  }
}

/** Seeds are bought for all arms that are open, up to the next planned look, until each is settled. */
async function bySeeds(settling: Settling): Promise<Progress> {
  const { engine, plan, baseline, others, dropped } = settling
  const { margin, settle, seeds: planned } = plan.file
  const looks = settlePlan(settle.most)
  const judge = await openJudge(engine)
  let progress = notBegun(others)
  const valuesAt = new Map<number, ReadonlyMap<string, readonly number[]>>()
  for (const [i, seeds] of looks.looks.entries()) {
    const open = others.filter(({ name }, k) => !dropped.has(name) && progress.settled[k].answer === null)
    if (open.length === 0) break
    const arms = [baseline, ...open]
    const trials = trialsOf(plan.name, arms, seedsOf(planned, seeds))
    const { trials: trained, missing, stopped } = await buy(settling, trials)
    if (stopped !== null) return { ...progress, stopped, next: { look: seeds, trials: missing } }
    const cells = await trustedCells(settling, trials)
    const stock = { seeds, arms: arms.length, next: looks.looks[i + 1] ?? null }
    const { values, components, offers, prompts } = await judge.at(cells, stock)
    valuesAt.set(seeds, values)
    const scoresAt = (count: number) => {
      const at = valuesAt.get(count)
      const of = ({ name }: PlannedArm): readonly number[] => at?.get(name) ?? []
      return { baseline: of(baseline), others: others.map(of) }
    }
    const settled = settleSeeds(others.length, scoresAt, margin, looks)
    if (settle.prompts !== undefined) await keepProgress(settling, looks.looks, settled)
    for (const [k, { name }] of others.entries()) {
      const look = settled[k].looks[i]
      if (look !== undefined) engine.onEvent({ event: 'look', look: { other: name, ...look } })
    }
    const isOpen = settled.some(({ answer }, k) => answer === null && !dropped.has(others[k].name))
    if (isOpen && offers.length > 0) engine.onEvent({ event: 'offers', components, offers })
    progress = {
      ...progress,
      settled,
      bought: trained.length === 0 ? progress.bought : [...progress.bought, { look: seeds, trials: trained, prompts }],
      components,
      offers: isOpen ? offers : [],
      answers: judge.answers(),
    }
  }
  return progress
}

/** Of the first seed, a batch of prompts at a time: as many again as at first. */
async function byPrompts(settling: Settling): Promise<Progress> {
  const { engine, plan, baseline, others, dropped } = settling
  const { margin, settle, seeds } = plan.file
  const { split, first, most } = settle.prompts ?? { split: 'test' as const, first: 100, most: null }
  const arms = [baseline, ...others.filter(({ name }) => !dropped.has(name))]
  const trials = trialsOf(plan.name, arms, seeds.slice(0, 1))
  const { trials: trained, missing, stopped } = await buy(settling, trials)
  const nothing = notBegun(others)
  if (stopped !== null) return { ...nothing, stopped, next: { look: first, trials: missing } }
  const cells = await trustedCells(settling, trials)
  const asker = engine.scoring.promptAsker(split)
  const pool = Math.min(await asker.pool(cells[0]), most ?? Number.POSITIVE_INFINITY)
  const looks = Array.from({ length: Math.ceil(pool / first) }, (_, i) => Math.min(pool, first * (i + 1)))
  let { settled } = nothing
  let asked = 0
  for (const count of looks) {
    const scores = await asker.ask(cells, count)
    asked = count
    const of = (arm: PlannedArm): readonly number[] =>
      scores.get(cells.find(({ trial }) => trial.arm.name === arm.name)?.trial.id ?? '') ?? []
    // A prompt without a score is left out: looks are at what there is.
    const seen = looks.filter(each => each <= count).map(each => Math.min(each, of(baseline).length))
    const judged = settlePrompts(of(baseline), others.map(of), margin, {
      looks: [...new Set(seen)],
      isAll: count === pool,
    })
    settled = judged
    await keepProgress(settling, looks, settled)
    for (const [k, { name }] of others.entries()) {
      const look = judged[k].looks.at(-1)
      if (look !== undefined && look.prompts === seen.at(-1))
        engine.onEvent({ event: 'look', look: { other: name, ...look } })
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

function buy({ engine, plan }: Settling, trials: readonly Trial[]): Promise<CompletedTrials> {
  return completeTrials(engine, trials, withPlanned(plan, trials))
}

/** The budget is the study's, whichever arms it was spent on. */
function withPlanned({ trials }: PlannedStudy, more: readonly Trial[]): readonly Trial[] {
  return [...new Map([...trials, ...more].map(trial => [trial.id, trial])).values()]
}

/** For other processes, such as the server of a page. */
async function keepProgress(
  { engine, plan, baseline, others, dropped }: Settling,
  planned: readonly number[],
  settled: Progress['settled'],
): Promise<void> {
  const { settle, direction } = plan.file
  await keepSettling(engine.workspace, plan.name, {
    by: settle.by,
    baseline: baseline.name,
    planned,
    others: others.map(({ name }, i) => ({
      arm: name,
      looks: settled[i].looks,
      verdict: armAnswer(name, settled[i], { direction, dropped })[0]?.verdict ?? null,
    })),
  })
}

async function trustedCells({ engine, plan }: Settling, trials: readonly Trial[]): Promise<readonly Cell[]> {
  const cells = await readCells(engine.workspace, plan, trials)
  for (const cell of cells) refuseUntrusted(cell, plan.file.metric)
  return cells
}

/** A seed that failed must not be passed over: which seeds fail may depend on the arm. */
function refuseUntrusted(cell: Cell, metric: string): void {
  const { trial, value, state } = cell
  if (value === null || !Number.isFinite(value)) {
    throw new Problem('not-enough', say('study.settle.no-value', { trial: trial.name, metric, state }))
  }
  const why = openSuspicions(cell).map(({ message }) => message)
  if (why.length > 0) throw new Problem('not-enough', say('study.settle.suspicious', { trial: trial.name, why }))
}

function settledStudy(
  by: 'seeds' | 'prompts',
  answers: readonly ArmAnswer[],
  looks: readonly ArmLook[],
  fixed: SettleResult['fixedDesignCost'],
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

/** Priced by what a trial has cost so far. */
function fixedCost(
  last: ArmLook | undefined,
  { file: { margin, settle } }: PlannedStudy,
  others: number,
  spent: StudyCost,
): SettleResult['fixedDesignCost'] {
  if (last === undefined) return null
  const fixed = fixedDesign(last, { margin, most: settle.most, others })
  return { ...fixed, hours: (spent.hours / Math.max(1, spent.trials)) * fixed.trials }
}
