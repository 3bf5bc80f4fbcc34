import { type Line, linesOfMatrix, type Matrix } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault, Rule } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'

/** What is wrong with a table as a table: fewer rows than its title says, values nobody measured, a rival without a value. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.top-count': { en: '“{title}”, but the table has {expected} rows; write {expected}, or add the rest', zh: '“{title}”，但表格只有 {expected} 行；应写 {expected}，或补全' },
  'audit.compared-with-pending': { en: '{found} against “{rival}”, whose row in this table is still open; leave it open too', zh: '{found} 是与“{rival}”之差，而该行在本表中尚无数值；应同样留空' },
  'audit.estimated-as-data': { en: '{count} of {total} values of “{line}” are marked as estimates, and {derived} are computed from them; measure them, or leave the row out', zh: '“{line}”的 {total} 个值中有 {count} 个标为估计，而{derived}由其算出；应实测，或删去该行' },
  'audit.linear-fill': { en: '{count} values of “{line}” change by exactly {step} each: a drawn line, not data; measure them', zh: '“{line}”有 {count} 个值每次恰好变化 {step}：是画出来的直线，不是数据；应实测' },
})

function* check(evidence: Evidence): Generator<Fault> {
  for (const matrix of evidence.matrices) {
    yield* topCount(matrix)
    yield* pendingRival(matrix)
    for (const line of linesOfMatrix(matrix)) yield* estimates(line)
  }
}

const TOP = /(?<![a-z])top[\s-]?(\d{1,3})(?!\d|[.@%])|前\s?(\d{1,3})\s?(?:名|个|位)/i

function* topCount({ table }: Matrix): Generator<Fault> {
  const title = table.section?.title ?? ''
  const match = TOP.exec(title)
  const wanted = Number(match?.[1] ?? match?.[2])
  if (
    match === null ||
    table.rows.length >= wanted ||
    table.rows.length < 3 ||
    wanted > 100 ||
    table.rows.some(([first]) => /^(?:\.{3}|…|其他|others?)/.test(first?.text ?? ''))
  )
    return
  if (table.section === null) return
  yield fault('count-mismatch', table.section.offset, say('audit.top-count', { title, expected: table.rows.length }), {
    found: match[0],
    expected: String(table.rows.length),
    also: [table.offset],
  })
}

/** A column "vs X" that is filled although the row of X is open. */
function* pendingRival({ table, columns, rows }: Matrix): Generator<Fault> {
  for (const column of columns) {
    const rival = /^vs\.?\s?(.+)$|^(?:相对|对比)\s?(.+)$/i.exec(column.name.trim())
    const name = rival?.[1] ?? rival?.[2]
    const row = name === undefined ? undefined : rows.find(one => one.name.trim() === name.trim())
    const cells = row === undefined ? [] : (table.rows[row.index] ?? []).slice(1)
    if (row === undefined || cells.length < 2 || !cells.every(({ pending }) => pending)) continue
    for (const other of rows) {
      const cell = table.rows[other.index]?.[column.index]
      if (cell === undefined || cell.pending || cell.quantities.length === 0) continue
      yield fault(
        'compared-with-pending',
        cell.offset,
        say('audit.compared-with-pending', { found: cell.text, rival: row.name }),
        { expected: '?' },
      )
    }
  }
}

/** Values marked as estimates in a line of measurements, and whether they lie on a straight line. */
function* estimates(line: Line): Generator<Fault> {
  if (!line.isColumn || line.points.length < 4) return
  const guessed = line.points.filter(
    ({ quantity }) =>
      quantity.hedge === 'estimated' ||
      (quantity.hedge === 'about' && /估|est/i.test(line.matrix.table.header[line.of.index]?.text ?? '')),
  )
  if (guessed.length < 2) return
  const [first] = guessed
  if (first === undefined) return
  const differences = line.matrix.columns.filter(({ role }) => role === 'difference')
  const steps = guessed.slice(1).map(({ quantity }, i) => quantity.value - (guessed[i]?.quantity.value ?? 0))
  const isStraight =
    guessed.length >= 4 && steps.every(step => Math.abs(step - (steps[0] ?? 0)) < 1e-9) && steps[0] !== 0
  yield fault(
    isStraight ? 'linear-fill' : 'estimated-as-data',
    first.cell.offset,
    isStraight
      ? say('audit.linear-fill', {
          count: guessed.length,
          line: line.of.name,
          step: (steps[0] ?? 0).toFixed(Math.max(0, first.quantity.decimals ?? 2)),
        })
      : say('audit.estimated-as-data', {
          count: guessed.length,
          total: line.points.length,
          line: line.of.name,
          derived: differences.map(({ name }) => `“${name}”`).join(', ') || '—',
        }),
    { found: first.cell.text, also: guessed.map(({ cell }) => cell.offset) },
  )
}

export const tables: Rule = { check }
