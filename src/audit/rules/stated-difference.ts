import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { asPrinted, canBe, differenceOf, middle, pointsOf, shown } from '../change.js'
import type { AuditDocument, Statement } from '../document.js'
import { inOrder, isCalledChange, type NumberPair, pairsIn } from '../pairs.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * "a vs b, differs by d", and three lines of a list that give a, b and their difference: d does not follow. Without
 * words or a sign that call it a difference, a number behind two others may be anything.
 */
export const statedDifference: AuditRule = {
  id: 'stated-difference',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty: 'Best reward: 2.123 vs 2.202, a difference of only 0.097.',
    sound: 'Best reward: 2.123 vs 2.202, a difference of only 0.079.',
  },
  *check({ statements }: AuditDocument) {
    for (const [i, statement] of statements.entries()) {
      if (statement.kind === 'code') continue
      for (const pair of pairsIn(statement)) {
        for (const printed of pair.said) {
          if (isDifference(statement.text, printed, pair)) yield* wrongDifference(statement, pair, printed)
        }
      }
      if (statement.quantities.length === 0) continue
      yield* betweenLines(statements[i - 2], statements[i - 1], statement)
      if (statement.steps.length > 1) yield* betweenSteps(statement)
    }
  },
}

function isDifference(text: string, printed: Quantity, { first, second }: NumberPair): boolean {
  if (printed.ends !== null || printed.plusMinus) return false
  // Finer than both: a difference of something else, between steps 5 and 10 for instance.
  if ((printed.decimals ?? 0) > Math.max(first.decimals ?? 0, second.decimals ?? 0) && printed.unit === null)
    return false
  if (!printed.signed && !isCalledChange(text, printed)) return false
  if (printed.unit === 'points') return pointsOf(first, second) !== null
  return printed.unit !== '%' && printed.unit !== 'times' && (printed.unit === null || printed.unit === first.unit)
}

function* wrongDifference(
  statement: Statement,
  pair: Pick<NumberPair, 'first' | 'second' | 'link'>,
  printed: Quantity,
): Generator<Fault> {
  const [start, end] = inOrder(pair)
  const isFraction =
    printed.unit === 'points' && start.unit !== '%' && Math.max(Math.abs(start.value), Math.abs(end.value)) <= 1
  const difference = differenceOf(end, start)
  const scale = isFraction ? 100 : 1
  const computed = { low: scale * difference.low, high: scale * difference.high }
  if (canBe(printed, computed, { signFree: pair.link !== 'arrow' })) return
  const digits = Math.max(start.decimals ?? 0, end.decimals ?? 0) - (isFraction ? 2 : 0)
  const expected = shown(middle(computed), digits, { sign: true })
  yield {
    offset: statement.offsetOf(printed.from),
    message: message('audit.difference-column', {
      start: asPrinted(start),
      end: asPrinted(end),
      expected,
      found: asPrinted(printed),
    }),
    found: asPrinted(printed),
    expected,
  }
}

const LABELLED = /^[^\d:]{0,40}:\s?[~≈约]?[+-]?\d/
const DIFFERENCE_LABEL = /^(?:差异|差值|差距|相差|difference|diff|gap|delta|Δ)\s?:/i

/** "A: 2.1", "B: 2.2", "Difference: 0.1". */
function* betweenLines(first: Statement | undefined, second: Statement | undefined, last: Statement): Generator<Fault> {
  if (first === undefined || second === undefined || !DIFFERENCE_LABEL.test(last.text.trim())) return
  const lines = [first, second]
  if (lines.some(line => line.kind !== last.kind || !LABELLED.test(line.text.trim()) || line.section !== last.section))
    return
  const [a, b] = lines.map(({ quantities }) => quantities[0])
  const [printed] = last.quantities
  if (a === undefined || b === undefined || printed === undefined || printed.unit === '%' || a.unit !== b.unit) return
  if ([a, b, printed].some(({ ends }) => ends !== null) || (printed.unit !== null && printed.unit !== a.unit)) return
  yield* wrongDifference(last, { first: a, second: b, link: 'versus' }, printed)
}

const AGAINST = /^\)?\s?(?:vs\.?|versus|→|->|与|对比)\s?\(?$/i
const STEPS_APART = /^[\s(),:]*(?:即|仅|only|i\.e\.)?\s?(?:快|慢|提前|早|晚|相差|差)了?\s?$|^[\s(),:]*$/i

/** "Step 40 vs Step 45, 5 steps sooner". */
function* betweenSteps({ text, steps, quantities, offsetOf }: Statement): Generator<Fault> {
  for (const [i, second] of steps.entries()) {
    const first = steps[i - 1]
    if (first === undefined || !AGAINST.test(text.slice(first.to, second.from))) continue
    if (first.first !== first.last || second.first !== second.last) continue
    const said = quantities.find(({ from, unit }) => from >= second.to && unit === 'step')
    if (said === undefined || said.ends !== null || said.hedge !== null || said.bound !== null) continue
    if (!STEPS_APART.test(text.slice(second.to, said.from))) continue
    const expected = Math.abs(second.first - first.first)
    if (Math.abs(said.value) === expected) continue
    yield {
      offset: offsetOf(said.from),
      message: message('audit.steps-apart', { first: first.first, second: second.first, expected, found: said.value }),
      found: String(said.value),
      expected: String(expected),
    }
  }
}
