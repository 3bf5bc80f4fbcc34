import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { asPrinted, canBe, middle, percentOf, percentOfEnd, shown } from '../change.js'
import { curvesOf } from '../curves.js'
import type { AuditDocument, Statement } from '../document.js'
import { calledDirection } from '../pairs.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * A list of values over steps with the change of each: "Step 15: 1.840 (-14.0%)". Each is checked against the line
 * before, and against the first and the best so far, because some authors measure from there.
 */
export const stepwiseChange: AuditRule = {
  id: 'stepwise-change',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty: '- Step 5: 1.70\n- Step 10: 2.14 (+25.9%)\n- Step 15: 1.84 (-41.0%)\n',
    sound: '- Step 5: 1.70\n- Step 10: 2.14 (+25.9%)\n- Step 15: 1.84 (-14.0%)\n',
  },
  *check(document: AuditDocument) {
    const { statements } = document
    const earlier = earlierPoints(document)
    let block: Line[] = []
    let last: Statement | undefined
    for (const statement of statements) {
      const line = lineOf(statement)
      const isNext = line !== null && last?.kind === statement.kind && last.section === statement.section
      const follows = isNext && line.step > (block[block.length - 1]?.step ?? Number.NEGATIVE_INFINITY)
      if (!follows) {
        yield* inBlock(block, earlier)
        block = []
      }
      if (line !== null) block.push(line)
      last = statement
    }
    yield* inBlock(block, earlier)
  },
}

interface Line {
  readonly step: number
  readonly value: Quantity
  /** Null where the line says nothing of a change. */
  readonly change: Quantity | null
  readonly statement: Statement
}

const MOST_BEFORE_VALUE = 12

function lineOf(statement: Statement): Line | null {
  const { text, steps, quantities, kind } = statement
  if (kind !== 'code' && kind !== 'item' && kind !== 'sentence') return null
  const [mark] = steps
  const [value, change, ...more] = quantities
  if (mark === undefined || mark.first !== mark.last || mark.from > MOST_BEFORE_VALUE) return null
  if (value === undefined || value.from < mark.to || value.ends !== null || value.signed || value.unit !== null)
    return null
  const between = text.slice(mark.to, value.from)
  if (!/^\s?(?:\([^()]{0,20}\))?\s?[:=,]?\s?[~≈约]?\s?$/.test(between)) return null
  const isChange = change !== undefined && more.length === 0 && change.unit === '%' && change.ends === null
  const opening = change === undefined ? '' : text.slice(value.to, change.from)
  const said =
    isChange && /^\s?[(,]\s?(?:下降|上升|提升|增加|降低|减少|down|up)?\s?(?:by )?[约~]?\s?$/i.test(opening)
      ? change
      : null
  const direction = said === null || said.signed ? null : calledDirection(text, said)
  // Without a sign or a word it may be a share of the run, or an accuracy.
  const isTold = said !== null && (said.signed || direction !== null)
  return { step: mark.first, value, change: isTold ? directed(said, direction) : null, statement }
}

function directed(change: Quantity, direction: 1 | -1 | null): Quantity {
  if (direction === null) return change
  const { low, high } = change.range
  return {
    ...change,
    value: direction * change.value,
    range: direction === 1 ? change.range : { low: -high, high: -low },
    signed: true,
  }
}

type Earlier = (step: number, value: number) => readonly Quantity[]

/** A list may leave out steps that a table has: the value before is then the table's. */
function earlierPoints(document: AuditDocument): Earlier {
  const before = new Map<string, Quantity[]>()
  for (const { points } of curvesOf(document)) {
    for (const [i, { step, quantity }] of points.entries()) {
      const key = `${step} ${quantity.value}`
      if (i > 0) before.set(key, [...(before.get(key) ?? []).slice(-MOST_BEFORE), points[i - 1].quantity])
    }
  }
  return (step, value) => before.get(`${step} ${value}`) ?? []
}

const MOST_BEFORE = 4

function* inBlock(block: readonly Line[], earlier: Earlier): Generator<Fault> {
  if (block.filter(({ change }) => change !== null).length === 0) return
  let best = block[0]?.value
  for (const [i, { step, value, change, statement }] of block.entries()) {
    const before = block[i - 1]?.value
    if (before !== undefined && best !== undefined && change !== null) {
      const bases = [before, block[0].value, best, ...earlier(step, value.value)]
      const isRight = bases.some(base =>
        [percentOf(base, value), percentOfEnd(base, value)].some(reading => canBe(change, reading)),
      )
      const computed = percentOf(before, value)
      if (!isRight && computed !== null) yield faultAt(statement, before, value, change, middle(computed))
    }
    if (best !== undefined && value.value > best.value) best = value
  }
}

function faultAt(statement: Statement, start: Quantity, end: Quantity, change: Quantity, computed: number): Fault {
  const expected = shown(computed, Math.max(1, change.decimals ?? 1), { sign: true })
  const found = asPrinted(change)
  return {
    offset: statement.offsetOf(change.from),
    message: message('audit.change-percent', { start: asPrinted(start), end: asPrinted(end), expected, found }),
    found: `${found}%`,
    expected: `${expected}%`,
  }
}
