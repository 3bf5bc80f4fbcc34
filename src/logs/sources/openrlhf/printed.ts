import { z } from 'zod'
import { isJsonObject, type Json } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { endOfString, pythonFloat, readPythonLiteral } from '../console/python-literal.js'
import { flatten, type Numbers, numbersIn } from '../python-json.js'

/**
 * The arguments that OpenRLHF prints at the start: `Namespace(init_kl_coef=0.01, …)`, since 0.10 nested:
 * `namespace(algo=namespace(kl=namespace(init_coef=0.01)))`. Keys come out as the flags have them: `algo.kl.init_coef`.
 */
export function readArguments(text: string): Config | null {
  const leaves = new Map<string, Json>()
  return text.length <= LONGEST && readNamespace(text.trim(), '', leaves, 0) ? Object.fromEntries(leaves) : null
}

/** Ten times what OpenRLHF prints. */
const LONGEST = 1 << 17
const DEEPEST = 16
const OPENING = /^[Nn]amespace\(/
const KEY = /^\s*([A-Za-z_]\w{0,100})=/

function readNamespace(text: string, prefix: string, leaves: Map<string, Json>, depth: number): boolean {
  const opening = OPENING.exec(text)
  if (opening === null || !text.endsWith(')') || depth > DEEPEST) return false
  for (const piece of pieces(text.slice(opening[0].length, -1))) {
    const key = KEY.exec(piece)
    if (key === null) return false
    const name = prefix + (key[1] ?? '')
    const value = piece.slice(key[0].length)
    if (OPENING.test(value)) {
      if (!readNamespace(value, `${name}.`, leaves, depth + 1)) return false
    } else {
      const literal = readPythonLiteral(value)
      flatten(literal === undefined ? value : literal, name, leaves)
    }
  }
  return true
}

/** The members between commas that stand in no bracket and no string. */
function* pieces(text: string): Generator<string> {
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '(' || char === '[' || char === '{') depth += 1
    else if (char === ')' || char === ']' || char === '}') depth -= 1
    else if (char === "'" || char === '"') at = endOfString(text, at)
    else if (char === ',' && depth === 0) {
      yield text.slice(start, at)
      start = at + 1
    }
  }
  if (start < text.length) yield text.slice(start)
}

const NUMBER_ITEM = /[{ ]'([^'\\]{1,200})': (-?\d[\d.]*(?:e[-+]?\d+)?)(?=, |\}$),?/y

/** A dict of metrics as Python prints it: `{'policy_loss': -0.0123, 'kl': nan}`. Null when it is none. */
export function readStatus(text: string): Numbers | null {
  return readPlain(text) ?? readAny(text)
}

/** The usual case, five times as fast: nothing but finite numbers. */
function readPlain(text: string): Numbers | null {
  const metrics: string[] = []
  const values: number[] = []
  let at = 0
  while (at < text.length - 1) {
    NUMBER_ITEM.lastIndex = at
    const [, metric, value] = NUMBER_ITEM.exec(text) ?? []
    if (metric === undefined) return null
    metrics.push(metric)
    values.push(Number(value))
    at = NUMBER_ITEM.lastIndex
  }
  return metrics.length > 0 && text.endsWith('}') && values.every(Number.isFinite) ? { metrics, values } : null
}

/** With nan, None, lists, or `tensor(0.1)`; what is no number is left out. */
function readAny(text: string): Numbers | null {
  const dict = readPythonLiteral(text)
  return isJsonObject(dict) ? numbersIn(dict) : null
}

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
    const [, metric = '', text = '', digits] = match
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
