import type { Quantity, Unit } from '../../document/quantity.js'
import { add, divide, multiply, type Range, subtract } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import { asPrinted, canBe, meant, middle, shown } from '../change.js'
import type { AuditDocument, Statement } from '../document.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * A calculation that is written out, "465 steps × 210 s = 27.1 h" or "2.202 - 2.123 = 0.079", and does not come out; and
 * a run that is said to take less time than its steps need. One kind of operation at a time: longer formulae have
 * brackets and roundings in between.
 */
export const wrongEquation: AuditRule = {
  id: 'wrong-equation',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty: 'Time: 465 steps × 210 s = 17.1 h.',
    sound: 'Time: 465 steps × 210 s = 27.1 h.',
  },
  *check({ statements }: AuditDocument) {
    for (const statement of statements) {
      const count = statement.quantities.length
      if (count < 2 || count > MOST_NUMBERS || statement.kind === 'cell') continue
      yield* equations(statement)
      yield* durations(statement)
    }
  },
}

const MOST_NUMBERS = 40
const OPERATOR = /^\s?(?:\/\s?(?:step|步|epoch)|每步|per step|a step)?\s?([+×x*·/÷])\s?(?:每步)?$/i
const EQUALS = /^\s?(?:\/\s?(?:step|步|epoch)|每步|per step|a step)?\s?(?:=|≈|≃)\s?(?:约|about)?\s?$/i
const SECONDS: ReadonlyMap<Unit | null, number> = new Map([
  ['s', 1],
  ['min', 60],
  ['h', 3_600],
  ['d', 86_400],
])

interface Term {
  readonly quantity: Quantity
  /** What joins it to the term before; '' for the first. */
  readonly operator: string
}

function* equations({ text, quantities, offsetOf }: Statement): Generator<Fault> {
  let terms: Term[] = []
  for (const [i, quantity] of quantities.entries()) {
    const before = quantities[i - 1]
    const gap = before === undefined ? '' : text.slice(before.to, quantity.from)
    if (terms.length > 1 && EQUALS.test(gap)) {
      const isWhole = isAlone(text, terms[0].quantity, quantity)
      if (isWhole) yield* wrong(terms, quantity, offsetOf(quantity.from))
    }
    // "12 + 15": the sign was read as the number's own.
    const isSigned = quantity.signed && !quantity.plusMinus && before !== undefined && /^\s?$/.test(gap)
    const operator = isSigned ? text[quantity.from] : OPERATOR.exec(gap)?.[1]
    if (operator === undefined) terms = []
    terms = [...terms, ...termsOf(text, isSigned ? withoutSign(quantity) : quantity, operator ?? '')]
  }
}

function withoutSign(quantity: Quantity): Quantity {
  const { value, range } = quantity
  const turned = value < 0 ? { low: -range.high, high: -range.low } : range
  return { ...quantity, value: Math.abs(value), range: turned, signed: false }
}

/** A calculation that goes on before or behind is not this one. */
function isAlone(text: string, first: Quantity, last: Quantity): boolean {
  const before = text.slice(Math.max(0, first.from - 6), first.from).replace(/[(:]\s?$/, '')
  return !/[+×x*·/÷^(-]\s?$|[\d)]\s?=\s?$/.test(before) && !/^\s?[+×*·/÷^]/.test(text.slice(last.to, last.to + 3))
}

const SUBTRACTION = /^([+-]?[\d.,]+)(\s?%)?\s-\s([+-]?[\d.,]+)/

/** "2.202 - 2.123" is read as a range; with spaces around the dash and an equals sign behind, it is a subtraction. */
function termsOf(text: string, quantity: Quantity, operator: string): readonly Term[] {
  const { ends, from, to } = quantity
  if (ends === null) return [{ quantity, operator }]
  const parts = SUBTRACTION.exec(text.slice(from, to))
  if (parts === null) return [{ quantity, operator }]
  const [first, second] = ends.map((value, i): Quantity => {
    const decimals = (i === 0 ? parts[1] : parts[3]).split('.')[1]?.length ?? 0
    const half = 0.5 * 10 ** -decimals
    return { ...quantity, value, decimals, ends: null, range: { low: value - half, high: value + half } }
  })
  return [
    { quantity: first, operator },
    { quantity: second, operator: '-' },
  ]
}

function* wrong(terms: readonly Term[], printed: Quantity, offset: number): Generator<Fault> {
  const plain = resultOf(terms, printed)
  if (plain === null || canBe(printed, plain)) return
  // 0.55 and 55 % are the same.
  const isShare = printed.unit === '%' && terms.every(({ quantity }) => quantity.unit !== '%')
  const result = isShare ? { low: 100 * plain.low, high: 100 * plain.high } : plain
  if (canBe(printed, result)) return
  const left = terms
    .map(({ quantity, operator }) => `${operator === '' ? '' : ` ${sign(operator)} `}${asPrinted(quantity)}`)
    .join('')
  const least = Number.isInteger(middle(result)) ? 0 : Math.abs(middle(result)) < 1 ? 3 : 1
  const digits = Math.max(printed.decimals ?? 0, least)
  const expected =
    printed.ends === null ? shown(middle(result), digits) : `${shown(result.low, digits)}-${shown(result.high, digits)}`
  const found = asPrinted(printed)
  yield { offset, message: message('audit.wrong-equation', { left, expected, found }), found, expected }
}

function sign(operator: string): string {
  return /[x*·]/i.test(operator) ? '×' : operator === '-' ? '−' : operator
}

/** Null where the operations are mixed or the units do not go together. */
function resultOf(terms: readonly Term[], printed: Quantity): Range | null {
  const [first, ...others] = terms
  const operators = new Set(others.map(({ operator }) => sign(operator)))
  const isSum = [...operators].every(operator => operator === '+' || operator === '−')
  if (!isSum && (operators.size > 1 || (operators.has('/') && others.length > 1))) return null
  const units = terms.map(({ quantity }) => quantity.unit)
  const times = units.filter(unit => SECONDS.has(unit))
  const scale = SECONDS.get(printed.unit)
  if (isSum && units.some(unit => unit !== units[0] && unit !== null)) return null
  if (!isSum && (times.length > 1 || (times.length === 1) !== (scale !== undefined))) return null
  if (isSum && printed.unit !== null && printed.unit !== units[0]) return null
  const computed = others.reduce<Range | null>((sum, { quantity, operator }) => {
    if (sum === null) return null
    if (operator === '+') return add(sum, termRange(quantity))
    if (operator === '-') return subtract(sum, termRange(quantity))
    return sign(operator) === '×' ? multiply(sum, termRange(quantity)) : divide(sum, termRange(quantity))
  }, termRange(first.quantity))
  const factor = isSum ? 1 : (SECONDS.get(times[0] ?? null) ?? 1) / (scale ?? 1)
  return computed === null ? null : { low: computed.low * factor, high: computed.high * factor }
}

/** Whole numbers in a calculation are counts, and exact; measured ones were rounded. */
function termRange(quantity: Quantity): Range {
  const { value, decimals, unit, hedge, ends } = quantity
  const isCount = decimals === 0 && ends === null && hedge === null && (unit === null || !MEASURED.has(unit))
  return isCount ? { low: value, high: value } : meant(quantity)
}

const MEASURED: ReadonlySet<Unit> = new Set<Unit>(['%', 'points', 's', 'min', 'h', 'd', 'token/s'])

const PER_STEP_BEFORE = /(?:每步|每个\s?step|per[- ]step)[^,;。\d]{0,12}$/i
const PER_STEP_BEHIND = /^\s?(?:\/\s?(?:step|步)|per step|a step|each)/i
const TOTAL_BEFORE =
  /(?:总共|总计|共计|总耗时|总时间|耗时|用时|(?<![a-z])(?:takes?|took|total(?:s|ing)?(?: of)?|in))[^,;。\d]{0,8}$/i
/** Start-up and evaluation come on top of the steps; less time than the steps need cannot be. */
const LEAST_SHARE = 0.95

function* durations({ text, quantities, offsetOf }: Statement): Generator<Fault> {
  if (/GPU|卡时|card/i.test(text)) return
  const [steps, ...moreSteps] = quantities.filter(({ unit }) => unit === 'step')
  const perStep = quantities.find(
    ({ unit, from, to }) =>
      unit === 's' &&
      (PER_STEP_BEFORE.test(text.slice(Math.max(0, from - 24), from)) || PER_STEP_BEHIND.test(text.slice(to, to + 12))),
  )
  const total = quantities.find(
    ({ unit, from }) => unit === 'h' && TOTAL_BEFORE.test(text.slice(Math.max(0, from - 24), from)),
  )
  if (steps === undefined || moreSteps.length > 0 || perStep === undefined || total === undefined) return
  if (total.bound !== null || steps.ends !== null) return
  const hours = multiply(meant(steps), meant(perStep))
  if (meant(total).high >= (LEAST_SHARE * hours.low) / 3_600) return
  const expected = shown(middle(hours) / 3_600, 1)
  const found = asPrinted(total)
  yield {
    offset: offsetOf(total.from),
    message: message('audit.wrong-duration', { steps: asPrinted(steps), seconds: asPrinted(perStep), expected, found }),
    found,
    expected,
    severity: 'warning',
  }
}
