import { z } from 'zod'
import type { RunEvent } from '../../model/events.js'
import type { Message } from '../../model/run.js'
import { sayCommon, warning } from '../source-helpers.js'
import { say } from './texts.js'

/**
 * What had to be left out of a table, counted, so that a thousand bad lines make one warning. The counts travel in
 * the cursor: a reading that goes on says the totals of the whole file.
 */
export const tableTally = z.record(z.string(), z.object({ count: z.number(), first: z.string() }))

export type TableTally = z.infer<typeof tableTally>

type Sentence = (trouble: { readonly count: number; readonly first: string }) => Message

/** `first` is where or what the first such trouble was; not all sentences have a use for it. */
const sentences = {
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

export type Trouble = keyof typeof sentences

const TROUBLES: readonly Trouble[] = Object.keys(sentences).filter(isTrouble)

function isTrouble(name: string): name is Trouble {
  return Object.hasOwn(sentences, name)
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
    return noted === undefined ? [] : [warning(sentences[trouble](noted))]
  })
}
