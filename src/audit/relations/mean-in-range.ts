import type { Statement } from '../../logs/document/document.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { assertionOver, figureAs, figureOf } from '../extract.js'

/** "0.657 (mean, range 0.412-1.605)": a mean lies inside its own range. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.mean-impossible': { en: '“{quote}”: a mean of {found} is outside its own range {expected}', zh: '“{quote}”：平均值 {found} 不在它自己的范围 {expected} 之内' },
})

const BETWEEN = /^\s*[(（,，]\s*(?:mean|avg|average|平均|均值)[,，;；]?\s*(?:range|min-max|范围|区间)\s*[:：=]?\s*$/i

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  for (const [i, mean] of quantities.entries()) {
    const range = quantities[i + 1]
    if (range?.ends == null || mean.ends !== null || !BETWEEN.test(text.slice(mean.to, range.from))) continue
    yield assertionOver(statement, 'mean-in-range', [
      figureOf(statement, mean, 'result'),
      figureOf(statement, range, 'whole'),
    ])
  }
}

function check(assertion: Assertion): CheckOutcome {
  const [mean, range] = [figureAs(assertion, 'result'), figureAs(assertion, 'whole')]
  if (mean === null || range?.quantity.ends == null) return UNCHECKED
  const [low, high] = range.quantity.ends
  const { value } = mean.quantity
  // A mean at an end says that all values are the same, and the range says that they are not.
  if ((value > low && value < high) || low === high) return confirmed(range.text)
  const message = say('audit.mean-impossible', { quote: assertion.quote, found: mean.text, expected: range.text })
  return refute('mean-impossible', mean.offset, message)
}

export const meanInRange: Relation = { name: 'mean-in-range', inStatement, check }
