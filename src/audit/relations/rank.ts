import { type Axis, lineOf, type Matrix, type Point } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { areLevel } from '../arithmetic.js'
import type { Assertion, Relation } from '../assertion.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../binding.js'
import { goalOfLine, pointName } from '../evidence.js'
import { refute } from '../fault.js'
import { type Clause, mentionsInName } from '../mentions.js'
import { assertionIn, assertionInCell } from '../read.js'

/**
 * "The third largest is X", "X takes second place", mAP 排第二的是 X, and columns of ranks. Equal values share their
 * places. Which way a column of ranks counts is what fits most of its rows; one row alone that does not is wrong.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.rank': { en: '“{quote}”: by “{line}” {claimed} is number {expected}, not {found}; count again', zh: '“{quote}”：按“{line}”，{claimed} 排第 {expected}，不是第 {found}；应重新排' },
})

const WORDS = ['', 'first|1st', 'second|2nd', 'third|3rd', 'fourth|4th', 'fifth|5th']
const HAN = ['', '一1', '二2', '三3', '四4', '五5']
const ENGLISH = new RegExp(
  `(?<![A-Za-z\\d]|in the )(?<place>${WORDS.slice(1).join('|')})(?:[- ](?<way>best|highest|largest|biggest|greatest|lowest|smallest|worst|weakest|place)|(?<=(?:ranks?|ranked|comes?|came|places?|placed|finish(?:es|ed)) \\w{3,6}))(?![A-Za-z])`,
  'i',
)
const CHINESE =
  /(?:排名?在?)第\s?(?<place>[一二三四五1-5])(?!\d)|第(?<first>一)[\s。；;]*$|第\s?(?<place2>[二三四五2-5])(?<way>[大高多小低少差])(?!\p{Script=Han}?[于过])/u

/** A place among some of the rows is no place among all. */
const PARTLY = /(?<![a-z])(?:among|of the (?:other|rest|remaining))|其[中余]|当中|里面?(?=[,，\s\p{L}])/iu

interface Place {
  readonly rank: number
  /** What is said to have it: "the third largest source". */
  readonly kind: string
  readonly ways: readonly (1 | -1)[]
}

function placeIn({ text }: Clause): Place | null {
  const match = ENGLISH.exec(text) ?? CHINESE.exec(text)
  const { place, place2, first, way = '' } = match?.groups ?? {}
  const said = (place ?? place2 ?? first ?? '').toLowerCase()
  const rank = Math.max(
    WORDS.findIndex(list => said !== '' && list.split('|').includes(said)),
    HAN.findIndex(list => said !== '' && list.includes(said)),
  )
  if (rank < 1) return null
  const isUp = /^(?:highest|largest|biggest|greatest|[大高多])$/i.test(way)
  const kind = text.slice((match?.index ?? 0) + (match?.[0].length ?? 0)).trim()
  return { rank, kind, ways: isUp ? [1] : /^(?:lowest|smallest|[小低少])$/i.test(way) ? [-1] : [1, -1] }
}

function* inClause(clause: Clause): Generator<Assertion> {
  if (placeIn(clause) !== null && clause.statement.kind !== 'cell')
    yield assertionIn(clause.statement, 'rank', clause, { manner: 'said' })
}

/** The places that a value may have among others, equal ones sharing theirs. */
function placesOf({ quantity }: Point, points: readonly Point[], sign: 1 | -1): readonly [number, number] {
  const others = points.filter(one => one.quantity !== quantity)
  const level = others.filter(one => areLevel(one.quantity, quantity)).length
  const above = others.filter(
    one => !areLevel(one.quantity, quantity) && sign * (one.quantity.value - quantity.value) > 0,
  ).length
  return [above + 1, above + 1 + level]
}

const isAt = (rank: number, [first, last]: readonly [number, number]): boolean => rank >= first && rank <= last

function* readings({ assertion, clause, frames }: Asked): Generator<Reading> {
  const place = placeIn(clause)
  const { text, statement } = clause
  if (place === null || PARTLY.test(statement.text)) return
  for (const { line, points, subjects, bases, isNamed, isHere, isConfined } of frames) {
    const [owner, more] = subjects
    const isOne = owner?.mention.isWhole === true && more === undefined && bases.length === 0 && !isConfined
    if (owner === undefined || !isOne || line.of.role === 'difference' || points.length < 3) continue
    const goal = place.ways.length === 1 ? null : goalOfLine(line)
    const ways = goal === null || /worst|weakest|差/i.test(text) ? place.ways : [goal === 'max' ? 1 : -1]
    const all = ways.map(sign => placesOf(owner.point, points, sign === 1 ? 1 : -1))
    if (all.some(one => isAt(place.rank, one))) yield held(line.of.name)
    const { header, section } = line.matrix.table
    const corner = header[0]?.text.toLowerCase() ?? ''
    const isKind = line.isColumn && corner !== '' && place.kind.toLowerCase().startsWith(corner)
    const isSure = isNamed || (isKind && section === statement.section)
    const params = {
      quote: assertion.quote,
      line: line.of.name,
      claimed: pointName(line, owner.point),
      expected: all.map(([first]) => first).join(' / '),
      found: place.rank,
    }
    yield missed(
      isHere && isSure ? 1 : 0,
      () =>
        refute('order-contradicted', assertion.offset, say('audit.rank', params), {
          severity: 'warning',
          also: [owner.point.cell.offset],
        }),
      line,
    )
  }
}

const RANKED = /^(?:rank(?:ing)?|place|排名|名次|位次)(?:\s*[(（[].*)?$/i
const FEWEST_RIGHT = 3

/** The one row of a column of ranks that no order of another column gives, where one gives all the others. */
function oddIn(matrix: Matrix, column: Axis) {
  const rows = matrix.rows.filter(({ role }) => role === 'value')
  const ranks = lineOf(matrix, column, true, rows).points
  const named = mentionsInName(column, matrix).flatMap(({ axes, isRow }) => (isRow ? [] : axes))
  const scores = matrix.columns.filter(
    one => one !== column && one.role === 'value' && (named.length === 0 || named.includes(one)),
  )
  const orders = scores.flatMap(of => {
    const { points } = lineOf(matrix, of, true, rows)
    return ([1, -1] as const).map(sign =>
      ranks.flatMap(rank => {
        const own = points.find(({ at }) => at === rank.at)
        const found = own === undefined ? null : placesOf(own, points, sign)
        return found === null || !isAt(rank.quantity.value, found) ? [{ rank, found, of }] : []
      }),
    )
  })
  const [best] = orders.sort((a, b) => a.length - b.length)
  const [odd, more] = best ?? []
  return more === undefined && ranks.length > FEWEST_RIGHT && odd?.found != null ? odd : null
}

function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const column of matrix.columns.filter(({ name }) => RANKED.test(name.trim()))) {
    const odd = matrix.rows.length > 200 ? null : oddIn(matrix, column)
    if (odd?.found == null) continue
    const { rank, found, of } = odd
    yield assertionInCell(matrix, rank.cell, 'rank', {
      subjects: [rank.at.name],
      quantity: of.name,
      manner: `${found[0]}`,
    })
  }
}

const checkSaid = checkedBy(readings, ['said'])

const check: Relation['check'] = (assertion, evidence) => {
  const { manner, offset, quote, quantity, subjects } = assertion
  if (manner === 'said') return checkSaid(assertion, evidence)
  const params = { quote, line: quantity ?? '', claimed: subjects[0] ?? '', expected: manner, found: quote }
  return refute('order-contradicted', offset, say('audit.rank', params), { severity: 'warning' })
}

export const rank: Relation = { names: ['rank'], inClause, inTable, check }
