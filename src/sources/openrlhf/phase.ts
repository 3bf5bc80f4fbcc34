import { z } from 'zod'
import { type Bar, readPostfix } from './bar.js'

/**
 * One call of `ppo_train`, which is one global step, as its bars show it: `Train epoch [1/2]`, then `[2/2]`, a postfix per
 * micro-batch. OpenRLHF before 0.6 printed nothing else, so the step's values are the means over its micro-batches.
 */
export const phaseSchema = z.object({
  step: z.number(),
  epoch: z.number(),
  done: z.number(),
  postfix: z.string(),
  /** Per metric the sum and how many micro-batches are in it. Sums may be NaN, which JSON spells as text. */
  sums: z.array(z.tuple([z.string(), z.union([z.number(), z.string()]), z.number()])),
  complete: z.boolean(),
})

export type Phase = z.infer<typeof phaseSchema>

export function newPhase(step: number): Phase {
  return { step, epoch: 0, done: 0, postfix: '', sums: [], complete: false }
}

/** Whether this bar belongs to a later call: epochs start again, or the count within one does. */
export function startsAnew(phase: Phase, bar: Bar): boolean {
  return bar.nth < phase.epoch || (bar.nth === phase.epoch && bar.done < phase.done)
}

export function extendPhase(phase: Phase, bar: Bar): void {
  phase.epoch = bar.nth
  phase.done = bar.done
  phase.complete = bar.nth === bar.of && bar.done === bar.total
  // A state is drawn again when the count moves; the values of a micro-batch count once.
  if (bar.postfix === '' || bar.postfix === phase.postfix) return
  phase.postfix = bar.postfix
  for (const { metric, value } of readPostfix(bar.postfix)) {
    const known = phase.sums.find(([name]) => name === metric)
    if (known === undefined) phase.sums.push([metric, spelled(value), 1])
    else {
      known[1] = spelled(Number(known[1]) + value)
      known[2] += 1
    }
  }
}

export function meansOf(phase: Phase): { readonly metrics: string[]; readonly values: number[] } {
  return {
    metrics: phase.sums.map(([name]) => name),
    values: phase.sums.map(([, sum, count]) => Number(sum) / count),
  }
}

function spelled(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}
