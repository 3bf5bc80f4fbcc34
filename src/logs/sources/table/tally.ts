import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import type { Message } from '../../model/run.js'
import { sayCommon, warning } from '../source-helpers.js'

/**
 * What had to be left out of a table, counted, so that a thousand bad lines make one warning. The counts travel in
 * the cursor: a reading that goes on says the totals of the whole file.
 */
export const tableTally = z.record(z.string(), z.object({ count: z.number(), first: z.string() }))

export type TableTally = z.infer<typeof tableTally>

type Sentence = (trouble: { readonly count: number; readonly first: string }) => Message

/** `first` is where or what the first such trouble was; not all sentences have a use for it. */
const COMPLAINTS = {
  badLine: ({ count, first }) => sayCommon('source.bad-lines', { count, line: Number(first) }),
  overlongLine: ({ count }) => sayCommon('source.overlong-lines', { count }),
  badStep: ({ count, first }) => sayCommon('source.bad-step', { count, step: first }),
  noStep: ({ count }) => say('table.no-step-rows', { count }),
  unevenRow: ({ count, first }) => say('table.uneven-rows', { count, line: Number(first) }),
  brokenQuote: ({ count, first }) => say('table.broken-quotes', { count, line: Number(first) }),
  tooDeep: ({ count }) => say('table.too-deep', { count }),
  repeatedColumn: ({ first }) => say('table.repeated-columns', { names: first }),
  badScore: ({ count }) => say('samples.bad-scores', { count }),
} satisfies { readonly [trouble: string]: Sentence }

type Trouble = keyof typeof COMPLAINTS

const TROUBLES: readonly Trouble[] = Object.keys(COMPLAINTS).filter(isTrouble)

function isTrouble(name: string): name is Trouble {
  return Object.hasOwn(COMPLAINTS, name)
}

/** A hostile cell must not make a warning of a megabyte. */
const LONGEST_EXAMPLE = 60

export function note(tally: TableTally, trouble: Trouble, first: string | number = '', count = 1): void {
  const known = tally[trouble]
  if (known === undefined) tally[trouble] = { count, first: String(first).slice(0, LONGEST_EXAMPLE) }
  else known.count += count
}

export function tallyWarnings(tally: TableTally): RunEvent[] {
  return TROUBLES.flatMap(trouble => {
    const noted = tally[trouble]
    return noted === undefined ? [] : [warning(COMPLAINTS[trouble](noted))]
  })
}

const say = sentences({
  'table.no-step-rows': {
    en: '{count} {count|row has|rows have} numbers but no step; left out',
    zh: '有 {count} 行有数值但没有 step，已略过',
  },
  'table.uneven-rows': {
    en: '{count} {count|row has|rows have} more or fewer fields than the header (first: line {line}); left out',
    zh: '有 {count} 行的字段数与表头不一致（首个在第 {line} 行），已略过',
  },
  'table.broken-quotes': {
    en: '{count} {count|line opens|lines open} a quoted field that is never closed (first: line {line}); left out',
    zh: '有 {count} 行的引号没有闭合（首个在第 {line} 行），已略过',
  },
  'table.too-deep': {
    en: '{count} {count|row is|rows are} nested deeper than 64 levels; deeper values were left out',
    zh: '有 {count} 行的嵌套超过 64 层，更深的内容已略过',
  },
  'table.repeated-columns': {
    en: 'several columns have the same name; the later ones were numbered: {names}',
    zh: '有多列同名，后面的列已加编号：{names}',
  },
  'samples.bad-scores': {
    en: '{count} {count|score is not a finite number|scores are not finite numbers}; left out',
    zh: '有 {count} 个得分不是有限的数字，已略过',
  },
})
