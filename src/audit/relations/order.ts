import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { assertionIn, figureOf } from '../extract.js'

/** Chains whose links print their figures: "A (0.63) > B (0.61) ≈ C (0.60)". */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.order-contradicted': { en: '“{quote}”: but {expected}; write them in order', zh: '“{quote}”：实际是 {expected}；应按大小重排' },
})

const SIGNS = /[><≈≥≤]/g
/** At least two, so that "x > 3" is no chain. */
const ONE_WAY = /^(?:[>≥≈]{2,12}|[<≤≈]{2,12})$/

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  if (!/[><].*[><≈≥≤]/.test(text)) return
  for (const { index, 0: chain } of everyMatch(text, /[^,;。:]+/g)) {
    const manner = chain.match(SIGNS)?.join('') ?? ''
    // "A -> B" leads on.
    if (!ONE_WAY.test(manner) || /[-=]>|<-/.test(chain)) continue
    const stretch = { from: index, to: index + chain.length }
    const own = quantities.filter(({ from, to }) => from >= stretch.from && to <= stretch.to)
    const isLink = ({ to, unit }: Quantity, i: number): boolean =>
      unit === own[0]?.unit && text.slice(index, to).split(SIGNS).length === i + 1
    if (own.length !== manner.length + 1 || !own.every(isLink)) continue
    const figures = own.map(one => figureOf(statement, one, 'value'))
    yield assertionIn(statement, 'order', stretch, { figures, manner })
  }
}

function check({ figures, manner, quote, offset, stance }: Assertion): CheckOutcome {
  const isDown = /[>≥]/.test(manner)
  const isBroken = figures.some(({ quantity: b }, i) => {
    const a = figures[i - 1]?.quantity
    return a !== undefined && manner[i - 1] !== '≈' && !meets(a.range, b.range) && a.value > b.value !== isDown
  })
  if (!isBroken) return confirmed(quote)
  if (stance !== 'said') return UNCHECKED
  const sorted = figures.toSorted((x, y) => (isDown ? -1 : 1) * (x.quantity.value - y.quantity.value))
  const expected = sorted.map(({ text }) => text).join(isDown ? ' > ' : ' < ')
  return refute('order-contradicted', offset, say('audit.order-contradicted', { quote, expected }), { found: quote })
}

export const order: Relation = { names: ['order'], inStatement, check }
