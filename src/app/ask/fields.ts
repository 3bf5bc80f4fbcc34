import { z } from 'zod'
import type { Message } from '../../logs/model/run.js'
import { type TextKey, unfilled } from '../../text/say.js'
import { messageAsString, render } from '../../text/sentences.js'

export { condition } from '../../core/analysis/answer-fields.js'
export { figure, json, list, pair } from '../../logs/model/schema.js'

/** What requests and answers are made of. A number may come as the text that was typed. */

/** A request with the language in which its sentences are wanted. */
export function request<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object({ ...shape, lang: z.enum(['en', 'zh']).default('en') })
}

/** What is said of a value that does not fit. */
export function otherwise(key: TextKey): { readonly error: string } {
  return { error: messageAsString(unfilled(key)) }
}

/** The metric that is meant when none is named. */
export const HEADLINE_METRIC = 'val.score'

export const metric = z.string().default(HEADLINE_METRIC)

export const goal = z.enum(['max', 'min'], otherwise('compare.bad-goal')).nullable().default(null)

/** `0.02` in the metric's own unit, or `5%` of the baseline. */
type Size = { readonly absolute: number } | { readonly share: number }

export const size = z
  .union([z.string(), z.number()])
  .transform((given, context): Size => {
    const text = String(given)
    const value = numberIn(text.replace(/%$/, ''))
    if (value === null || value <= 0) return refuse(context, given, 'plan.bad-size')
    return text.endsWith('%') ? { share: value / 100 } : { absolute: value }
  })
  .nullable()
  .default(null)

/** The steps `100:400`. */
/** Training is over, whatever the logs say: no look is held back for later. */
export const ended = z.boolean().default(false)

export const window = z
  .string()
  .transform((text, context) => {
    const [, from, to] = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(text) ?? []
    if (from === undefined || Number(from) > Number(to)) return refuse(context, text, 'compare.bad-window')
    return { from: Number(from), to: Number(to) }
  })
  .optional()

interface Range {
  readonly above?: number
  readonly below?: number
  readonly whole?: boolean
}

/** A plain number within a range; null where it is not given. */
export function numberWithin(range: Range) {
  const { above = Number.NEGATIVE_INFINITY, below = Number.POSITIVE_INFINITY, whole = false } = range
  return z
    .union([z.string(), z.number()])
    .transform((given, context) => {
      const value = numberIn(String(given))
      if (value !== null && value > above && value < below && (!whole || Number.isInteger(value))) return value
      return refuse(context, given, 'plan.bad-number', { range: rangeText(range) })
    })
    .nullable()
    .default(null)
}

function numberIn(text: string): number | null {
  const value = Number(text)
  return text.trim() === '' || !Number.isFinite(value) ? null : value
}

function rangeText({ above, below, whole = false }: Range): string {
  const ends = [...(above === undefined ? [] : [`> ${above}`]), ...(below === undefined ? [] : [`< ${below}`])]
  return whole ? `${ends.join(', ')} (1, 2, 3, …)` : ends.join(', ')
}

export function refuse(
  context: z.core.$RefinementCtx,
  input: unknown,
  key: TextKey,
  params: { readonly [name: string]: string } = {},
): never {
  context.issues.push({ code: 'custom', input, message: messageAsString(unfilled(key)), params })
  return z.NEVER
}

/** Messages in the words of the reader. */
export function inWords(messages: readonly Message[], language: 'en' | 'zh'): readonly string[] {
  return messages.map(each => render(each, language))
}

/** Each message once: those that say the same are one. */
export function distinctMessages(messages: readonly Message[]): readonly Message[] {
  return [...new Map(messages.map(each => [render(each, 'en'), each])).values()]
}

/** "a, b, c": the first few of what there is, for somebody who asked for something else. */
export function someOf(names: readonly string[], most: number): string {
  return names.slice(0, most).join(', ') || '–'
}

/** Of a question that writes a report. */
export const reportFields = (output: string) => ({
  output: z
    .string()
    .regex(/\.(?:md|html)$/i, otherwise('report.bad-output'))
    .default(output),
  title: z.string().nullable().default(null),
  date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, otherwise('report.bad-date'))
    .nullable()
    .default(null),
})
