import { cellValue, type Line, lineOf, linesOfMatrix, type Matrix } from '../../logs/document/matrix.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { add, divide, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, meets, middle, scale } from '../arithmetic.js'
import { type Fault, fault } from '../assertion.js'
import { entriesOf, type ListEntry } from '../entries.js'
import { goalOf, neighbours, type ReportEvidence, topOf } from '../evidence.js'

/**
 * What is wrong with a table as a table: fewer rows than its title says, a title that still calls it open, values that
 * somebody drew with a ruler, differences to a rival whose own row is still open, and marks that contradict what they stand
 * on: an arrow against the sign beside it, bold on a figure that is not the best of its row. Marks are held against their
 * author only where the table shows that he means them so elsewhere.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.top-count': { en: '“{title}”, but the table has {expected} rows; write {expected}, or add the rest', zh: '“{title}”，但表格只有 {expected} 行；应写 {expected}，或补全' },
  'audit.pending-but-filled': { en: '“{title}” is filled in ({count} figures, none open); take the word back, or say what is missing', zh: '“{title}”已填满（{count} 个数，无空缺）；应去掉该词，或写明还缺什么' },
  'audit.compared-with-pending': { en: '{found} against “{rival}”, whose row in this table is still open; leave it open too', zh: '{found} 是与“{rival}”之差，而该行在本表中尚无数值；应同样留空' },
  'audit.linear-fill': { en: '{count} values of “{line}” change by exactly {step} each: a drawn line, not data; measure them', zh: '“{line}”有 {count} 个值每次恰好变化 {step}：是画出来的直线，不是数据；应实测' },
  'audit.arrow-contradicted': { en: '“{found}” in row “{row}”: the arrow contradicts the sign, unlike in {count} other cells of the column', zh: '“{row}”行的“{found}”：箭头与正负号相反，而同列其余 {count} 格一致' },
  'audit.bold-not-best': { en: '“{found}” in row “{row}” is bold, but {owner} has {expected}; in {count} other rows bold marks the best', zh: '“{row}”行加粗的是“{found}”，而 {owner} 是 {expected}；其余 {count} 行加粗的都是最优值' },
  'audit.loss-identity': { en: 'row “{row}”: {policy} + {coefficient} × {kl} is {expected}, not {found}, although {count} other rows obey this', zh: '“{row}”行：{policy} + {coefficient} × {kl} 是 {expected}，不是 {found}，而其余 {count} 行都符合' },
  'audit.effective-coefficient': { en: 'the coefficient that acted is {found}, and the losses agree ({low} … {high}); configured was {expected}: find out which one the trainer used', zh: '实际起作用的系数是 {found}，损失也与之相符（{low} … {high}），而配置是 {expected}：应查明训练用的是哪个' },
})

export function* tables({ matrices, document }: ReportEvidence): Generator<Fault> {
  for (const matrix of matrices) {
    yield* arrows(matrix, document.text)
    yield* bold(matrix)
    yield* topCount(matrix)
    yield* titledOpen(matrix)
    yield* pendingRival(matrix)
    for (const line of linesOfMatrix(matrix)) yield* drawnLine(line)
  }
}

const TOP = /(?<![a-z])top[\s-]?(\d{1,2})(?!\d|[.@%])|前\s?(\d{1,2})\s?(?:名|个|位)/i

function* topCount({ table: { section, rows, offset } }: Matrix): Generator<Fault> {
  const match = section === null ? null : TOP.exec(section.title)
  const isCut = rows.some(([first]) => /^(?:\.{3}|…|其他|others?)/.test(first?.text ?? ''))
  if (section === null || match === null || isCut || rows.length >= Number(match[1] ?? match[2])) return
  const message = say('audit.top-count', { title: section.title, expected: rows.length })
  yield fault('count-mismatch', section.offset, message, { found: match[0], also: [offset] })
}

const OPEN =
  /(?<![a-z])(?:pending|tbd|to be (?:evaluated|measured|filled in|added))(?![a-z])|待(?:评[估测]|测|补充?|填|跑)/i
const FEWEST_FIGURES = 6

/** A title says that nothing is there yet, and the first table below it has everything. */
function* titledOpen({ table: { section, rows, offset } }: Matrix): Generator<Fault> {
  const title = [section, section?.parent].find(one => OPEN.test(one?.title ?? ''))
  const cells = rows.flatMap(row => row.slice(1))
  const count = cells.filter(({ quantities }) => quantities.length > 0).length
  if (title == null || count < FEWEST_FIGURES || cells.some(({ pending }) => pending)) return
  const message = say('audit.pending-but-filled', { title: title.title, count })
  yield fault('pending-but-filled', title.offset, message, { found: title.title, also: [offset] })
}

/** A column "vs X" that is filled although the row of X is open. */
function* pendingRival({ table, columns, rows }: Matrix): Generator<Fault> {
  for (const { name, index } of columns) {
    const rival = /^(?:vs\.?|相对|对比)\s?(.+)$/i.exec(name.trim())?.[1]?.trim()
    const open = rows.filter(row => row.name.trim() === rival).flatMap(row => table.rows[row.index]?.slice(1) ?? [])
    if (rival === undefined || open.length === 0 || !open.every(({ pending }) => pending)) continue
    const filled = table.rows.flatMap(row => row[index] ?? []).filter(({ quantities }) => quantities.length > 0)
    for (const { text, offset } of filled)
      yield fault('compared-with-pending', offset, say('audit.compared-with-pending', { found: text, rival }), {
        expected: '?',
      })
  }
}

const FEWEST_POINTS = 4

/** Values marked as estimates that lie on a straight line. */
function* drawnLine({ of, points }: Line): Generator<Fault> {
  const guessed = points.filter(({ quantity }) => quantity.hedge === 'estimated')
  const [step = 0, ...steps] = neighbours(guessed).map(([from, to]) => to.quantity.value - from.quantity.value)
  const [first] = guessed
  if (
    first === undefined ||
    guessed.length < FEWEST_POINTS ||
    step === 0 ||
    steps.some(one => Math.abs(one - step) > 1e-9)
  )
    return
  const { cell, quantity } = first
  const params = { count: guessed.length, line: of.name, step: asPrinted(step, quantity) }
  const more = { found: cell.text, also: guessed.map(one => one.cell.offset) }
  yield fault('linear-fill', cell.offset, say('audit.linear-fill', params), more)
}

const FEWEST_USUAL = 3
const LONGEST_CELL = 60

/** Arrows follow the sign everywhere in the table but here; marks are no part of a cell's text. */
function* arrows(matrix: Matrix, text: string): Generator<Fault> {
  const points = matrix.columns.flatMap(column => lineOf(matrix, column, true, matrix.rows).points)
  const marked = points.flatMap(({ at, cell, quantity: { value, signed } }) => {
    const [raw = ''] = text.slice(cell.offset, cell.offset + LONGEST_CELL).split(/[|\n]/)
    const arrow = /⬆|↑|🔺|📈/u.test(raw) ? 1 : /⬇|↓|🔻|📉/u.test(raw) ? -1 : 0
    return !signed || value * arrow === 0 ? [] : [{ cell, row: at.name, isRight: value * arrow > 0 }]
  })
  const wrong = marked.filter(({ isRight }) => !isRight)
  const count = marked.length - wrong.length
  if (marked.length > 1 && (count < FEWEST_USUAL || wrong.length > count / 3)) return
  for (const { cell, row } of wrong)
    yield fault('arrow-contradicted', cell.offset, say('audit.arrow-contradicted', { found: cell.text, row, count }))
}

const BASELINE = /baseline|基线|对照|之前|旧|old|before|原/i

/** One bold figure a row, and mostly the greatest one of all but what they are set against. */
function* bold(matrix: Matrix): Generator<Fault> {
  // Of rows that are metrics each has its own way to be good.
  const isUsual = ({ of }: Line): boolean => matrix.alongColumns || goalOf([of.name]) === 'max'
  const lines = linesOfMatrix(matrix).filter(({ isColumn, points }) => !isColumn && points.length > 2)
  const marked = lines.filter(isUsual).flatMap(({ of, points }) => {
    const [only, more] = points.filter(({ cell }) => cell.bold)
    // A count beside scores is none of them.
    const rivals = points.filter(({ at, quantity }) => !BASELINE.test(at.name) && quantity.unit === only?.quantity.unit)
    const best = topOf(rivals, 'max')
    return only === undefined || more !== undefined || best === null ? [] : [{ row: of.name, only, best }]
  })
  const wrong = marked.filter(({ only, best }) => only.quantity.value < best.quantity.value)
  const count = marked.length - wrong.length
  if (count < FEWEST_USUAL || wrong.length > count / 2) return
  for (const { row, only, best } of wrong) {
    const params = { found: only.cell.text, row, owner: best.at.name, expected: best.cell.text, count }
    yield fault('bold-not-best', only.cell.offset, say('audit.bold-not-best', params), { also: [best.cell.offset] })
  }
}

/**
 * Total loss = policy loss + coefficient × KL. Where most rows of a table obey it, a row that does not was copied or
 * mistyped; and where the losses of one list give another coefficient than the configured one, that one did not act.
 */
const TOTAL = /^(?:train(?:ing)?|total)[\s_]?loss$|^训练损失$|^总损失$/i
const POLICY = /^(?:ppo|pg|policy|actor)[\s_]?loss$|^策略损失$/i
const KL = /^kl(?:值|[\s_]?(?:div(?:ergence)?|value|散度))?$/i
const MOST_SETTINGS = 100
const COEFFICIENT = /^(?:kl[\s_]?)?(?:beta|β|(?:loss[\s_]?)?coef(?:ficient)?)$/i

/** The losses and the KL among the cells of a row or the lines of a list; null where one is missing. */
function termsIn(fields: readonly (readonly [name: string, quantity: Quantity | null])[]) {
  const named = (pattern: RegExp): Quantity | null => fields.find(([name]) => pattern.test(name.trim()))?.[1] ?? null
  const [total, policy, kl] = [named(TOTAL), named(POLICY), named(KL)]
  return total === null || policy === null || kl === null ? null : { total, policy, kl }
}

export function* identity(evidence: ReportEvidence): Generator<Fault> {
  for (const matrix of evidence.matrices)
    if (COEFFICIENT.test(matrix.columns[0]?.name.trim() ?? '')) yield* rows(matrix)
  yield* lists(evidence)
}

/** Rows whose first column is the coefficient: one that changes while an epoch runs does not multiply the mean of it. */
function* rows(matrix: Matrix): Generator<Fault> {
  const lines = matrix.rows.flatMap(({ index, name: row }) => {
    const terms = termsIn(matrix.columns.map(({ name, index: column }) => [name, cellValue(matrix, index, column)]))
    const coefficient = cellValue(matrix, index, 0)
    if (terms === null || coefficient === null) return []
    const sum = add(terms.policy.range, scale(terms.kl.range, coefficient.value))
    return [{ row, index, coefficient, ...terms, sum, isObeying: meets(sum, terms.total.range) }]
  })
  const count = lines.filter(({ isObeying }) => isObeying).length
  const column = matrix.columns.findIndex(({ name }) => TOTAL.test(name.trim()))
  for (const { row, index, coefficient, total, policy, kl, sum, isObeying } of lines) {
    if (isObeying || count < 2 || count < lines.length / 2) continue
    const expected = middle(sum).toFixed(Math.max(0, total.decimals ?? 5))
    const terms = { policy: policy.value, coefficient: coefficient.value, kl: kl.value, found: total.value }
    const message = say('audit.loss-identity', { row, ...terms, expected, count })
    yield fault('loss-identity', matrix.table.rows[index]?.[column]?.offset ?? 0, message)
  }
}

/** The losses, the KL and the coefficient of one list against what is configured elsewhere. */
function* lists(evidence: ReportEvidence): Generator<Fault> {
  const entries = entriesOf(evidence)
  const isCoefficient = ({ key, quantities }: ListEntry): boolean =>
    COEFFICIENT.test(key.trim()) && quantities.length === 1
  const settings = entries.filter(one => isCoefficient(one) && /^kl/i.test(one.key)).slice(0, MOST_SETTINGS)
  for (const beside of groupBy(entries, ({ section }) => section).values()) {
    const terms = termsIn(beside.map(({ key, quantities }) => [key, quantities[0] ?? null]))
    const implied = terms === null ? null : divide(subtract(terms.total.range, terms.policy.range), terms.kl.range)
    const isImplied = ({ quantities: [first] }: ListEntry): boolean =>
      implied !== null && first !== undefined && meets(implied, first.range)
    const acted = beside.find(one => isCoefficient(one) && isImplied(one))
    const configured = acted && settings.find(one => !isImplied(one))
    const [found, expected] = [acted?.quantities[0]?.value, configured?.quantities[0]?.value]
    if (implied === null || configured === undefined || acted === undefined) continue
    if (found === undefined || expected === undefined) continue
    const params = { found, low: implied.low.toPrecision(2), high: implied.high.toPrecision(2), expected }
    const message = say('audit.effective-coefficient', params)
    yield fault('effective-coefficient', acted.offset, message, { also: [configured.offset] })
  }
}
