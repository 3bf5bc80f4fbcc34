/**
 * One cell of a table that people or programs wrote: a CSV field, a cell of a Markdown report. A cell says more than
 * its number: whether its author marked it as an estimate, left it open, and with how many decimals it was printed.
 * Markup (bold, links, code) is the caller's business; a number with a unit other than % is text, because klens
 * would have to guess what the unit does to the value.
 */
export type PrintedCell =
  | {
      readonly kind: 'number'
      /** As printed: `57.0%` is 57, not 0.57. */
      readonly value: number
      /** Digits behind the point as printed; null where that says nothing (exponents, NaN, infinities). */
      readonly decimals: number | null
      readonly quality: 'measured' | 'estimated'
      readonly percent: boolean
    }
  /** A mark that stands for a value nobody has: `?`, `-`, `N/A`, `待评估`. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'text'; readonly text: string }

/** Longer text is prose, and the patterns below need not prove themselves on megabytes of it. */
const LONGEST_MARKED_CELL = 100

const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.(\d*))?|\.(\d+))(e[+-]?\d+)?$/i
const GROUPED_NUMBER = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const NAMED_NUMBER = /^([+-]?)(nan|inf|infinity|∞)$/i

const ESTIMATE_BEFORE = /^(?:[~≈≃∼]|大约|大概|约为|约|about\b|around\b|approximately\b|approx\b\.?|circa\b|ca\.)\s*/i
const ESTIMATE_BEHIND =
  /\((?:估计值?|估算值?|预估值?|推测值?|约|大约|est\.?|estimated?|approx\.?|approximate(?:ly)?)\)$/i
const MISSING = /^(?:\?+|-+|[–—]+|n\/?a|null|tbd|待评估|待测|待定|未评估|暂无)$/i
/** Arrows and emoji that decorate a number: `0.421 ⬆️`, `2.34 ⭐`. */
const DECORATION_BEHIND = /(?:\s|\p{Extended_Pictographic}|[\uFE0F↑↓])+$/u

const EMPTY: PrintedCell = { kind: 'empty' }
const MISSING_CELL: PrintedCell = { kind: 'missing' }

export function readCell(text: string): PrintedCell {
  const trimmed = text.trim()
  if (trimmed === '') return EMPTY
  const plain = readPlainNumber(trimmed)
  if (plain !== null) return plain
  if (trimmed.length > LONGEST_MARKED_CELL) return { kind: 'text', text: trimmed }
  return readMarkedCell(asciiForms(trimmed)) ?? { kind: 'text', text: trimmed }
}

function readPlainNumber(text: string): PrintedCell | null {
  const match = PLAIN_NUMBER.exec(text)
  if (match === null) return null
  const decimals = match[3] === undefined ? (match[1] ?? match[2] ?? '').length : null
  return { kind: 'number', value: Number(text), decimals, quality: 'measured', percent: false }
}

function readMarkedCell(text: string): PrintedCell | null {
  if (MISSING.test(text)) return MISSING_CELL
  const undecorated = text.replace(DECORATION_BEHIND, '')
  const bare = undecorated.replace(ESTIMATE_BEFORE, '').replace(ESTIMATE_BEHIND, '').trim()
  const estimated = bare !== undecorated
  if (estimated && MISSING.test(bare)) return MISSING_CELL
  const percent = bare.endsWith('%')
  const number = readBareNumber(percent ? bare.slice(0, -1).trimEnd() : bare)
  if (number === null) return null
  return { kind: 'number', ...number, quality: estimated ? 'estimated' : 'measured', percent }
}

function readBareNumber(text: string): { readonly value: number; readonly decimals: number | null } | null {
  const [named, sign, name] = NAMED_NUMBER.exec(text) ?? []
  if (named !== undefined) {
    if (name?.toLowerCase() === 'nan') return { value: Number.NaN, decimals: null }
    return { value: sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY, decimals: null }
  }
  const plain = readPlainNumber(GROUPED_NUMBER.test(text) ? text.replaceAll(',', '') : text)
  return plain?.kind === 'number' ? { value: plain.value, decimals: plain.decimals } : null
}

/**
 * Full-width letters, digits and signs (U+FF01 to U+FF5E) as their ASCII forms, and the typographic minus as `-`.
 * Not NFKC: that would also turn `10²` into 102.
 */
function asciiForms(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, wide => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u2212\uFE63]/g, '-')
    .replace(/[\u3000\u00A0]/g, ' ')
}
