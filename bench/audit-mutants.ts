import type { AuditedFile } from '../src/audit/audit.js'

/**
 * An injector of faults: what the audit confirmed in a report is broken in one place, the way a hurried writer breaks it.
 * Because the claim was true before, the broken one is false, and nobody has to judge it by hand. Only the table rows
 * that are copied over their neighbours need no confirmed claim.
 */
export interface Mutant {
  readonly kind: MutationKind
  readonly text: string
  /** Where the claim begins, and where it was broken: a sentence may run over several lines. */
  readonly lines: readonly number[]
}

export const MUTATION_KINDS = [
  'figure',
  'sign',
  'direction word',
  'count',
  'unit',
  'row copied',
  'order swapped',
  'base changed',
] as const

export type MutationKind = (typeof MUTATION_KINDS)[number]

type Judged = AuditedFile['judged'][number]

interface Place {
  readonly from: number
  readonly to: number
}

export function mutantsOf(text: string, { judged }: Pick<AuditedFile, 'judged'>): readonly Mutant[] {
  const confirmed = judged.filter(({ outcome }) => outcome.verdict === 'confirmed')
  const made = confirmed.flatMap(one => [
    ...figureMutants(text, one),
    ...wordMutants(text, one),
    ...swaps(text, one),
    ...baseMutants(text, one),
  ])
  const known = new Set<string>([text])
  return [...made, ...copiedRows(text)].flatMap(({ kind, text: broken, line }) => {
    if (known.has(broken)) return []
    known.add(broken)
    return [{ kind, text: broken, lines: [line, lineOfChange(text, broken)] }]
  })
}

/** A broken text, and the line of the claim. */
interface Broken extends Omit<Mutant, 'lines'> {
  readonly line: number
}

function lineOfChange(before: string, after: string): number {
  let at = 0
  while (at < before.length && before[at] === after[at]) at += 1
  return before.slice(0, at).split('\n').length
}

/** Signs that the document reads as plain ones, one character for one. */
function plainSigns(text: string): string {
  return text
    .replace(/[−–]/g, '-')
    .replace(/[％]/g, '%')
    .replace(/[，]/g, ',')
    .replace(/[（]/g, '(')
    .replace(/[）]/g, ')')
}

const MOST_MARKUP = 8

function placeOf(text: string, words: string, offset: number): Place | null {
  const window = plainSigns(text.slice(offset, offset + words.length + MOST_MARKUP))
  const at = window.indexOf(plainSigns(words))
  return at < 0 ? null : { from: offset + at, to: offset + at + words.length }
}

function put(text: string, { from, to }: Place, instead: string): string {
  return text.slice(0, from) + instead + text.slice(to)
}

type Figure = Judged['assertion']['figures'][number]

function figureMutants(text: string, { assertion: { figures }, line }: Judged): readonly Broken[] {
  const figure: Figure | undefined = figures.find(({ role }) => role === 'result') ?? figures.at(-1)
  const place = figure === undefined ? null : placeOf(text, figure.text, figure.offset)
  if (figure === undefined || place === null) return []
  const printed = text.slice(place.from, place.to)
  const made: Broken[] = []
  const add = (kind: MutationKind, instead: string | null): void => {
    if (instead !== null && instead !== printed) made.push({ kind, line, text: put(text, place, instead) })
  }
  add('figure', otherDigit(printed))
  if (/^[+−–-]/.test(printed)) add('sign', (printed.startsWith('+') ? '-' : '+') + printed.slice(1))
  add('unit', otherUnit(printed))
  const part = figures.find(({ role }) => role === 'part')
  const partPlace = part === undefined ? null : placeOf(text, part.text, part.offset)
  if (part !== undefined && partPlace !== null && /^\d+$/.test(part.text))
    made.push({ kind: 'count', line, text: put(text, partPlace, String(Number(part.text) + 1)) })
  return made
}

/** One of the first two digits that count, so that no rounding explains it. */
function otherDigit(printed: string): string | null {
  const at = printed.search(/[1-9]/)
  if (at < 0) return null
  const digit = Number(printed[at])
  return printed.slice(0, at) + String(digit === 9 ? 7 : digit + 1) + printed.slice(at + 1)
}

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/ ?minutes?$/, ' hours'],
  [/ ?hours?$/, ' minutes'],
  [/ ?分钟$/, ' 小时'],
  [/ ?小时$/, ' 分钟'],
  [/ ?倍$/, '%'],
  [/(?<=\d)x$/, '%'],
]

function otherUnit(printed: string): string | null {
  for (const [unit, other] of UNITS) if (unit.test(printed)) return printed.replace(unit, other)
  return null
}

/** Both ways; the first that stands in the claim is turned round. */
const OPPOSITES: readonly (readonly [string, string])[] = (
  [
    ['上升', '下降'],
    ['提升', '下降'],
    ['提高', '降低'],
    ['增至', '降至'],
    ['升至', '降至'],
    ['升到', '降到'],
    ['增加', '减少'],
    ['高于', '低于'],
    ['优于', '不如'],
    ['最高', '最低'],
    ['最大', '最小'],
    ['增长', '下降'],
    ['increased', 'decreased'],
    ['increases', 'decreases'],
    ['improves', 'worsens'],
    ['rose', 'fell'],
    ['rises', 'falls'],
    ['up from', 'down from'],
    ['higher', 'lower'],
    ['above', 'below'],
    ['highest', 'lowest'],
    ['largest', 'smallest'],
    ['more than', 'less than'],
    ['outperforms', 'underperforms'],
    ['grew', 'shrank'],
  ] as const
).flatMap(([a, b]) => [[a, b] as const, [b, a] as const])

const WITH_WORDS: ReadonlySet<string> = new Set(['direction', 'change'])

function wordMutants(text: string, { assertion, line }: Judged): readonly Broken[] {
  if (!WITH_WORDS.has(assertion.relation)) return []
  const quote = quoteAt(text, assertion)
  if (quote === null) return []
  const words = text.slice(quote.from, quote.to)
  const found = OPPOSITES.flatMap(([word, other]) => {
    const at = words.indexOf(word)
    return at < 0 ? [] : [{ at, word, other }]
  }).sort((a, b) => a.at - b.at || b.word.length - a.word.length)[0]
  if (found === undefined) return []
  const place = { from: quote.from + found.at, to: quote.from + found.at + found.word.length }
  return [{ kind: 'direction word', line, text: put(text, place, found.other) }]
}

/** Where the claim stands: markup may make it longer than it reads. */
function quoteAt(text: string, { quote, offset }: Judged['assertion']): Place | null {
  const from = Math.max(0, offset - MOST_MARKUP)
  const lineEnd = text.indexOf('\n', offset)
  const to = Math.min(lineEnd < 0 ? text.length : lineEnd, offset + quote.length + MOST_MARKUP)
  return to <= from ? null : { from, to }
}

/** Where a change began and ended, in the other order. */
function swaps(text: string, { assertion: { relation, figures }, line }: Judged): readonly Broken[] {
  if (relation !== 'change' && relation !== 'direction') return []
  const [first, second] = [figures.find(({ role }) => role === 'from'), figures.find(({ role }) => role === 'to')]
  if (first === undefined || second === undefined || first.quantity.value === second.quantity.value) return []
  const [a, b] = [placeOf(text, first.text, first.offset), placeOf(text, second.text, second.offset)]
  if (a === null || b === null || a.to > b.from) return []
  const swapped = put(put(text, b, text.slice(a.from, a.to)), a, text.slice(b.from, b.to))
  return [{ kind: 'order swapped', line, text: swapped }]
}

/** A percentage of where it ended instead of where it began. */
function baseMutants(text: string, { assertion: { relation, figures }, line }: Judged): readonly Broken[] {
  const [from, to, result] = (['from', 'to', 'result'] as const).map(role => figures.find(one => one.role === role))
  if (relation !== 'change' || from === undefined || to === undefined || result === undefined) return []
  const [a, b] = [from.quantity.value, to.quantity.value]
  if (result.quantity.unit !== '%' || from.quantity.unit === '%' || a === 0 || b === 0) return []
  const decimals = result.quantity.decimals ?? 0
  const [right, wrong] = [(100 * (b - a)) / a, (100 * (b - a)) / b]
  const place = placeOf(text, result.text, result.offset)
  if (place === null || Math.abs(right - wrong) < 3 * 10 ** -decimals) return []
  const printed = text.slice(place.from, place.to)
  const instead = printed.replace(/\d+(?:\.\d+)?/, Math.abs(wrong).toFixed(decimals))
  return instead === printed ? [] : [{ kind: 'base changed', line, text: put(text, place, instead) }]
}

const FIGURE_CELL = /\d\.\d{2,}|\d{4,}|\d{2,}\.\d/
const MOST_COPIED = 4

/** A row of figures as its neighbour has them, the label its own. */
function copiedRows(text: string): readonly Broken[] {
  const lines = text.split('\n')
  const made: Broken[] = []
  for (let i = 1; i < lines.length && made.length < MOST_COPIED; i += 1) {
    const [above, own] = [cellsOf(lines[i - 1]), cellsOf(lines[i])]
    const figures = own.filter((cell, column) => column > 0 && FIGURE_CELL.test(cell) && cell !== above[column])
    if (
      above.length !== own.length ||
      own.length < 3 ||
      figures.length < 2 ||
      !FIGURE_CELL.test(above.slice(1).join('|'))
    )
      continue
    const copied = [...lines]
    copied[i] = `|${[own[0], ...above.slice(1)].join('|')}|`
    made.push({ kind: 'row copied', line: i + 1, text: copied.join('\n') })
  }
  return made
}

function cellsOf(line: string): readonly string[] {
  const trimmed = line.trim()
  return trimmed.startsWith('|') && trimmed.endsWith('|') ? trimmed.slice(1, -1).split('|') : []
}
