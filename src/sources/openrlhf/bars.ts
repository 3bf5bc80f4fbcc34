import { z } from 'zod'
import { pythonFloat } from '../console/python-literal.js'

/**
 * One state of a progress bar as tqdm prints it:
 * `Train epoch [1/2]:  33%|███▎      | 1/3 [00:01<00:02,  1.1s/it, act_loss=-0.00667, kl=0.00123, act_lr=5e-7]`.
 * tqdm rounds a postfix to three significant digits.
 */
export interface Bar {
  readonly kind: 'train' | 'episode'
  /** `[2/3]` behind the words: which epoch, or which episode, of how many. */
  readonly nth: number
  readonly of: number
  readonly done: number
  readonly total: number
  /** The metrics as text; '' before the first are set. */
  readonly postfix: string
}

const BAR =
  /^(Train epoch|Episode) \[(\d{1,9})\/(\d{1,9})\]:\s+\d{1,3}%\|[^|]{0,400}\|\s*(\d{1,12})\/(\d{1,12}) \[[^,\]]{0,60},[^,\]]{0,40}(?:, ([^\]]*))?\]/

export function readBar(text: string): Bar | null {
  const match = BAR.exec(text)
  if (match === null) return null
  const [, words, nth, of, done, total, postfix = ''] = match
  const kind = words === 'Episode' ? 'episode' : 'train'
  return { kind, nth: Number(nth), of: Number(of), done: Number(done), total: Number(total), postfix }
}

interface PostfixValue {
  readonly metric: string
  readonly value: number
  /** Decimals as printed; null for `5e-7`. */
  readonly decimals: number | null
}

const ITEM = /([A-Za-z_][\w/.-]{0,199})=\s*(-?(?:\d+(?:\.(\d*))?(?:e[-+]?\d+)?|nan|inf))(?:, |\s*$)/iy

/** What is no number, such as a text, ends the list: behind it nothing can be told apart. */
export function readPostfix(postfix: string): PostfixValue[] {
  const values: PostfixValue[] = []
  ITEM.lastIndex = 0
  for (let match = ITEM.exec(postfix); match !== null; match = ITEM.exec(postfix)) {
    const [, metric, text, digits] = match
    values.push({ metric, value: pythonFloat(text), decimals: /[ein]/i.test(text) ? null : (digits?.length ?? 0) })
  }
  return values
}

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
