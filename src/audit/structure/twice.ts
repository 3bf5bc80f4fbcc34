import { groupBy } from '../../model/group-by.js'
import { sentences } from '../../text/sentences.js'
import { areLevel } from '../arithmetic.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'
import { type Setting, settingsOf } from '../settings.js'

/**
 * One setting with two values, in two forms: a list and a command, a table and a snippet of configuration. Two commands
 * or two tables are of two runs, and more than two values are a sweep. That the two are of one run is known by where they
 * stand, in one section, or by what else they set: all of it alike.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.setting-twice': { en: '“{label}” is {found} here and {expected} in line {at}; only one of the two ran: correct the other', zh: '“{label}”此处是 {found}，第 {at} 行是 {expected}；实际只用了其中之一，应改正另一处' },
})

const MOST_STATED = 12
const MOST_IN_BLOCK = 200
const FEWEST_AGREEING = 2

export function* twice(evidence: Evidence): Generator<Fault> {
  const { text, placeOf } = evidence.document
  const settings = settingsOf(evidence).toSorted((a, b) => a.offset - b.offset)
  const blocks = groupBy(settings, ({ block }) => block)
  const printed = ({ offset, quantity: { from, to } }: Setting): string => text.slice(offset, offset + to - from)
  const areOfOne = (a: Setting, b: Setting): boolean => {
    const isBeside = a.section === b.section && !a.isLed && !b.isLed
    const fewest = isBeside ? 0 : FEWEST_AGREEING
    return a.form !== b.form && agree(blocks.get(a.block) ?? [], blocks.get(b.block) ?? [], fewest)
  }
  for (const alike of groupBy(settings, ({ name }) => name).values()) {
    if (alike.length > MOST_STATED || isTried(alike)) continue
    const pairs = alike.flatMap((there, i) => alike.slice(i + 1).map(here => ({ there, here })))
    const pair = pairs.find(({ there, here }) => !isSame(here, there) && areOfOne(here, there))
    if (pair === undefined) continue
    const { here, there } = pair
    const params = { label: here.label, found: printed(here), expected: printed(there), at: placeOf(there.offset).line }
    yield fault('setting-twice', here.offset, say('audit.setting-twice', params), { also: [there.offset] })
  }
}

const isSame = (a: Setting, b: Setting): boolean => areLevel(a.quantity, b.quantity)

/** Two values in one block, or more than two in all. */
function isTried(settings: readonly Setting[]): boolean {
  const values = new Set(settings.map(({ quantity }) => quantity.value))
  return values.size > 2 || settings.some(a => settings.some(b => a.block === b.block && !isSame(a, b)))
}

/** So many others are set alike in two blocks, and none differently. */
function agree(here: readonly Setting[], there: readonly Setting[], fewest: number): boolean {
  if (here.length > MOST_IN_BLOCK || there.length > MOST_IN_BLOCK) return false
  const shared = here.flatMap(one => there.filter(({ name }) => name === one.name).map(other => isSame(one, other)))
  const equal = shared.filter(isEqual => isEqual).length
  return equal >= fewest && shared.length === equal + 1
}
