import { lineOf, type Matrix, type Point } from '../../document/matrix.js'
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

const PLACES = ['first|1st|一|1', 'second|2nd|二|2', 'third|3rd|三|3', 'fourth|4th|四|4', 'fifth|5th|五|5']
const SAID =
  /(?<![A-Za-z\d]|in the )(?<place>first|second|third|fourth|fifth|[1-5](?:st|nd|rd|th))(?:[- ](?:(?<up>highest|largest|biggest|greatest)|(?<down>lowest|smallest)|best|worst|weakest|place)|(?<=(?:ranks?|ranked|comes?|came|places?|placed|finish(?:es|ed)) \w{3,6}))(?![A-Za-z])/i
const SAID_ZH =
  /第\s?(?<place>[一二三四五1-5])(?:(?<=排(?:名|在|名在)?第\s?.)(?!\d)|(?<=一)[\s。；;]*$|(?<!一)(?:(?<up>[大高多])|(?<down>[小低少])|差)(?!\p{Script=Han}?[于过]))/u

/** A place among some of the rows is no place among all. */
const PARTLY = /(?<![a-z])(?:among|of the (?:other|rest|remaining))|其[中余]|当中|里面?(?=[,，\s\p{L}])/iu

interface Place {
  readonly rank: number
  /** What is said to have it: "the third largest source". */
  readonly kind: string
  /** Counted from the largest or the least; null where what is good decides. */
  readonly sign: 1 | -1 | null
}

function placeIn({ text }: Clause): Place | null {
  const match = SAID.exec(text) ?? SAID_ZH.exec(text)
  if (match === null || PARTLY.test(text)) return null
  const { place = '', up, down } = match.groups ?? {}
  const rank = 1 + PLACES.findIndex(names => names.split('|').includes(place.toLowerCase()))
  const kind = text.slice(match.index + match[0].length).trim()
  return { rank, kind, sign: up !== undefined ? 1 : down !== undefined ? -1 : null }
}

function* inClause(clause: Clause): Generator<Assertion> {
  if (clause.statement.kind !== 'cell' && placeIn(clause) !== null)
    yield assertionIn(clause.statement, 'rank', clause, { manner: 'said' })
}

/** The places that a value may have among others, equal ones sharing theirs. */
function placesOf({ quantity }: Point, points: readonly Point[], sign: 1 | -1): readonly [number, number] {
  const level = points.filter(one => areLevel(one.quantity, quantity)).length
  const before = points.filter(one => sign * (one.quantity.value - quantity.value) > 0)
  const above = before.filter(one => !areLevel(one.quantity, quantity)).length
  return [above + 1, above + level]
}

const isAt = (rank: number, [first, last]: readonly [number, number]): boolean => rank >= first && rank <= last

function* readings({ assertion, clause, frames }: Asked): Generator<Reading> {
  const place = placeIn(clause)
  for (const { line, points, subjects, bases, isNamed, isHere, isConfined } of place === null ? [] : frames) {
    const [owner, more] = subjects
    const isOne = owner?.mention.isWhole === true && more === undefined && bases.length === 0 && !isConfined
    if (place === null || !isOne || line.of.role === 'difference' || points.length < 3) continue
    const goal = /worst|weakest|差/i.test(clause.text) ? null : goalOfLine(line)
    const sign = place.sign ?? (goal === null ? null : goal === 'max' ? 1 : -1)
    const all = (sign === null ? ([1, -1] as const) : [sign]).map(one => placesOf(owner.point, points, one))
    if (all.some(one => isAt(place.rank, one))) yield held(line.of.name)
    const { header, section } = line.matrix.table
    const corner = header[0]?.text.toLowerCase() ?? ''
    const isKind = line.isColumn && corner !== '' && place.kind.toLowerCase().startsWith(corner)
    const isSure = isNamed || (isKind && section === clause.statement.section)
    const claimed = pointName(line, owner.point)
    const expected = all.map(([first]) => first).join(' / ')
    const message = say('audit.rank', {
      quote: assertion.quote,
      line: line.of.name,
      claimed,
      expected,
      found: place.rank,
    })
    const where = { severity: 'warning', also: [owner.point.cell.offset] } as const
    yield missed(isHere && isSure ? 1 : 0, () => refute('order-contradicted', assertion.offset, message, where), line)
  }
}

const RANKED = /^(?:rank(?:ing)?|place|排名|名次|位次)(?:\s*[(（[].*)?$/i
const FEWEST_RIGHT = 3
const MOST_RANKED = 200

/** The one row of a column of ranks that no order of another column gives, where one gives all the others. */
function* inTable(matrix: Matrix): Generator<Assertion> {
  const rows = matrix.rows.filter(({ role }) => role === 'value')
  for (const column of matrix.columns.filter(({ name }) => RANKED.test(name.trim()))) {
    const ranks = lineOf(matrix, column, true, rows).points
    const named = mentionsInName(column, matrix).flatMap(({ axes }) => axes)
    const scores = matrix.columns.filter(one => one !== column && one.role === 'value')
    const meant = scores.filter(one => named.length === 0 || named.includes(one))
    const orders = (ranks.length > FEWEST_RIGHT && ranks.length < MOST_RANKED ? meant : []).flatMap(of => {
      const { points } = lineOf(matrix, of, true, rows)
      return ([1, -1] as const).map(sign =>
        ranks.flatMap(rank => {
          const own = points.find(({ at }) => at === rank.at)
          const found = own === undefined ? null : placesOf(own, points, sign)
          return found !== null && isAt(rank.quantity.value, found) ? [] : [{ rank, found, of }]
        }),
      )
    })
    const [odd, more] = orders.sort((a, b) => a.length - b.length)[0] ?? []
    if (odd?.found == null || more !== undefined) continue
    const draft = { subjects: [odd.rank.at.name], quantity: odd.of.name, manner: `${odd.found[0]}` }
    yield assertionInCell(matrix, odd.rank.cell, 'rank', draft)
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
