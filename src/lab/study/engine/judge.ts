import type { Offer } from '../../../logs/model/study/answers.js'
import { mean } from '../../../stats/descriptive.js'
import type { Cell } from '../cell.js'
import { keepLooks, readLooks } from '../ledger.js'
import { type Components, componentsOf, offersFor } from '../settle/offers.js'
import type { StudyEngine } from './engine.js'

/** How trials are judged at a look: by their own last evaluation, or by prompts of which more can be bought. */
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
  /** To prompts, that were had. */
  readonly answers: () => number
}

export async function openJudge({ workspace, plan, scoring, onEvent }: StudyEngine): Promise<Judge> {
  const { prompts } = plan.file.settle
  if (prompts === undefined) return ownValidation
  const asker = scoring.promptAsker(prompts.split)
  const looks = new Map(await readLooks(workspace, plan.name))
  return {
    answers: asker.answers,
    at: async (cells, { seeds, arms, next }) => {
      const pool = Math.min(await asker.pool(cells[0]), prompts.most ?? Number.POSITIVE_INFINITY)
      const run = secondsOf(cells)
      const made = looks.get(seeds)
      let asked = Math.min(made ?? Math.max(prompts.first, ...looks.values()), pool)
      for (;;) {
        const byArm = groupedByArm(cells, await asker.ask(cells, asked))
        const components = componentsOf([...byArm.values()])
        const prices = { run, prompt: asker.secondsPerPrompt() }
        const more = asked < pool ? Math.min(2 * asked, pool) : null
        const offers = offersFor(components, { seeds, arms }, prices, { seeds: next, prompts: more })
        const [best] = offers
        if (made !== undefined || best?.kind !== 'prompts') {
          looks.set(seeds, asked)
          await keepLooks(workspace, plan.name, looks)
          const values = new Map([...byArm].map(([arm, runs]) => [arm, runs.map(each => mean(each))]))
          return { values, components, offers, prompts: asked }
        }
        onEvent({ event: 'offers', components, offers })
        asked = best.count
      }
    },
  }
}

const ownValidation: Judge = {
  answers: () => 0,
  at: async (cells, { seeds, arms, next }) => {
    const values = groupedByArm(cells, new Map(cells.map(({ trial, value }) => [trial.id, value ?? Number.NaN])))
    const single = [...values.values()].map(scores => scores.map(score => [score]))
    const components = { ...componentsOf(single), asked: 1 }
    const prices = { run: secondsOf(cells), prompt: 0 }
    const offers = offersFor(components, { seeds, arms }, prices, { seeds: next, prompts: null })
    return { values, components: null, offers, prompts: null }
  },
}

function secondsOf(cells: readonly Cell[]): number {
  return mean(cells.map(({ trial }) => trial.seconds))
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
