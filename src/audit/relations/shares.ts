import type { Cell, Statement } from '../../document/document.js'
import { type Matrix, mainQuantity } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, statedRange } from '../arithmetic.js'
import type { Fault, Rule } from '../assertion.js'
import { type Entry, entriesOf } from '../entries.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'
import { wordsOf } from '../names.js'

/**
 * Counts with their shares, one under the other: a column of counts beside a column of percentages, or a list of
 * "30 (25 %)". All must be shares of one whole; the whole is solved from those that agree, and from what is printed
 * as a total near by.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.share-of-whole': { en: '“{found}”: {part} of {whole} is {expected}; write {expected}', zh: '“{found}”：{whole} 中的 {part} 是 {expected}；应写 {expected}' },
})

interface Share {
  readonly part: Quantity
  readonly percent: Quantity
  readonly offset: number
  readonly text: string
}

function* check(evidence: Evidence): Generator<Fault> {
  for (const matrix of evidence.matrices)
    for (const list of inColumns(matrix)) yield* unlike(list, integersIn(matrix.table.caption?.text ?? ''))
  for (const matrix of evidence.matrices) yield* besideFractions(matrix)
  for (const list of inLists(evidence)) yield* unlike(list.shares, list.totals)
  for (const statement of evidence.document.statements) if (statement.kind !== 'cell') yield* inSentence(statement)
  yield* rates(evidence)
}

/** "Of 50 samples 12 (24 %) …, 23 (46 %) …, 15 (30 %) …". */
function* inSentence(statement: Statement): Generator<Fault> {
  const { text, quantities } = statement
  const shares = quantities.flatMap((part, i): Share[] => {
    const percent = quantities[i + 1]
    const isPair =
      percent?.unit === '%' &&
      isCount(part) &&
      part.unit !== '%' &&
      /^\s?\p{L}{0,8}\s?[(（]\s?$/u.test(text.slice(part.to, percent.from))
    return isPair
      ? [{ part, percent, offset: statement.offsetOf(percent.from), text: text.slice(percent.from, percent.to) }]
      : []
  })
  if (shares.length > 1) yield* unlike(shares, integersIn(text))
}

const RATE = /rate|率|accuracy|占比|share/i
const WHOLE = /total|overall|episodes?|games?|samples?|questions?|tasks?|总|全部|样本|题/i

/** "Episodes: 400", "Wins: 23", "Win rate: 5.8 %" in one list: the part shares a word with the rate. */
function* rates(evidence: Evidence): Generator<Fault> {
  const entries = entriesOf(evidence)
  for (const [i, entry] of entries.entries()) {
    const [percent, more] = entry.quantities
    if (
      percent?.unit !== '%' ||
      more !== undefined ||
      percent.from > 2 ||
      percent.hedge !== null ||
      !RATE.test(entry.key)
    )
      continue
    const counts = entries.slice(Math.max(0, i - 6), i + 7).flatMap(other => {
      const [count, another] = other.quantities
      const isOne =
        other.section === entry.section && other !== entry && another === undefined && (count?.from ?? 9) <= 2
      return isOne && count !== undefined && isCount(count) && count.unit !== '%'
        ? [{ key: other.key, value: count.value }]
        : []
    })
    const stems = wordsOf(entry.key.replace(RATE, ''))
      .map(({ text }) => text)
      .filter(text => !/^(?:total|overall|mean)$/.test(text))
    const parts = counts.filter(({ key }) => wordsOf(key).some(({ text }) => stems.includes(text)))
    const wholes = counts.filter(({ key }) => WHOLE.test(key))
    const pairs = parts.flatMap(part =>
      wholes.filter(whole => whole.value > part.value && whole.value > 0).map(whole => ({ part, whole })),
    )
    const [pair] = pairs
    if (pair === undefined || pairs.some(({ part, whole }) => contains(percent, (100 * part.value) / whole.value)))
      continue
    if (Math.abs((100 * pair.part.value) / pair.whole.value - percent.value) > 20) continue
    const text = entry.value.slice(percent.from, percent.to)
    yield shareFault(
      { offset: entry.offset, text, percent },
      pair.part.value,
      pair.whole.value,
      pairs.length === 1 ? 'error' : 'warning',
    )
  }
}

const COUNT = /数量|个数|次数|count|number|#|样本数?|题数|条数|passed|频数/i
const SHARE = /比例|占比|百分比|率|share|percent|proportion|ratio|%|score/i

function* inColumns({ table, columns, rows }: Matrix): Generator<readonly Share[]> {
  for (const count of columns) {
    const share = columns[count.index + 1]
    if (share === undefined || !COUNT.test(count.name) || !SHARE.test(share.name)) continue
    const list = rows.flatMap(({ index, role }): Share[] => {
      const [left, right] = [table.rows[index]?.[count.index], table.rows[index]?.[share.index]]
      return role === 'value' && left !== undefined && right !== undefined ? shareOf(left, right) : []
    })
    if (list.length > 1) yield list
  }
}

function shareOf(left: Cell, right: Cell): Share[] {
  const [part, percent] = [mainQuantity(left), mainQuantity(right)]
  if (
    part === null ||
    percent === null ||
    percent.unit !== '%' ||
    part.unit === '%' ||
    !isCount(part) ||
    left.quantities.length > 1
  )
    return []
  return [{ part, percent, offset: right.offset, text: right.text }]
}

function isCount({ value, ends, hedge }: Quantity): boolean {
  return Number.isInteger(value) && value >= 0 && ends === null && hedge === null
}

const FRACTION = /^\s*(\d{1,3}(?:,\d{3})+|\d{1,9})\s?\/\s?(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\s[a-z]{1,12})?\s*$/i

/** "12/80" in one cell and "15 %" in another of its row. Few columns hold fractions, so those are found first. */
function* besideFractions({ table, columns }: Matrix): Generator<Fault> {
  for (const fraction of columns) {
    const fractions = table.rows.flatMap(cells => {
      const match = FRACTION.exec(cells[fraction.index]?.text ?? '')
      return match === null ? [] : [{ cells, part: numberOf(match[1]), whole: numberOf(match[2]) }]
    })
    for (const percent of fractions.length === 0 ? [] : columns) {
      const list = fractions.flatMap(({ cells, part, whole }) => {
        const cell = cells[percent.index]
        const stated = cell === undefined || cell.pending ? null : mainQuantity(cell)
        if (cell === undefined || stated?.unit !== '%' || cell.quantities.length !== 1) return []
        return [{ part, whole, stated, cell, label: cells[0]?.text ?? '' }]
      })
      const wrong = list.filter(({ part, whole, stated }) => whole > 0 && !contains(stated, (100 * part) / whole))
      if ((list.length < 2 && !isProgress(wrong[0])) || (list.length > 1 && wrong.length > list.length / 2)) continue
      for (const { part, whole, stated, cell } of wrong)
        yield shareFault({ offset: cell.offset, text: cell.text, percent: stated }, part, whole, 'error')
    }
  }
}

const numberOf = (printed: string | undefined): number => Number((printed ?? '').replaceAll(',', ''))

/** One row alone: its label must say that it is a share, and the figures be of one size. */
function isProgress(
  one: { readonly part: number; readonly whole: number; readonly stated: Quantity; readonly label: string } | undefined,
): boolean {
  if (one === undefined || !/progress|complet|rate|进度|完成|率/i.test(one.label)) return false
  return Math.abs((100 * one.part) / one.whole - one.stated.value) < 20
}

function contains(stated: Quantity, value: number): boolean {
  const { low, high } = statedRange(stated)
  return value >= low && value <= high
}

function shareFault(
  share: Pick<Share, 'offset' | 'text' | 'percent'>,
  part: number,
  whole: number,
  severity: Fault['severity'],
): Fault {
  const expected = asPrinted((100 * part) / whole, share.percent)
  return fault('wrong-share', share.offset, say('audit.share-of-whole', { found: share.text, part, whole, expected }), {
    severity,
    isFix: true,
  })
}

interface ShareList {
  readonly shares: readonly Share[]
  readonly totals: readonly number[]
}

/** Lines of one list that end with "30 个（25%）". */
function* inLists(evidence: Evidence): Generator<ShareList> {
  let group: { key: string; shares: Share[]; totals: number[] } | null = null
  for (const entry of entriesOf(evidence)) {
    const share = shareInEntry(entry)
    if (share === null) continue
    const key = `${entry.section?.offset ?? -1} ${entry.leads[0] ?? ''}`
    if (group !== null && group.key !== key) {
      if (group.shares.length > 1) yield group
      group = null
    }
    group ??= { key, shares: [], totals: integersIn(entry.leads[0] ?? '') }
    group.shares.push(share)
  }
  if (group !== null && group.shares.length > 1) yield group
}

function shareInEntry({ value, quantities, statement, offset }: Entry): Share | null {
  const at = quantities.findIndex((quantity, i) => {
    const next = quantities[i + 1]
    return (
      next?.unit === '%' &&
      isCount(quantity) &&
      !/\/\s?$/.test(value.slice(0, quantity.from)) &&
      /^\s?[\p{L}]{0,8}\s?[(（]\s?$/u.test(value.slice(quantity.to, next.from))
    )
  })
  const [part, percent] = [quantities[at], quantities[at + 1]]
  if (part === undefined || percent === undefined || percent.bound !== null) return null
  const start = statement === null ? offset : statement.offsetOf(statement.text.length - value.length + percent.from)
  return { part, percent, offset: start, text: value.slice(percent.from, percent.to) }
}

function integersIn(text: string): number[] {
  return [...text.matchAll(/(?<![\d.])(\d{2,9})(?![\d.]|\s?%)/g)].map(match => Number(match[1]))
}

function fitsWhole({ part, percent }: Share, whole: number): boolean {
  const share = (100 * part.value) / whole
  const { low, high } = statedRange(percent)
  return share >= low && share <= high
}

/** The shares that do not fit the whole which the others agree on. */
function* unlike(shares: readonly Share[], totals: readonly number[]): Generator<Fault> {
  const sum = shares.reduce((total, { part }) => total + part.value, 0)
  const largest = Math.max(...shares.map(({ part }) => part.value))
  const implied = shares
    .filter(({ percent }) => percent.value > 0)
    .map(({ part, percent }) => Math.round((100 * part.value) / percent.value))
  const candidates = [...new Set([...totals, sum, ...implied])].filter(whole => whole >= largest && whole > 0)
  const scored = candidates.map(whole => ({ whole, count: shares.filter(share => fitsWhole(share, whole)).length }))
  const best = scored.sort((a, b) => b.count - a.count)[0]
  if (best === undefined || best.count === shares.length) return
  // Two parts make a whole that the text before them gives: then one of them is enough.
  const isGiven = best.whole === sum && totals.includes(sum)
  if (!isGiven && (best.count < 2 || best.count < 0.6 * shares.length)) return
  for (const share of shares.filter(one => !fitsWhole(one, best.whole))) {
    const isSure = totals.includes(best.whole) || best.whole === sum || shares.length > 3
    yield shareFault(share, share.part.value, best.whole, isSure ? 'error' : 'warning')
  }
}

export const shares: Rule = { check }
