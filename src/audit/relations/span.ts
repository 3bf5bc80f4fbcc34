import type { Statement } from '../../document/document.js'
import type { Quantity, Stretch } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, confirmed, type Outcome, type Relation } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { assertionIn, figureOf } from '../read.js'
import { isDuration, MINUTES } from './reckoned.js'

/**
 * How long something took: "10:15 – 10:47 (52 min)", "2025-03-04 to 2025-03-18, 14 days". Two times of day or two dates of
 * a sentence are so far apart, and the only duration behind them, or in an item that hangs below them, says how far.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.time-span': { en: '“{quote}”: {from} to {to} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}；应写 {expected}' },
})

/** A dash, or words such as "finished at". */
const JOINED =
  /^(?:\s?[A-Za-z]{3}|\s?[\u4e00-\u9fff]{2})?\s?(?:[-–—~→到至]|to|,?\s?(?:and )?(?:finish(?:ed|es)?|end(?:ed|s)?|stop(?:ped|s)?|done|完成|结束)(?: at| 于)?:?)\s?$/i

interface Marks {
  readonly first: Stretch
  readonly second: Stretch
  readonly minutes: number
}

/** Two times of day, or two dates that both tell one or both do not. */
function marksIn({ text, clocks, dates }: Statement): Marks | null {
  const moments = clocks.length > 0 ? clocks : dates.map(date => ({ ...date, minutes: date.time / 60_000 }))
  const [first, second, more] = moments
  if (first === undefined || second === undefined || more !== undefined) return null
  const isDated = clocks.length === 0
  if (isDated && dates[0].length !== dates[1].length) return null
  const apart = second.minutes - first.minutes
  if (!JOINED.test(text.slice(first.to, second.from)) || (isDated && apart < 0)) return null
  // Where the days are not told, they are the same or follow each other.
  return { first, second, minutes: apart < 0 ? apart + 1440 : apart }
}

/** Items that hang below a line stand right behind it. */
const MOST_BELOW = 5

function* inStatement(statement: Statement, { document, indexOf }: Evidence): Generator<Assertion> {
  const marks = marksIn(statement)
  if (marks === null) return
  const { first, second, minutes } = marks
  const at = indexOf(statement) + 1
  const below = document.statements
    .slice(at, at + MOST_BELOW)
    .filter(({ leads, clocks, text }) => leads.includes(statement.text) && clocks.length === 0 && has(text, 'duration'))
  for (const home of [statement, ...below]) {
    const [one, two, more] = home.quantities.filter(
      quantity => isDuration(quantity) && (home !== statement || quantity.from >= second.to),
    )
    if (one === undefined) continue
    const stated = two === undefined ? [one] : [one, two]
    // "2 h 42 min" is one length of two figures.
    const isOne = more === undefined && (two === undefined || (two.from - one.to <= 2 && two.unit !== one.unit))
    const isExact = stated.every(({ ends, bound, hedge }) => ends === null && bound === null && hedge === null)
    // "33 min of training and 9 min of loading" is part of it.
    const isWhole =
      has(home.text, 'total', 'duration') || /^\s?[(,:]\s?$/.test(statement.text.slice(second.to, one.from))
    if (!isOne || !isExact || (lengthOf(stated) < minutes && !isWhole)) return
    const subjects = [first, second].map(({ from, to }) => statement.text.slice(from, to))
    const figures = stated.map(quantity => figureOf(home, quantity, 'span'))
    const stretch = { from: 0, to: home.text.length }
    yield assertionIn(home, 'span', stretch, { figures, subjects, manner: String(minutes) })
    return
  }
}

const sizeOf = ({ unit }: Quantity): number => MINUTES[unit ?? ''] ?? 1
const lengthOf = (stated: readonly Quantity[]): number => stated.reduce((sum, one) => sum + one.value * sizeOf(one), 0)

function check({ figures, subjects: [from, to], manner, quote }: Assertion): Outcome {
  const minutes = Number(manner)
  const stated = lengthOf(figures.map(({ quantity }) => quantity))
  const { quantity: last } = figures[figures.length - 1]
  // Both ends may be counted, and the last digit cut off; nobody says how many days lie between two times of day.
  const slack = 1.5 * 10 ** -last.decimals * sizeOf(last)
  const days = from.includes(':') ? [0, 1440, 2880] : [0]
  if (days.some(more => Math.abs(stated - minutes - more) <= slack)) return confirmed(`${from} – ${to}`)
  const clock = `${Math.floor(minutes / 60)} h ${Math.round(minutes % 60)} min`
  const single = String(Number((minutes / sizeOf(last)).toFixed(Math.max(0, last.decimals))))
  const found = figures.map(({ text }) => text).join(' ')
  const params = { quote, from, to, expected: figures.length > 1 ? clock : single, found }
  return refute('timeline', figures[0].offset, say('audit.time-span', params))
}

export const span: Relation = { names: ['span'], inStatement, check }
