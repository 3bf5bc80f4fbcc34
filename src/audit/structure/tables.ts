import { type Line, linesOfMatrix, type Matrix, type Point } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted } from '../arithmetic.js'
import type { Fault, Rule } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'

/**
 * What is wrong with a table as a table: fewer rows than its title says, a title that still calls it open, values that
 * nobody measured, and differences to a rival whose own row is still open.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.top-count': { en: '“{title}”, but the table has {expected} rows; write {expected}, or add the rest', zh: '“{title}”，但表格只有 {expected} 行；应写 {expected}，或补全' },
  'audit.pending-but-filled': { en: '“{title}” is filled in ({count} figures, none open); take the word back, or say what is missing', zh: '“{title}”已填满（{count} 个数，无空缺）；应去掉该词，或写明还缺什么' },
  'audit.compared-with-pending': { en: '{found} against “{rival}”, whose row in this table is still open; leave it open too', zh: '{found} 是与“{rival}”之差，而该行在本表中尚无数值；应同样留空' },
  'audit.estimated-as-data': { en: '{count} of {total} values of “{line}” are marked as estimates, and {derived} are computed from them; measure them, or leave the row out', zh: '“{line}”的 {total} 个值中有 {count} 个标为估计，而{derived}由其算出；应实测，或删去该行' },
  'audit.linear-fill': { en: '{count} values of “{line}” change by exactly {step} each: a drawn line, not data; measure them', zh: '“{line}”有 {count} 个值每次恰好变化 {step}：是画出来的直线，不是数据；应实测' },
})

function* check(evidence: Evidence): Generator<Fault> {
  for (const matrix of evidence.matrices) {
    yield* topCount(matrix)
    yield* titledOpen(matrix)
    yield* pendingRival(matrix)
    for (const line of linesOfMatrix(matrix)) if (line.isColumn) yield* estimates(line)
  }
}

const TOP = /(?<![a-z])top[\s-]?(\d{1,3})(?!\d|[.@%])|前\s?(\d{1,3})\s?(?:名|个|位)/i
const MOST_WANTED = 100

function* topCount({ table: { section, rows, offset } }: Matrix): Generator<Fault> {
  const match = section === null ? null : TOP.exec(section.title)
  const wanted = Number(match?.[1] ?? match?.[2])
  const isCut = rows.some(([first]) => /^(?:\.{3}|…|其他|others?)/.test(first?.text ?? ''))
  if (section === null || match === null || isCut || wanted > MOST_WANTED) return
  if (rows.length >= wanted || rows.length < 3) return
  const message = say('audit.top-count', { title: section.title, expected: rows.length })
  yield fault('count-mismatch', section.offset, message, { found: match[0], also: [offset] })
}

const OPEN =
  /(?<![a-z])(?:pending|tbd|to be (?:evaluated|measured|filled in|added))(?![a-z])|待(?:评[估测]|测|补充?|填|跑)/i
const FEWEST_FIGURES = 6

/** A title says that nothing is there yet, and the first table below it has everything. */
function* titledOpen({ table: { section, rows, offset } }: Matrix): Generator<Fault> {
  const title = [section, section?.parent ?? null].find(one => one !== null && OPEN.test(one.title)) ?? null
  const cells = rows.flatMap(row => row.slice(1))
  const count = cells.filter(({ quantities }) => quantities.length > 0).length
  if (title === null || count < FEWEST_FIGURES || cells.some(({ pending }) => pending)) return
  const message = say('audit.pending-but-filled', { title: title.title, count })
  yield fault('pending-but-filled', title.offset, message, { found: title.title, also: [offset] })
}

/** A column "vs X" that is filled although the row of X is open. */
function* pendingRival({ table, columns, rows }: Matrix): Generator<Fault> {
  for (const column of columns) {
    const [, english, chinese] = /^vs\.?\s?(.+)$|^(?:相对|对比)\s?(.+)$/i.exec(column.name.trim()) ?? []
    const rival = rows.find(({ name }) => name.trim() === (english ?? chinese)?.trim())
    const open = rival === undefined ? [] : (table.rows[rival.index]?.slice(1) ?? [])
    if (rival === undefined || open.length < 2 || !open.every(({ pending }) => pending)) continue
    for (const { text, pending, quantities, offset } of table.rows.flatMap(row => row[column.index] ?? [])) {
      if (pending || quantities.length === 0) continue
      const message = say('audit.compared-with-pending', { found: text, rival: rival.name })
      yield fault('compared-with-pending', offset, message, { expected: '?' })
    }
  }
}

const FEWEST_POINTS = 4

/** Values marked as estimates in a line of measurements, and whether they lie on a straight line. */
function* estimates({ matrix, of, points }: Line): Generator<Fault> {
  const isGuess = ({ quantity: { hedge } }: Point): boolean =>
    hedge === 'estimated' || (hedge === 'about' && /估|est/i.test(of.name))
  const guessed = points.filter(isGuess)
  const [first, second] = guessed
  if (first === undefined || second === undefined || points.length < FEWEST_POINTS) return
  const [line, count] = [of.name, guessed.length]
  const step = second.quantity.value - first.quantity.value
  const isStraight =
    count >= FEWEST_POINTS && step !== 0 && guessed.every((one, i) => isStep(one, guessed[i - 1] ?? null, step))
  const derived = matrix.columns.flatMap(({ role, name }) => (role === 'difference' ? [`“${name}”`] : [])).join(', ')
  const message = isStraight
    ? say('audit.linear-fill', { count, line, step: asPrinted(step, first.quantity) })
    : say('audit.estimated-as-data', { count, total: points.length, line, derived: derived || '—' })
  const more = { found: first.cell.text, also: guessed.map(({ cell }) => cell.offset) }
  yield fault(isStraight ? 'linear-fill' : 'estimated-as-data', first.cell.offset, message, more)
}

function isStep({ quantity: { value } }: Point, before: Point | null, step: number): boolean {
  return before === null || Math.abs(value - before.quantity.value - step) < 1e-9
}

export const tables: Rule = { check }
