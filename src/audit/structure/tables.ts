import { type Line, linesOfMatrix, type Matrix } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted } from '../arithmetic.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'

/**
 * What is wrong with a table as a table: fewer rows than its title says, a title that still calls it open, values that
 * somebody drew with a ruler, and differences to a rival whose own row is still open.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.top-count': { en: '“{title}”, but the table has {expected} rows; write {expected}, or add the rest', zh: '“{title}”，但表格只有 {expected} 行；应写 {expected}，或补全' },
  'audit.pending-but-filled': { en: '“{title}” is filled in ({count} figures, none open); take the word back, or say what is missing', zh: '“{title}”已填满（{count} 个数，无空缺）；应去掉该词，或写明还缺什么' },
  'audit.compared-with-pending': { en: '{found} against “{rival}”, whose row in this table is still open; leave it open too', zh: '{found} 是与“{rival}”之差，而该行在本表中尚无数值；应同样留空' },
  'audit.linear-fill': { en: '{count} values of “{line}” change by exactly {step} each: a drawn line, not data; measure them', zh: '“{line}”有 {count} 个值每次恰好变化 {step}：是画出来的直线，不是数据；应实测' },
})

export function* tables({ matrices }: Evidence): Generator<Fault> {
  for (const matrix of matrices) {
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
    const rival = /^(?:vs\.?|相对|对比)\s?(.+)$/i.exec(name.trim())?.[1].trim()
    const open = rows.filter(row => row.name.trim() === rival).flatMap(row => table.rows[row.index].slice(1))
    if (rival === undefined || open.length === 0 || !open.every(({ pending }) => pending)) continue
    for (const { text, offset } of table.rows.map(row => row[index]).filter(({ quantities }) => quantities.length > 0))
      yield fault('compared-with-pending', offset, say('audit.compared-with-pending', { found: text, rival }), {
        expected: '?',
      })
  }
}

const FEWEST_POINTS = 4

/** Values marked as estimates that lie on a straight line. */
function* drawnLine({ of, points }: Line): Generator<Fault> {
  const guessed = points.filter(({ quantity }) => quantity.hedge === 'estimated')
  const [step = 0, ...steps] = guessed.slice(1).map(({ quantity }, i) => quantity.value - guessed[i].quantity.value)
  if (guessed.length < FEWEST_POINTS || step === 0 || steps.some(one => Math.abs(one - step) > 1e-9)) return
  const [{ cell, quantity }] = guessed
  const params = { count: guessed.length, line: of.name, step: asPrinted(step, quantity) }
  const more = { found: cell.text, also: guessed.map(one => one.cell.offset) }
  yield fault('linear-fill', cell.offset, say('audit.linear-fill', params), more)
}
