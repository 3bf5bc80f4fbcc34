import type { Statement } from '../../logs/document/document.js'
import type { Quantity, Stretch } from '../../logs/document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { isDuration, MINUTES } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { assertionOver, figureOf } from '../extract.js'
import { has } from '../lexicon.js'

/**
 * How long something took: "10:15 – 10:47 (52 min)", "2025-03-04 to 2025-03-18, 14 days". Two times of day or dates of a
 * sentence are so far apart, and the only length behind them, or in an item that hangs below them, says how far.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.time-span': { en: '“{quote}”: {from} to {to} is {expected}, not {found}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}' },
})

/** A dash, or words such as "finished at". */
const JOINED =
  /^(?:\s?[A-Za-z]{3})?\s?(?:[-–—~→到至]|to|,?\s?(?:and )?(?:finish|end|stop|done|完成|结束)(?:p?ed|e?s)?(?: at)?:?)\s?$/i

interface Moment extends Stretch {
  /** In minutes. */
  readonly at: number
}

function momentsIn({ clocks, dates }: Statement): readonly Moment[] {
  if (clocks.length > 0) return clocks.map(({ from, to, minutes: at }) => ({ from, to, at }))
  return dates.map(({ from, to, time }) => ({ from, to, at: time / 60_000 }))
}

function* inStatement(statement: Statement, following: () => readonly Statement[]): Generator<Assertion> {
  const { text, clocks, kind } = statement
  const [first, second, third] = momentsIn(statement)
  if (kind === 'code' || first === undefined || second === undefined || third !== undefined) return
  if (!JOINED.test(text.slice(first.to, second.from))) return
  // Where the days are not told, they are the same or follow each other.
  const minutes = second.at - first.at + (clocks.length > 0 && second.at < first.at ? 1440 : 0)
  const isBelow = (one: Statement): boolean => one.leads.includes(text) && has(one.text, 'duration')
  for (const home of [statement, ...following().filter(isBelow)]) {
    const start = home === statement ? second.to : 0
    const stated = home.quantities.filter(one => isDuration(one) && one.from >= start)
    const [one, two = one, more] = stated
    if (one === undefined || two === undefined) continue
    // "2 h 42 min" is one length of two figures; "33 min of training and 9 min of loading" are parts of it.
    const isOne = more === undefined && two.from - one.to <= 2 && stated.every(isExact)
    const isWhole = has(home.text, 'total', 'duration') || /^\s?[(,:]\s?$/.test(text.slice(start, one.from))
    if (!isOne || !isWhole || minutes < 0) return
    const figures = stated.map(quantity => figureOf(home, quantity, 'span'))
    const ends = [first, second].map(({ from, to }) => text.slice(from, to).replaceAll(' ', 'T'))
    const words = home === statement ? [first.from] : []
    return yield assertionOver(home, 'span', figures, { manner: `${minutes} ${ends.join(' ')}`, words })
  }
}

const isExact = ({ ends, bound, hedge }: Quantity): boolean => ends === null && bound === null && hedge === null
const sizeOf = ({ unit }: Quantity): number => MINUTES[unit ?? ''] ?? 1
const lengthOf = (stated: readonly Quantity[]): number => stated.reduce((sum, one) => sum + one.value * sizeOf(one), 0)

function check({ figures, manner, quote }: Assertion): CheckOutcome {
  const quantities = figures.map(({ quantity }) => quantity)
  const [stated, last] = [lengthOf(quantities), quantities.at(-1)]
  if (last === undefined) return UNCHECKED
  const [length, from = '', to = ''] = manner.split(' ')
  // Both ends may be counted, and the last digit cut off; nobody says how many days lie between two times of day.
  const slack = 1.5 * 10 ** -last.decimals * sizeOf(last)
  const days = /^\d{1,2}:/.test(from) ? [0, 1440, 2880] : [0]
  if (days.some(more => Math.abs(stated - Number(length) - more) <= slack)) return confirmed(`${from} – ${to}`)
  const found = figures.map(({ text }) => text).join(' ')
  const single = (Number(length) / sizeOf(last)).toFixed(Math.max(0, last.decimals))
  const clock = `${Math.floor(Number(length) / 60)} h ${Math.round(Number(length) % 60)} min`
  const expected = figures.length > 1 ? clock : found.replace(/[\d.,]*\d/, single)
  return refute('timeline', figures[0]?.offset ?? 0, say('audit.time-span', { quote, from, to, expected, found }))
}

export const span: Relation = { name: 'span', inStatement, check }
