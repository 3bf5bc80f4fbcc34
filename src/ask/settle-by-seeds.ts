import { mean } from '../stats/descriptive.js'
import type { Workspace } from '../store/workspace.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import { type PlannedArm, seedsOf, trialsOf } from '../study/plan/trials.js'
import { keepLooks, readLooks } from '../study/settle/ledger.js'
import { type Components, componentsOf, type Offer, offersFor } from '../study/settle/next-purchase.js'
import { settlePlan, settleSeeds } from '../study/settle/settle-seeds.js'
import type { Cell } from '../study/status/cell.js'
import type { Asking } from './question.js'
import { nothingSettled, type Outcome, type SettleEvent, type Settling, trustedCells } from './settling.js'
import { promptAsker } from './study-prompts.js'

/** Seeds are bought for all arms that are open, up to the next planned look, until each is settled. */

export async function settleBySeeds({
  workspace,
  study,
  baseline,
  others,
  dropped,
  asking,
  buy,
}: Settling): Promise<Outcome> {
  const { margin, settle, seeds: planned } = study.file
  const plan = settlePlan(settle.most)
  const judge = await judgeOf(workspace, study, asking)
  let outcome = nothingSettled(others)
  const valuesAt = new Map<number, ReadonlyMap<string, readonly number[]>>()
  for (const [i, seeds] of plan.looks.entries()) {
    const open = others.filter(({ name }, k) => !dropped.has(name) && outcome.settled[k].answer === null)
    if (open.length === 0) break
    const arms = [baseline, ...open]
    const trials = trialsOf(study.name, arms, seedsOf(planned, seeds))
    const { trials: trained, missing, stopped } = await buy(trials)
    if (stopped !== null) return { ...outcome, stopped, next: { look: seeds, trials: missing } }
    const cells = await trustedCells(workspace, study, trials)
    const stock = { seeds, arms: arms.length, next: plan.looks[i + 1] ?? null }
    const { values, components, offers, prompts } = await judge.at(cells, stock)
    valuesAt.set(seeds, groupedByArm(cells, values))
    const scoresAt = (count: number) => {
      const at = valuesAt.get(count)
      const of = ({ name }: PlannedArm): readonly number[] => at?.get(name) ?? []
      return { baseline: of(baseline), others: others.map(of) }
    }
    const settled = settleSeeds(others.length, scoresAt, margin, plan)
    for (const [k, { name }] of others.entries()) {
      const look = settled[k].looks[i]
      if (look !== undefined) asking.onProgress?.({ event: 'look', look: { other: name, ...look } })
    }
    const isOpen = settled.some(({ answer }, k) => answer === null && !dropped.has(others[k].name))
    const left = isOpen ? offers : []
    if (isOpen && offers.length > 0) asking.onProgress?.({ event: 'offers', components, offers })
    outcome = {
      ...outcome,
      settled,
      bought: trained.length === 0 ? outcome.bought : [...outcome.bought, { look: seeds, trials: trained, prompts }],
      components,
      offers: left,
      answers: judge.answers(),
    }
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
