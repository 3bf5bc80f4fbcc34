import { message } from '../../text/say.js'
import type { AuditDocument, Statement, Table } from '../document.js'
import { tableBefore } from '../nearby.js'
import type { AuditRule, Fault } from '../rule.js'
import { isDifferenceHeader, mainQuantity, viewOf } from '../table-view.js'

/**
 * Counts that the tables do not have: "Top 10" over eight rows, "all five settings" under a table of four, "5 of 9
 * steps" where it is another number. A count that any table of the report has is not questioned.
 */
export const countMismatch: AuditRule = {
  id: 'count-mismatch',
  kind: 'arithmetic',
  severity: 'error',
  example: {
    faulty: '## Top 5 runs\n\n| run | reward |\n|---|---|\n| a | 2.2 |\n| b | 2.1 |\n| c | 2.0 |',
    sound: '## Top 3 runs\n\n| run | reward |\n|---|---|\n| a | 2.2 |\n| b | 2.1 |\n| c | 2.0 |',
  },
  *check(document: AuditDocument) {
    yield* topCounts(document)
    const counts = new Set(document.tables.flatMap(countsOf))
    for (const statement of document.statements) {
      if (statement.kind === 'code' || statement.kind === 'cell') continue
      yield* allCounts(document, statement, counts)
      yield* partCounts(document, statement)
    }
  },
}

const TOP =
  /(?:(?<![a-z])top[\s-]?|前\s?)(\d{1,3})(?![\d.%]|\s?%|[-\s]?(?:acc|准确|error|错误|sampling|步|steps?|epochs?|轮|k(?![a-z])|p(?![a-z])))/i
const ELLIPSIS = /^(?:\.{2,}|…+|⋮|省略|etc\.?)$/

function* topCounts({ tables, statements }: AuditDocument): Generator<Fault> {
  const headings = new Map(
    statements.filter(({ kind }) => kind === 'heading').map(heading => [heading.section, heading]),
  )
  const seen = new Set<unknown>()
  for (const table of tables) {
    const heading = seen.has(table.section) ? undefined : headings.get(table.section)
    seen.add(table.section)
    const [said] = [table.caption, heading].flatMap(statement => {
      const found = statement ? TOP.exec(statement.text.slice(0, 400)) : null
      return statement && found !== null ? [{ statement, found }] : []
    })
    const rows = table.rows.length
    if (said === undefined || rows < 2 || table.rows.some(([first]) => ELLIPSIS.test(first.text))) continue
    const count = Number(said.found[1])
    // A longer table may mark its first rows; a shorter one cannot hold them.
    if (count < 2 || rows >= count) continue
    yield {
      offset: said.statement.offsetOf(said.found.index),
      message: message('audit.count-top', { found: count, rows }),
      found: said.found[0],
      expected: String(rows),
    }
  }
}

const NUMERALS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    两: 2,
    二: 2,
    三: 3,
    四: 4,
    五: 5,
    六: 6,
    七: 7,
    八: 8,
    九: 9,
    十: 10,
  }),
)
const COUNT = String.raw`\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|[两二三四五六七八九十]`
const COUNTED =
  'settings?|config(?:uration)?s?|runs?|seeds?|models?|methods?|variants?|checkpoints?|tasks?|datasets?|benchmarks?|values?|betas?|coefficients?|evaluations?|evals?'
const COUNTED_ZH = '配置|设置|模型|实验|种子|方案|方法|变体|任务|数据集|取?值|系数|检查点|次?评估'
const ALL = new RegExp(
  String.raw`(?:所有|全部)\s?(?:的\s?)?(${COUNT})\s?[个种组次条]\s?\S{0,12}?(?:${COUNTED_ZH}|${COUNTED})|(?<![a-z])(?:all|across (?:the|all)) (${COUNT}) (?:[a-z_-]+ )?(?:${COUNTED})(?![a-z])`,
  'i',
)

function* allCounts(document: AuditDocument, statement: Statement, counts: ReadonlySet<number>): Generator<Fault> {
  const found = ALL.exec(statement.text.slice(0, 1_000))
  const table = found === null ? null : tableBefore(document, statement)
  if (found === null || table === null || table.section !== statement.section) return
  const count = countOf(found[1] ?? found[2])
  const rows = dataRows(table).length
  if (count === null || counts.has(count) || rows < 2) return
  yield {
    offset: statement.offsetOf(found.index),
    message: message('audit.count-all', { found: count, rows }),
    found: found[0],
    expected: String(rows),
    severity: 'warning',
  }
}

function countOf(word: string): number | null {
  return NUMERALS.get(word.toLowerCase()) ?? (/^\d+$/.test(word) ? Number(word) : null)
}

function dataRows(table: Table): Table['rows'] {
  return table.rows.filter(
    ([label]) =>
      !isDifferenceHeader(label.text) &&
      !/^(?:平均值?|均值|合计|总计|mean|average|avg|total|最佳.*|best.*)$/i.test(label.text),
  )
}

/** How many rows, filled rows and columns a table has: "all five" may mean any of these. */
function countsOf(table: Table): readonly number[] {
  const rows = dataRows(table)
  const filled = rows.filter(cells => cells.slice(1).some(cell => mainQuantity(cell) !== null))
  const { roles } = viewOf(table)
  return [
    table.rows.length,
    rows.length,
    filled.length,
    roles.filter(role => role === 'value').length,
    roles.length - 1,
  ]
}

const PART = new RegExp(
  String.raw`(?<![\w.])(${COUNT}) (?:out )?of (?:the |all )?(${COUNT}) (?:[a-z_-]+ )?(?:steps?|epochs?|rows?|${COUNTED})(?![a-z])|(${COUNT})\s?个?\s?\S{0,8}?(?:中|里)[，,]?\s?[^\d,。]{0,12}?(${COUNT})\s?(?:个|次|步)`,
  'i',
)

/** "Higher at 5 of 9 steps" under a table of two columns: it must be as many as are higher, or as are lower. */
function* partCounts(document: AuditDocument, statement: Statement): Generator<Fault> {
  const found = PART.exec(statement.text.slice(0, 1_000))
  const isComparison = statement.claims.some(
    ({ kind }) => kind === 'difference' || kind === 'better' || kind === 'worse',
  )
  const table = found === null || !isComparison ? null : tableBefore(document, statement)
  if (found === null || table === null || table.section !== statement.section) return
  const isEnglish = found[1] !== undefined
  const part = countOf(isEnglish ? found[1] : found[4])
  const whole = countOf(isEnglish ? found[2] : found[3])
  const compared = comparedRows(table)
  if (part === null || whole === null || compared === null || compared.rows !== whole) return
  const { higher, lower, rows } = compared
  const ties = rows - higher - lower
  if ([higher, lower, higher + ties, lower + ties, ties].includes(part)) return
  yield {
    offset: statement.offsetOf(found.index),
    message: message('audit.count-part', { found: part, whole, higher, lower, name: compared.name }),
    found: found[0],
    expected: `${higher} / ${lower}`,
    severity: 'warning',
  }
}

function comparedRows(table: Table) {
  const { roles } = viewOf(table)
  const columns = roles.flatMap((role, column) => (role === 'value' ? [column] : []))
  if (columns.length !== 2) return null
  const differences = dataRows(table).flatMap(cells => {
    const [a, b] = columns.map(column => mainQuantity(cells[column]))
    return a === null || b === null || a.unit !== b.unit ? [] : [b.value - a.value]
  })
  const higher = differences.filter(difference => difference > 0).length
  const lower = differences.filter(difference => difference < 0).length
  return { rows: differences.length, higher, lower, name: table.header[columns[1]].text }
}
