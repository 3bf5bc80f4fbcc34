import type { Statement } from '../../logs/document/document.js'
import { goalByName } from '../../logs/model/vocabulary/metric.js'
import { sentences } from '../../text/sentences.js'
import { meets, middle, printedOf } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { assertionOver, figureAs, figureOf } from '../extract.js'
import { levelPairsIn } from './level-pairs.js'

/** A verb that governs two levels directly: "rises from a to b", 从 a 降至 b, "b, down from a". */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.falls': { en: '“{quote}”: {from} to {to} is a fall, but the text says “{found}”', zh: '“{quote}”：{from} 到 {to} 是下降，文中却写“{found}”' },
  'audit.rises': { en: '“{quote}”: {from} to {to} is a rise, but the text says “{found}”', zh: '“{quote}”：{from} 到 {to} 是上升，文中却写“{found}”' },
})

/** 提升 of what should be low may mean that it got better. */
const BETTERS = /^提[升高]$/

function* inStatement(statement: Statement): Generator<Assertion> {
  for (const { from, to, verb } of levelPairsIn(statement)) {
    if (verb === null) continue
    const isOpen = BETTERS.test(verb.text) && goalByName(statement.text.slice(0, verb.from)) === 'min'
    if (isOpen) continue
    const figures = [figureOf(statement, from, 'from'), figureOf(statement, to, 'to')]
    const manner = `${verb.sense} ${verb.text}`
    yield assertionOver(statement, 'direction', figures, { manner, words: [verb.from, verb.to] })
  }
}

function check(assertion: Assertion): CheckOutcome {
  const [from, to] = [figureAs(assertion, 'from'), figureAs(assertion, 'to')]
  if (from === null || to === null) return UNCHECKED
  const [a, b] = [printedOf(from.quantity), printedOf(to.quantity)]
  const [sense = '', ...words] = assertion.manner.split(' ')
  const actual = middle(b) > middle(a) ? 'up' : 'down'
  if (actual === sense) return confirmed(`${from.text} → ${to.text}`)
  // Of negative figures the size may be meant.
  if (meets(a, b) || (middle(a) < 0 && middle(b) < 0)) return UNCHECKED
  const params = { quote: assertion.quote, from: from.text, to: to.text, found: words.join(' ') }
  const message = say(actual === 'up' ? 'audit.rises' : 'audit.falls', params)
  return refute('sign-contradicted', to.offset, message, { expected: actual })
}

export const direction: Relation = { name: 'direction', inStatement, check }
