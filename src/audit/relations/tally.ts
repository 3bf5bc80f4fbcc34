import { everyMatch } from '../../document/matches.js'
import type { Axis, Matrix } from '../../document/matrix.js'
import { NUMBER_WORDS } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { type Evidence, isAround } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, clauseOf, mentionsInText } from '../mentions.js'
import { assertionIn, assertionInEntry } from '../read.js'
import { namesStranger } from '../strangers.js'
import { termAt, viewsOf } from './view.js'

/**
 * "Improved: 5/12", "A beats B on 4 of 6 data sets", "A best: 3/4": so many rows for which something holds. The rows of a
 * table near by that has as many are counted: changes by their sign, one line against another, the best of each row.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.count-mismatch': { en: '“{quote}”: of the {total} rows of the table in line {at} it is {expected}, not {found}; count again', zh: '“{quote}”：第 {at} 行的表共 {total} 行，其中是 {expected}，不是 {found}；应重新数' },
})

const NUMBER = String.raw`\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|[一两三四五六七八九十]`
const SO_MANY = [
  String.raw`(?<![\w.=])(?<part>${NUMBER})\s?(?:/|(?:out )?of(?: the)?)\s?(?<whole>${NUMBER})(?![\w.%])`,
  String.raw`(?<whole>${NUMBER})\s?[个项种类组][^,，。;；\d]{0,12}[中里][^,，。;；\d]{0,10}?(?<part>${NUMBER})\s?[个项种类组]`,
].map(pattern => new RegExp(pattern, 'gi'))

const numberOf = (text: string): number => NUMBER_WORDS.get(text.toLowerCase()) ?? Number(text)

/** What is counted of changes: their sign. */
const SIGNS = [
  [1, ['better', 'up']],
  [-1, ['worse', 'down']],
  [0, ['same']],
] as const
const COMPARED = ['better', 'up', 'worse', 'down', 'larger', 'smaller'] as const
const SUPERLATIVES = ['best', 'worst', 'maximum', 'minimum', 'first'] as const
const isCounted = (text: string): boolean => has(text, 'same', ...COMPARED, ...SUPERLATIVES)

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, text } = clause
  const found = isCounted(text) ? SO_MANY.flatMap(pattern => everyMatch(text, pattern)) : []
  for (const { 0: count, groups: { part = '', whole = '' } = {} } of found) {
    const manner = `${numberOf(part)} ${numberOf(whole)}`
    yield assertionIn(statement, 'tally', clause, { quantity: text.replace(count, ' '), manner })
  }
}

/** Rows of a table that sums another up; what a line of text counts is a clause. */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const entry of entries.filter(({ table, key }) => table !== null && isCounted(key))) {
    const [, part, whole] = /^\s?(\d{1,3})\s?\/\s?(\d{1,3})(?![\d.%])/.exec(entry.value) ?? []
    if (whole !== undefined) yield assertionInEntry(entry, 'tally', { quantity: entry.key, manner: `${part} ${whole}` })
  }
}

const NEAREST = 2

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const { scope, stance, offset, manner, quote, quantity } = assertion
  const [part = 0, whole = 0] = manner.split(' ').map(Number)
  const isNear = ({ table }: Matrix): boolean => table !== scope.table && isAround(table.section, scope.section)
  const near = stance === 'said' ? evidence.near(offset).filter(isNear).slice(0, NEAREST) : []
  const counted = near.map(matrix => ({ matrix, counts: countsIn(quantity ?? '', matrix, whole) }))
  if (counted.some(({ counts }) => counts.includes(part))) return confirmed('a table')
  const meant = counted.find(({ counts }) => counts.length > 0)
  const clause = clauseOf(assertion)
  if (meant === undefined || (clause !== null && namesStranger(clause, meant.matrix))) return UNCHECKED
  const { matrix, counts } = meant
  const at = evidence.document.placeOf(matrix.table.offset).line
  const params = { quote, total: whole, at, expected: [...new Set(counts)].join(' / '), found: part }
  const severity = counts.length > 1 ? 'warning' : 'error'
  const more = { severity, also: [matrix.table.offset] } as const
  return refute('count-mismatch', offset, say('audit.count-mismatch', params), more)
}

/** How many of so many rows it can be: of those who are named, or of the changes. */
function countsIn(text: string, matrix: Matrix, whole: number): readonly number[] {
  const mentions = mentionsInText(text, matrix)
  const [first, second] = mentions
  const [view] = viewsOf(matrix)
  const items = view.items.filter(({ role }) => role === 'value')
  if (items.length !== whole) return []
  const valueAt = (item: Axis, line: Axis): number => termAt(view, item, line)?.quantity.value ?? Number.NaN
  if (first === undefined) {
    const [sign] = SIGNS.find(([, senses]) => has(text, ...senses)) ?? []
    // "Above 1 point on 3 of 7", "lower in all seeds" count something else.
    const isOther = /\d/.test(text) || has(text, 'larger', 'smaller', 'all')
    const changes = isOther ? [] : view.lines.filter(({ role }) => role === 'difference')
    const isLevel = ({ index }: Axis): boolean =>
      matrix.table.rows[index].some(cell => cell.quantities.length === 0 && has(cell.text, 'same'))
    const signOf = (item: Axis, line: Axis): number => (isLevel(item) ? 0 : Math.sign(valueAt(item, line)))
    return sign === undefined ? [] : changes.map(line => items.filter(item => signOf(item, line) === sign).length)
  }
  const lines = view.lines.filter(
    line => line.role === 'value' && !items.some(item => Number.isNaN(valueAt(item, line))),
  )
  const named = lines.filter(line => mentions.some(({ axes }) => axes.includes(line)))
  // "A beats B", not "A and B improve"; "A is the best".
  const isPair = mentions.length === 2 && named.length === 2 && has(text.slice(first.to, second.from), ...COMPARED)
  const isTop = mentions.length === 1 && named.length === 1 && has(text, ...SUPERLATIVES)
  const [own] = named
  const rivals = isPair ? named.slice(1) : isTop ? lines.filter(line => line !== own) : []
  const holds = [(by: number) => by > 0, (by: number) => by >= 0, (by: number) => by < 0, (by: number) => by <= 0]
  const isSo = (item: Axis, test: (by: number) => boolean): boolean =>
    rivals.every(rival => test(valueAt(item, own) - valueAt(item, rival)))
  return rivals.length === 0 ? [] : holds.map(test => items.filter(item => isSo(item, test)).length)
}

export const tally: Relation = { names: ['tally'], inClause, inEntries, check }
