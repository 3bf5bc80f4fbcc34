import type { Cell } from '../../logs/document/document.js'
import type { Matrix, MatrixAxis } from '../../logs/document/matrix.js'
import { cellValue } from '../../logs/document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { type Fault, fault } from '../assertion.js'
import { type ReportEvidence, significantDigits } from '../evidence.js'

/**
 * Two settings of one sweep with the same results, digit by digit: rows of one table whose first column holds different
 * numbers of one setting. Only results count (figures with three digits or more), and the other columns must agree as
 * well. Rows by step, tables of settings and rows that say themselves that they are the same are left alone.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.identical-rows': { en: '{setting} {name} and {other} (line {line}) have identical results: {found}; check that two different checkpoints were evaluated', zh: '{setting} {name} 与 {other}（第 {line} 行）的结果完全相同：{found}；请确认评测的是不同的 checkpoint' },
})

const SETTING_VALUE = /^(?:[\p{L}_ ]{1,16}[=:]\s?)?\d+(?:\.\d+)?(?:e-?\d+)?$/u
const SAID_SAME = /=|[(（]见|同[上左前]|相同|一致|重合|(?<![a-z])(?:same|see|identical|duplicates?|tied?)(?![a-z])/i
const FEWEST_FIGURES = 3
const FEWEST_DIGITS = 3
const MOST_ROWS = 200
const MOST_SHOWN = 4

export function* identicalRows({ matrices, document }: ReportEvidence): Generator<Fault> {
  for (const matrix of matrices) {
    if (matrix.isSettings || matrix.rows.length > MOST_ROWS) continue
    const setting = matrix.table.header[0]?.text ?? ''
    const seen = new Map<string, MatrixAxis>()
    for (const row of matrix.rows.filter(one => one.role === 'value' && isSetting(one, setting))) {
      const cells = resultsOf(matrix, row)
      const key = cells.map(({ text }) => text).join(' | ')
      const twin = seen.get(key)
      if (cells.length < FEWEST_FIGURES || new Set(cells.map(({ text }) => text)).size < 2) continue
      if (twin === undefined) seen.set(key, row)
      else if (twin.name !== row.name && !isSaid(matrix, row) && !isSaid(matrix, twin)) {
        const [here, there] = [cells[0]?.offset ?? 0, resultsOf(matrix, twin)[0]?.offset ?? 0]
        const found = cells.slice(0, MOST_SHOWN).map(({ text }) => text)
        const params = { setting, name: row.name, other: twin.name, line: document.placeOf(there).line }
        const message = say('audit.identical-rows', { ...params, found: found.join(', ') })
        yield fault('identical-rows', here, message, { found: found.join(', '), also: [there] })
      }
    }
  }
}

/** A number, and no step, shot or size of data: those restate results of one run. */
const isSetting = ({ name, step, keys }: MatrixAxis, header: string): boolean =>
  SETTING_VALUE.test(name.trim()) &&
  keys.length < 2 &&
  !NO_SETTING.test(header) &&
  (step === null || KNOWN.test(header))
const NO_SETTING = /step|epoch|iter|步|轮|shot|样本|数据|data|size|seed|种子|^(?:n|#|k|no\.?|序号|排名|rank|id)$/i
const KNOWN = /beta|β|kl|coef|系数|lr|学习率|rate|temperature|温度|clip|alpha|gamma|lambda|weight|权重|warm/i

/** The results of a row; none where one of them has too few digits to tell. */
function resultsOf(matrix: Matrix, { index }: MatrixAxis): readonly Cell[] {
  const values = matrix.columns.filter(({ role, index: at }) => at > 0 && role === 'value')
  const figures = values.map(column => ({ column, quantity: cellValue(matrix, index, column.index) }))
  const isFine = figures.every(({ quantity }) => quantity !== null && significantDigits(quantity) >= FEWEST_DIGITS)
  return isFine ? values.flatMap(column => matrix.table.rows[index]?.[column.index] ?? []) : []
}

const isSaid = ({ table }: Matrix, { index }: MatrixAxis): boolean =>
  (table.rows[index] ?? []).some(({ text }) => SAID_SAME.test(text))
