import type { Statement } from '../../document/document.js'
import { type Matrix, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { divide, multiply, type Range } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, meets, middle, percentOf, statedRange } from '../arithmetic.js'
import type { Fault, Rule } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { has } from '../lexicon.js'

/**
 * Figures in a row: the mean of a list that the sentence prints, changes from one line of a list to the next, and a
 * column that is the product of two others in every row but one.
 */
const say = sentences({
  'audit.list-mean': {
    en: '“{quote}”: the mean of {values} is {expected}, not {found}; write {expected}',
    zh: '“{quote}”：{values} 的平均是 {expected}，不是 {found}；应写 {expected}',
  },
  'audit.stepwise-change': {
    en: '“{quote}”: from {from} in the line before it is {expected}, not {found}; write {expected}',
    zh: '“{quote}”：与上一行的 {from} 相比是 {expected}，不是 {found}；应写 {expected}',
  },
  'audit.product-column': {
    en: 'row “{row}”: {left} × {right} is {expected}, not {found}, although all other rows obey this; write {expected}',
    zh: '“{row}”行：{left} × {right} 是 {expected}，不是 {found}，而其余各行都符合；应写 {expected}',
  },
})

function* check(evidence: Evidence): Generator<Fault> {
  const { statements } = evidence.document
  for (const statement of statements) if (statement.quantities.length > 3) yield* meanOf(statement)
  yield* stepwise(statements)
  for (const matrix of evidence.matrices) yield* products(matrix)
}

const SEPARATOR = /^\s?(?:[,，、/]|and|和|与)\s?$/i

/** Three or more figures with commas between them, and a mean before or behind. */
function* meanOf(statement: Statement): Generator<Fault> {
  const { text, quantities } = statement
  if (!has(text, 'mean') || text.length > 300) return
  for (let i = 0; i < quantities.length; ) {
    let end = i + 1
    while (
      end < quantities.length &&
      SEPARATOR.test(text.slice(quantities[end - 1]?.to ?? 0, quantities[end]?.from ?? 0))
    )
      end += 1
    const list = quantities.slice(i, end)
    const result = quantities[end]
    const between = text.slice(list.at(-1)?.to ?? 0, result?.from ?? 0)
    if (
      list.length > 2 &&
      result !== undefined &&
      between.length < 24 &&
      has(between, 'mean') &&
      !/[;；。]/.test(between)
    ) {
      const fault = meanFault(statement, list, result)
      if (fault !== null) yield fault
    }
    i = end
  }
}

function meanFault(statement: Statement, list: readonly Quantity[], result: Quantity): Fault | null {
  const value = list.reduce((sum, one) => sum + one.value, 0) / list.length
  const half = Math.max(...list.map(({ range }) => (range.high - range.low) / 2))
  if (meets(statedRange(result), { low: value - half, high: value + half })) return null
  const expected = asPrinted(value, result)
  const found = statement.text.slice(result.from, result.to)
  const params = { quote: statement.text, values: list.map(one => one.value).join(', '), expected, found }
  const offset = statement.offsetOf(result.from)
  return {
    rule: 'wrong-mean',
    kind: 'arithmetic',
    severity: 'error',
    offset,
    message: say('audit.list-mean', params),
    found,
    expected,
    fix: { offset, found, instead: expected },
  }
}

/** "step 150: 0.629 (+3.1 %)", "step 200: 0.601 (−7.7 %)": each against the line before. */
function* stepwise(statements: readonly Statement[]): Generator<Fault> {
  let before: Statement | null = null
  let explained = 0
  const faults: Fault[] = []
  for (const statement of statements) {
    const [value, change, ...more] = statement.quantities
    const isLine =
      statement.steps.length === 1 && value !== undefined && more.length === 0 && (statement.steps[0]?.from ?? 9) < 4
    const isNext = before !== null && before.section === statement.section && before.kind === statement.kind
    const last: Quantity | undefined = before?.quantities[0]
    if (
      isLine &&
      isNext &&
      last !== undefined &&
      change?.unit === '%' &&
      change.signed &&
      /^\s?[(（]\s?$/.test(statement.text.slice(value.to, change.from))
    ) {
      const range = percentOf(last.range, value.range)
      if (range !== null && meets(statedRange(change), range)) explained += 1
      else if (range !== null) faults.push(stepFault(statement, last, change, range))
    }
    before = isLine ? statement : null
  }
  // Against the line before only where that explains the others.
  if (explained >= 2 && faults.length <= explained) yield* faults
}

function stepFault(statement: Statement, last: Quantity, change: Quantity, range: Range): Fault {
  const expected = asPrinted(middle(range), change)
  const found = statement.text.slice(change.from, change.to)
  const offset = statement.offsetOf(change.from)
  return {
    rule: 'stepwise-change',
    kind: 'arithmetic',
    severity: 'error',
    offset,
    message: say('audit.stepwise-change', { quote: statement.text, from: last.value, expected, found }),
    found,
    expected,
    fix: { offset, found, instead: expected },
  }
}

const MOST_COLUMNS = 8
const FEWEST_ROWS = 4

/** Two columns whose product is a third, in every row but one. */
function* products(matrix: Matrix): Generator<Fault> {
  const columns = matrix.columns.filter(({ role, index }) => role === 'value' && index > 0)
  const rows = matrix.rows.filter(({ role }) => role === 'value')
  if (columns.length < 3 || columns.length > MOST_COLUMNS || rows.length < FEWEST_ROWS || rows.length > 400) return
  for (const [i, a] of columns.entries()) {
    for (const b of columns.slice(i + 1)) {
      for (const c of columns) {
        if (c === a || c === b) continue
        const cells = rows.flatMap(({ index, name }) => {
          const [x, y, z] = [a, b, c].map(axis => valueAt(matrix, index, axis.index))
          return x == null || y == null || z == null || z.value === 0
            ? []
            : [{ index, name, x, y, z, fits: meets(statedRange(z), wide(multiply(x.range, y.range))) }]
        })
        const wrong = cells.filter(({ fits }) => !fits)
        const [only] = wrong
        if (
          only === undefined ||
          wrong.length !== 1 ||
          cells.length < FEWEST_ROWS ||
          cells.every(({ z }) => z.value === cells[0]?.z.value)
        )
          continue
        if (
          cells.some(({ x, y }) => Math.abs(x.value) === 1 || Math.abs(y.value) === 1) ||
          !isNear(only.z, only.x, only.y)
        )
          continue
        const cell = matrix.table.rows[only.index]?.[c.index]
        if (cell === undefined) continue
        const expected = asPrinted(only.x.value * only.y.value, only.z)
        yield {
          rule: 'product-column',
          kind: 'arithmetic',
          severity: 'error',
          offset: cell.offset,
          message: say('audit.product-column', {
            row: only.name,
            left: only.x.value,
            right: only.y.value,
            expected,
            found: cell.text,
          }),
          found: cell.text,
          expected,
        }
      }
    }
  }
}

function wide({ low, high }: Range): Range {
  const slack = 0.005 * Math.max(Math.abs(low), Math.abs(high))
  return { low: low - slack, high: high + slack }
}

/** A misprint is of the right size. */
function isNear(z: Quantity, x: Quantity, y: Quantity): boolean {
  const ratio = divide(z.range, multiply(x.range, y.range))
  return ratio !== null && ratio.low > 0.2 && ratio.high < 5
}

export const lists: Rule = {
  cards: [
    {
      id: 'stepwise-change',
      kind: 'arithmetic',
      severity: 'error',
      example: {
        faulty: '- step 50: 0.500\n- step 100: 0.550 (+10.0%)\n- step 150: 0.605 (+10.0%)\n- step 200: 0.484 (-30.0%)',
        sound: '- step 50: 0.500\n- step 100: 0.550 (+10.0%)\n- step 150: 0.605 (+10.0%)\n- step 200: 0.484 (-20.0%)',
      },
    },
    {
      id: 'product-column',
      kind: 'arithmetic',
      severity: 'error',
      example: {
        faulty:
          '| 实验 | 卡数 | 小时 | 卡时 |\n|---|---|---|---|\n| 甲一 | 8 | 10.5 | 84 |\n| 甲二 | 16 | 9.0 | 144 |\n| 甲三 | 16 | 12.5 | 250 |\n| 甲四 | 4 | 30.0 | 120 |',
        sound:
          '| 实验 | 卡数 | 小时 | 卡时 |\n|---|---|---|---|\n| 甲一 | 8 | 10.5 | 84 |\n| 甲二 | 16 | 9.0 | 144 |\n| 甲三 | 16 | 12.5 | 200 |\n| 甲四 | 4 | 30.0 | 120 |',
      },
    },
  ],
  check,
}
