import { mean } from '../stats/descriptive.js'
import type { Workspace } from '../store/workspace.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import { keepLooks, readLooks } from '../study/settle/ledger.js'
import { type Components, componentsOf, type Offer, offersFor } from '../study/settle/next-purchase.js'
import type { Cell } from '../study/status/cell.js'
import type { Asking } from './question.js'
import type { SettleEvent } from './settling.js'
import { promptAsker } from './study-prompts.js'

/** How a trial is judged: by its own last evaluation, or by prompts of which more can be bought. */
interface Judge {
  readonly at: (
    cells: readonly Cell[],
    stock: { readonly seeds: number; readonly arms: number; readonly next: number | null },
  ) => Promise<{
    /** By arm, in the order of the seeds. */
    readonly values: ReadonlyMap<string, readonly number[]>
    readonly components: Components | null
    readonly offers: readonly Offer[]
    readonly prompts: number | null
  }>
  readonly answers: () => number
}

export async function judgeOf(workspace: Workspace, study: PlannedStudy, asking: Asking<SettleEvent>): Promise<Judge> {
  const { prompts } = study.file.settle
  if (prompts === undefined) {
    return {
      answers: () => 0,
      at: async (cells, { seeds, arms, next }) => {
        const run = mean(cells.map(({ seconds }) => seconds))
        const own = new Map(cells.map(({ trial, value }) => [trial.id, value ?? Number.NaN]))
        const values = groupedByArm(cells, own)
        const single = [...values.values()].map(scores => scores.map(score => [score]))
        const components = { ...componentsOf(single), asked: 1 }
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
        const byArm = groupedByArm(cells, scores)
        const components = componentsOf([...byArm.values()])
        const prices = { run, prompt: asker.secondsPerPrompt() }
        const more = asked < pool ? Math.min(2 * asked, pool) : null
        const offers = offersFor(components, { seeds, arms }, prices, { seeds: next, prompts: more })
        const [best] = offers
        if (made !== undefined || best?.kind !== 'prompts') {
          looks.set(seeds, asked)
          await keepLooks(workspace, study.name, looks)
          const values = new Map([...byArm].map(([arm, runs]) => [arm, runs.map(each => mean(each))]))
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
