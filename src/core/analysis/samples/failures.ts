import type { Message } from '../../../logs/model/run.js'
import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { message } from '../../../text/say.js'
import type { AnswerFacts, AnswerForm } from './answers.js'
import type { SelectedSide } from './select.js'

/**
 * Why an answer scored nothing: the surroundings failed, it was cut off, no answer could be read from it, or it is
 * plainly wrong. Each class is given for a stated reason, and `unknown` where nothing tells.
 */
export const FAILURE_CLASSES = ['environment', 'truncated', 'unparsable', 'wrong', 'unknown'] as const

export type FailureClass = (typeof FAILURE_CLASSES)[number]

export interface Scored {
  readonly id: string
  readonly repeat: number
  readonly right: boolean
  readonly parts: ReadonlyMap<string, number>
  /** Null where no text is kept. */
  readonly facts: AnswerFacts | null
  readonly choice: string | null
}

export interface Judged {
  readonly class: FailureClass
  readonly how: Message
}

/** A habit is what at least half of the answers share; an answer without it is the odd one out. */
const HABIT = 0.5
/** With fewer right answers their habits are no guide, and those of all are taken. */
const FEWEST_RIGHT = 5

const FLAG_TRUNCATED = /truncat|clipped|overlong|length_exceeded/i
const FLAG_ERROR = /(?:^|_)(?:error|errors|timeout|exception|crash(?:ed)?)$/i
const FORMAT_PART = /format|parse|parsable|extract/i
const LENGTH_PART = /(?:^|_)(?:length|len|tokens|num_tokens)$/i
const NO_CHOICE = /^(?:\[?invalid\]?|none|null|nan|n\/a|)$/i

/** Made from all answers of all sides; then asked about each failure. */
export function failureJudge(all: readonly Scored[], lengthLimit: number | null): (failed: Scored) => Judged {
  const withFacts = all.flatMap(({ facts, right }) => (facts === null ? [] : [{ facts, right }]))
  const right = withFacts.filter(scored => scored.right)
  const guides = (right.length >= FEWEST_RIGHT ? right : withFacts).map(({ facts }) => facts)
  const form = usualForm(guides)
  const ends = isHabit(withFacts, ({ facts }) => facts.ended)
  const closes = (tag: string): boolean => isHabit(withFacts, ({ facts }) => facts.closed.has(tag))
  const chooses = isHabit(all, ({ choice }) => isChoice(choice))
  const ranges = partRanges(all)

  return scored =>
    environment(scored) ??
    truncated(scored, { ends, closes, lengthLimit }) ??
    unparsable(scored, { form, chooses, ranges }) ??
    wrong(scored, { form, ranges }) ?? { class: 'unknown', how: unknownReason(scored) }
}

function isHabit<T>(all: readonly T[], has: (one: T) => boolean): boolean {
  return all.length > 1 && all.filter(has).length >= HABIT * all.length
}

export function isChoice(choice: string | null): boolean {
  return choice !== null && !NO_CHOICE.test(choice.trim())
}

function usualForm(guides: readonly AnswerFacts[]): AnswerForm | null {
  const forms = ['boxed', 'hashes', 'tag', 'words'] as const
  return forms.find(form => isHabit(guides, ({ forms }) => forms.has(form))) ?? null
}

type Ranges = ReadonlyMap<string, { readonly low: number; readonly high: number }>

function partRanges(all: readonly Scored[]): Ranges {
  const ranges = new Map<string, { low: number; high: number }>()
  for (const { parts } of all) {
    for (const [name, value] of parts) {
      const known = ranges.get(name)
      if (known === undefined) ranges.set(name, { low: value, high: value })
      else ranges.set(name, { low: Math.min(known.low, value), high: Math.max(known.high, value) })
    }
  }
  return ranges
}

function environment({ parts, facts }: Scored): Judged | null {
  const flag = [...parts].find(([name, value]) => FLAG_ERROR.test(name) && value > 0)
  if (flag !== undefined) return { class: 'environment', how: message('samples.how.flag', { part: flag[0] }) }
  if (facts === null || facts.error === null) return null
  return { class: 'environment', how: message('samples.how.error', {}) }
}

function truncated(
  { parts, facts }: Scored,
  habits: { readonly ends: boolean; readonly closes: (tag: string) => boolean; readonly lengthLimit: number | null },
): Judged | null {
  const flag = [...parts].find(([name, value]) => FLAG_TRUNCATED.test(name) && value > 0)
  if (flag !== undefined) return { class: 'truncated', how: message('samples.how.flag', { part: flag[0] }) }
  const { lengthLimit } = habits
  const long = [...parts].find(
    ([name, value]) => LENGTH_PART.test(name) && lengthLimit !== null && value >= lengthLimit,
  )
  if (long !== undefined && lengthLimit !== null) {
    return { class: 'truncated', how: message('samples.how.limit', { part: long[0], limit: lengthLimit }) }
  }
  if (facts === null || facts.empty) return null
  if (habits.ends && !facts.ended) return { class: 'truncated', how: message('samples.how.no-end', {}) }
  if (facts.open === null || !habits.closes(facts.open)) return null
  return { class: 'truncated', how: message('samples.how.open', { tag: facts.open }) }
}

function unparsable(
  { parts, facts, choice }: Scored,
  habits: { readonly form: AnswerForm | null; readonly chooses: boolean; readonly ranges: Ranges },
): Judged | null {
  if (facts?.empty === true) return { class: 'unparsable', how: message('samples.how.empty', {}) }
  const low = formatPart(parts, habits.ranges, ({ low }) => low)
  if (low !== null) return { class: 'unparsable', how: message('samples.how.format', { part: low }) }
  if (habits.chooses && !isChoice(choice)) return { class: 'unparsable', how: message('samples.how.no-choice', {}) }
  if (facts === null || habits.form === null || facts.forms.has(habits.form)) return null
  return { class: 'unparsable', how: message('samples.how.no-form', { form: FORM_SIGNS[habits.form] }) }
}

function wrong(
  { parts, facts, choice }: Scored,
  { form, ranges }: { readonly form: AnswerForm | null; readonly ranges: Ranges },
): Judged | null {
  const passed = formatPart(parts, ranges, ({ high }) => high)
  if (passed !== null) return { class: 'wrong', how: message('samples.how.format-passed', { part: passed }) }
  if (isChoice(choice)) return { class: 'wrong', how: message('samples.how.choice', {}) }
  if (facts === null || form === null || !facts.forms.has(form)) return null
  return { class: 'wrong', how: message('samples.how.form', { form: FORM_SIGNS[form] }) }
}

/** A part of the reward for the format, where it tells answers apart and this one is at the named end. */
function formatPart(
  parts: ReadonlyMap<string, number>,
  ranges: Ranges,
  end: (range: { readonly low: number; readonly high: number }) => number,
): string | null {
  for (const [name, value] of parts) {
    const range = ranges.get(name)
    if (FORMAT_PART.test(name) && range !== undefined && range.low < range.high && value === end(range)) return name
  }
  return null
}

const FORM_SIGNS: { readonly [form in AnswerForm]: string } = {
  boxed: '\\boxed{…}',
  hashes: '#### …',
  tag: '<answer>…</answer>',
  words: '"answer is …"',
}

function unknownReason({ facts }: Scored): Message {
  return facts === null ? message('samples.how.no-text', {}) : message('samples.how.nothing', {})
}

/** The longest answer that the run's settings allow, in tokens. */
export function lengthLimitOf(sides: readonly SelectedSide[]): number | null {
  const limits = sides.flatMap(({ run: { settings } }) => numberOf(settings.get('len.response.max')?.effective) ?? [])
  return limits.length === sides.length && new Set(limits).size === 1 ? limits[0] : null
}
