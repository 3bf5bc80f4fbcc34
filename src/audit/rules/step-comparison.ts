import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { type CurvePair, curvePair } from '../curves.js'
import type { AuditDocument, Statement } from '../document.js'
import { printed } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'
import { sideNamed } from '../sides.js'
import { viewOf } from '../table-view.js'

/**
 * Which of two runs is higher at a step, against the row of that step: "at step 20 A is higher", a remark in the row, or
 * "2.005 vs probably lower before". Only measured values of the one pair of curves that the report compares.
 */
export const stepComparison: AuditRule = {
  id: 'step-comparison',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '## Reward\n| step | old | new |\n|---|---|---|\n| 5 | 1.00 | 1.20 |\n| 10 | 1.10 | 1.15 |\n| 15 | 1.20 | 1.10 |\n| 20 | 1.30 | 1.05 |\n\nAt step 15 the new run is higher.',
    sound:
      '## Reward\n| step | old | new |\n|---|---|---|\n| 5 | 1.00 | 1.20 |\n| 10 | 1.10 | 1.15 |\n| 15 | 1.20 | 1.10 |\n| 20 | 1.30 | 1.05 |\n\nAt step 15 the new run is lower.',
  },
  *check(document) {
    const pair = curvePair(document)
    if (pair === null) return
    const rows = new Map(pair.shared.map(({ step, first, second }) => [step, [first, second] as const]))
    for (const statement of document.statements) {
      const step = stepOf(document, pair, statement)
      const values = step === null ? undefined : rows.get(step)
      if (step === null || values === undefined) continue
      const fault = againstValue(statement, step, values) ?? againstName(statement, step, values, pair)
      if (fault !== null) yield fault
    }
  },
}

type Values = readonly [Quantity, Quantity]

/** The one step that a sentence speaks of; a remark speaks of its row. */
function stepOf(document: AuditDocument, { first }: CurvePair, { steps, cell, kind }: Statement): number | null {
  if (kind === 'heading' || kind === 'code') return null
  if (cell !== null) {
    const { table } = first
    if (table.rows[cell.row]?.[cell.column] !== cell || !document.tables.includes(table)) return null
    return viewOf(table).positions[cell.row]
  }
  return steps.length === 1 && steps[0].first === steps[0].last ? steps[0].first : null
}

const VERSUS_WORD =
  /^\s*(?:vs\.?|versus|对比|against|compared (?:with|to))\s*[^\d,;。()]{0,24}?(?<word>更低|更高|(?<![a-z])(?:lower|higher)(?![a-z]))/i

/** "2.005 vs probably lower before": the other run's value at that step is printed. */
function againstValue({ text, quantities, offsetOf }: Statement, step: number, values: Values): Fault | null {
  for (const quantity of quantities) {
    const found = VERSUS_WORD.exec(text.slice(quantity.to, quantity.to + 48))
    const side = values.findIndex(({ value, decimals }) => value === quantity.value && decimals === quantity.decimals)
    const word = found?.groups?.word
    if (found === null || word === undefined || side < 0) continue
    const [own, other] = [values[side], values[1 - side]]
    const isWrong = /低|lower/i.test(word) ? other.range.low > own.range.high : other.range.high < own.range.low
    if (!isWrong) continue
    return faultAt(offsetOf(quantity.to + found[0].length - word.length), word, step, other, own)
  }
  return null
}

const WORD = /更高|略高|较高|更低|略低|较低|(?<![a-z])(?:higher|lower)(?![a-z])/gi
/** The sentence may be about another quantity than the curves. */
const OTHER_QUANTITY =
  /loss|entropy|grad|length|tokens?|(?<![a-z])(?:time|speed|std|lr|mfu|memory|variance|rate)(?![a-z])|熵|梯度|长度|时间|速度|吞吐|显存|学习率|方差|波动|稳定|效率|成本/i
const DOUBT = /可能|如果|预期|是否|没有|不|than|比|(?<![a-z])(?:may|might|if|not|would|could|expected)(?![a-z])/i

function againstName(statement: Statement, step: number, values: Values, { first, second }: CurvePair): Fault | null {
  const { text } = statement
  const words = [...text.matchAll(WORD)]
  if (words.length !== 1 || OTHER_QUANTITY.test(text) || DOUBT.test(text)) return null
  const side = sideNamed(text, [first.subject, second.subject])
  if (side === null) return null
  const [own, other] = [values[side], values[1 - side]]
  const [{ 0: word, index }] = words
  const isWrong = /低|lower/i.test(word) ? own.range.low > other.range.high : own.range.high < other.range.low
  return isWrong ? faultAt(statement.offsetOf(index), word, step, own, other) : null
}

function faultAt(offset: number, word: string, step: number, meant: Quantity, rival: Quantity): Fault {
  const params = { word, step, meant: printed(meant), rival: printed(rival) }
  return {
    offset,
    message: message('audit.step-comparison', params),
    found: word,
    expected: `${params.meant}, ${params.rival}`,
  }
}
