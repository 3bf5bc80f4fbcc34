import type { ReportDocument, Section, Statement } from '../logs/document/document.js'
import { type Line, linesOfMatrix, type Matrix, matrixOf, type Point } from '../logs/document/matrix.js'
import { lastAtMost } from '../logs/document/places.js'
import type { Quantity } from '../logs/document/quantity.js'
import { memoByObject } from '../logs/model/util/memo.js'
import { goalByName } from '../logs/model/vocabulary/metric.js'
import { listIn } from './names.js'

/**
 * What a document offers to check an assertion against: its tables as lines of comparable values, found by where they
 * stand, by the names of their rows and columns, and by the very figures that a sentence prints.
 */
export interface ReportEvidence {
  readonly document: ReportDocument
  readonly matrices: readonly Matrix[]
  /** Tables near a place, the nearest first: of the same section, then around it. */
  readonly near: (offset: number) => readonly Matrix[]
  /** Lines that hold a figure as the sentence prints it. */
  readonly holding: (quantity: Quantity) => readonly HeldPoint[]
  /** In how many sentences a figure is printed. */
  readonly printed: (value: number) => number
  /** The index of a statement in the document. */
  readonly indexOf: (statement: Statement) => number
}

export interface HeldPoint {
  readonly line: Line
  readonly point: Point
}

const TABLES_BEFORE = 7
const TABLES_BEHIND = 3

export function evidenceOf(document: ReportDocument): ReportEvidence {
  const matrices = document.tables.map(matrixOf)
  // What was set was not measured: no claim that one thing is better or so much higher is about it.
  const measured = matrices.filter(({ isSettings }) => !isSettings)
  const offsets = measured.map(({ table }) => table.offset)
  return {
    document,
    matrices,
    near: offset => {
      const next = lastAtMost(offsets, offset) + 1
      const before = measured.slice(Math.max(0, next - TABLES_BEFORE), next).reverse()
      return [...before, ...measured.slice(next, next + TABLES_BEHIND)]
    },
    holding: quantity =>
      significantDigits(quantity) < FEWEST_DIGITS ? [] : (heldIn(matrices).get(quantity.value) ?? []),
    printed: value => timesPrinted(document.statements).get(value) ?? 0,
    indexOf: statement => indexesOf(document.statements).get(statement) ?? 0,
  }
}

/** Figures with fewer digits are in every table by chance. */
const FEWEST_DIGITS = 3

/** How many digits are printed, zeros before the first other left out: two of 0.012, four of 1.250. */
export function significantDigits({ value, decimals }: Quantity): number {
  const scaled = Math.round(Math.abs(value) * 10 ** Math.min(12, Math.max(0, decimals ?? 0)))
  return scaled === 0 ? 0 : Math.floor(Math.log10(scaled) + 1e-12) + 1
}

const MOST_HELD = 24

const heldIn = memoByObject((matrices: readonly Matrix[]) => {
  const held = new Map<number, HeldPoint[]>()
  for (const line of matrices.flatMap(linesOfMatrix)) {
    for (const point of line.points) {
      const list = listIn(held, point.quantity.value)
      if (list.length < MOST_HELD) list.push({ line, point })
    }
  }
  return held
})

const timesPrinted = memoByObject((statements: readonly Statement[]) => {
  const times = new Map<number, number>()
  for (const { quantities, kind } of statements)
    if (kind !== 'cell') for (const { value } of quantities) times.set(value, (times.get(value) ?? 0) + 1)
  return times
})

const indexesOf = memoByObject((statements: readonly Statement[]) => new Map(statements.map((one, i) => [one, i])))

const sizesIn = memoByObject(({ table }: Matrix): ReadonlySet<number> => {
  const quantities = table.rows.flatMap(row => row.flatMap(cell => cell.quantities))
  return new Set(quantities.map(({ value }) => Math.abs(value)))
})

/** Whether some cell of a table prints a figure, whatever its sign. */
export function prints(matrix: Matrix, { value }: Quantity): boolean {
  return sizesIn(matrix).has(Math.abs(value))
}

/** What a row or column is called in a finding: a bare number needs the word that heads its column. */
export function pointName({ matrix: { table }, isColumn }: Line, { at: { name } }: Point): string {
  const word = (table.header[0]?.text ?? '').replace(/[(（[【].*$/, '').trim()
  return isColumn && /^\d+(?:\.\d+)?[kKM]?$/.test(name) ? `${word} ${name}`.trim() : name
}

/** How a finding tells of a cell: its line, whose it is, what it prints, and where. */
export function cited(line: Line, point: Point, { document }: ReportEvidence) {
  const { text, offset } = point.cell
  return { line: line.of.name, owner: pointName(line, point), expected: text, at: document.placeOf(offset).line }
}

/** Which way is good, by the names of a line; null where they do not tell. */
export function goalOf(names: readonly string[]): 'max' | 'min' | null {
  for (const name of names) {
    if (LESS_IS_BETTER.test(name)) return 'min'
    if (MORE_IS_BETTER.test(name) || /mAP(?![a-z])/.test(name)) return 'max'
    const goal = goalByName(name)
    if (goal !== null) return goal
  }
  return null
}

/** What the vocabulary, which knows logged names, does not: words that people put into tables. */
const LESS_IS_BETTER =
  /越[小低少]越好|(?:lower|less|smaller|fewer) is better|latency|(?<![a-z])time(?![a-z])|perplexity|(?<![a-z])ppl(?![a-z])|vram|memory|显存|风险|(?<![a-z])risk|延迟|延误|耗时|unsafe|(?<![a-z])(?:violation|collision|hallucination|delay)s?(?![a-z])|违规|碰撞|幻觉|fail|失败率|(?<![a-z])(?:wer|cer|eer|rtf|fid|s?mape|mase|rmse|brier|ece|nll)(?![a-z])|错误率|误差|困惑度|(?<![a-z])mse|(?<![a-z])mae/i
const MORE_IS_BETTER =
  /越[大高多]越好|(?:higher|more|larger) is better|(?<![a-z])(?:aime|math|gsm8k|mmlu|humaneval|mbpp|arc|hellaswag|bbh|gpqa|ifeval|swe-?bench|c-?eval|cmmlu|truthfulqa|svamp|vqa|benchmarks?)(?![a-z])|(?<![a-z])(?:aime|math)\d|正确率|成功率|throughput|吞吐|(?<![a-z])(?:f1|m?iou|pesq|stoi|ndcg|mrr|psnr|ssim|r@\d+|hits?@\d+|recall|precision|auc|auroc|kappa)(?![0-9a-z])|bleu|rouge|平均提升|(?<![a-z])gain|(?:tokens?|tok|samples|steps|it|images)\/s(?:ec)?(?![a-z])|(?<![a-z])(?:fps|qps|tps)(?![a-z])/i

export const goalOfLine = memoByObject(({ matrix: { table }, of, isColumn }: Line) => {
  const others = isColumn ? [] : [table.header[0]?.text ?? '']
  return goalOf([of.name, ...others, table.section?.title ?? '', table.caption?.text.slice(0, 60) ?? ''])
})

/** How many were measured: a column that is compared with no score beside it. */
export const isSizeName = (name: string): boolean =>
  /^(?:n|#|total|size|(?:(?:no\.|number|#) ?(?:of )?)?(?:count|sample|issue|game|task|problem|question|episode|trial|case|item|prompt|quer(?:y|ie))s?|数量|[题样局次条任]?[本务]?数量?|总数|样本)$/i.test(
    name.trim(),
  )

export function topOf(points: readonly Point[], which: 'max' | 'min'): Point | null {
  const sign = which === 'max' ? 1 : -1
  let top: Point | null = null
  for (const point of points) if (top === null || sign * (point.quantity.value - top.quantity.value) > 0) top = point
  return top
}

export function isIn(section: Section | null, ancestor: Section | null): boolean {
  for (let at = section; at !== null; at = at.parent) if (at === ancestor) return true
  return ancestor === null
}

/** Of the same section, of one around or inside it, or of its neighbour: near enough that a name means this table. */
export function isAround(section: Section | null, other: Section | null): boolean {
  return isIn(section, other) || isIn(other, section) || section?.parent === other?.parent
}

/** Each of some with the one behind it. */
export function neighbours<Item>(items: readonly Item[]): readonly (readonly [before: Item, behind: Item])[] {
  return items.flatMap((behind, i) => {
    const before = items[i - 1]
    return before === undefined ? [] : [[before, behind] as const]
  })
}
