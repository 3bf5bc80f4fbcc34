import { COUNT, countOf } from '../../document/numerals.js'
import { message } from '../../text/say.js'
import type { AuditDocument, Statement, Table } from '../document.js'
import { tableBefore, tablesIn } from '../nearby.js'
import type { AuditRule, Fault } from '../rule.js'
import { isDifferenceHeader, mainQuantity, viewOf } from '../table-view.js'

/**
 * Counts that the tables do not have: "Top 10" over eight rows, "all five settings" under a table of four, "5 of 9
 * steps" where it is another number, "four points:" over a list of three, "3 × 4, 15 runs". A count that any table of the
 * report has is not questioned.
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
    yield* listedCounts(document)
    const counts = new Set(document.tables.flatMap(countsOf))
    for (const statement of document.statements) {
      if (statement.kind === 'code' || statement.kind === 'cell') continue
      yield* allCounts(document, statement, counts)
      yield* partCounts(document, statement)
      yield* tableCounts(document, statement)
      yield* products(statement)
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
  const isComparison = statement.claims.some(
    ({ kind }) => kind === 'difference' || kind === 'better' || kind === 'worse',
  )
  const found = isComparison ? PART.exec(statement.text.slice(0, 1_000)) : null
  const table = found === null ? null : tableBefore(document, statement)
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

const ANNOUNCED = new RegExp(
  String.raw`(?<![\w.第前])(${COUNT})\s?(?:项|点|条|方面|(?:个|种|类)?(?:问题|原因|结论|发现|改动|工作|任务|步骤)|(?:key |main |open |major )?(?:points|reasons|changes|findings|items|observations|questions|issues|problems|conclusions|contributions|tasks|things|takeaways|steps))[^\d:]{0,24}:\s*$`,
  'i',
)
const ITEM_START = /^[\s>]*(?:[-*+]|\d{1,3}[.)、])\s+(?:\[.\]\s*)?[*_`]*$/

/** "We made four changes:" over a list of three. */
function* listedCounts({ statements, text }: AuditDocument): Generator<Fault> {
  for (const [i, statement] of statements.entries()) {
    const found = statement.kind === 'sentence' ? ANNOUNCED.exec(statement.text.slice(-120)) : null
    const count = found === null ? null : countOf(found[1])
    if (found === null || count === null || count < 2 || PARTLY.test(statement.text)) continue
    let listed = 0
    for (const item of statements.slice(i + 1, i + 1 + MOST_LISTED)) {
      if (item.kind !== 'item') break
      const at = item.offsetOf(0)
      const isStart = ITEM_START.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))
      if (isStart && item.leads[0] === statement.text) listed += 1
    }
    if (listed < 2 || listed === count) continue
    yield {
      offset: statement.offsetOf(Math.max(0, statement.text.length - 120) + found.index),
      message: message('audit.count-listed', { found: count, rows: listed }),
      found: found[1],
      expected: String(listed),
      severity: 'warning',
    }
  }
}

const MOST_LISTED = 200
const PARTLY = /其中|例如|比如|部分|(?<![a-z])(?:of (?:the|these)|such as|including|e\.g\.|some|among)(?![a-z])/i

const IN_TABLE = new RegExp(
  String.raw`(?<![a-z])tables? (?:\d+ )?(?:above |below )?(?:lists?|has|shows?|contains?|compares?|covers?) (?:all )?(${COUNT}) (?:[a-z_-]+ )?(?:rows?|entries|${COUNTED})(?![a-z])|表[中格]?\s?(?:共|列出了?|包含|共有|有)\s?(${COUNT})\s?(?:个|种|组|行|条)`,
  'i',
)

/** "The table lists seven variants" beside one of six rows. */
function* tableCounts(document: AuditDocument, statement: Statement): Generator<Fault> {
  const found = IN_TABLE.exec(statement.text.slice(0, 1_000))
  const count = found === null ? null : countOf(found[1] ?? found[2])
  const near = found === null ? [] : tablesIn(document, statement.section)
  if (found === null || count === null || near.length !== 1 || near[0].rows.length < 2) return
  if (countsOf(near[0]).includes(count)) return
  const rows = dataRows(near[0]).length
  yield {
    offset: statement.offsetOf(found.index),
    message: message('audit.count-table', { found: count, rows }),
    found: found[0],
    expected: String(rows),
  }
}

const PRODUCT = new RegExp(
  String.raw`(?<![\w.])(${COUNT}) [^\d,;×*()]{2,30}?\s?[×x*] (${COUNT}) [^\d,;×*()]{2,30}?(?:, | \(|: |, for |, giving |, i\.e\. )(?:a total of |in total |altogether )?(\d{1,4}) (?:runs|experiments|trials|combinations|cells|config(?:uration)?s|settings|jobs)(?![a-z])|(?<![\w.])(\d{1,3})\s?[个种组]?[^\d,;×*()]{1,16}?\s?[×x*]\s?(\d{1,3})\s?[个种组]?[^\d,;×*()]{1,16}?[,(]\s?(?:共计?|总共|合计)\s?(\d{1,4})\s?(?:个|组|次)`,
  'i',
)

/** "3 rates × 4 coefficients, 15 runs". */
function* products(statement: Statement): Generator<Fault> {
  const found = PRODUCT.exec(statement.text.slice(0, 1_000))
  if (found === null) return
  const [first, second, total] = (found[1] === undefined ? found.slice(4, 7) : found.slice(1, 4)).map(countOf)
  if (first === null || second === null || total === null || first * second === total) return
  // Several seeds of each are a multiple.
  if (total % (first * second) === 0 || /seed|种子|重复|repeat/i.test(statement.text)) return
  yield {
    offset: statement.offsetOf(found.index),
    message: message('audit.count-product', { first, second, expected: first * second, found: total }),
    found: String(total),
    expected: String(first * second),
  }
}
