import { type ReportDocument, type Section, type Statement, titlesAbove } from '../document/document.js'
import { type Axis, type Line, linesOfMatrix, type Matrix, matrixOf, type Point } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import { goalByName } from '../model/vocabulary/goal.js'

/**
 * What a document offers to check an assertion against: its tables as lines of comparable values, found by where they
 * stand, by the names of their rows and columns, and by the very figures that a sentence prints.
 */
export interface Evidence {
  readonly document: ReportDocument
  readonly matrices: readonly Matrix[]
  /** Tables near a place, the nearest first: of the same section, then around it. */
  readonly near: (offset: number) => readonly Matrix[]
  /** Lines that hold a figure as the sentence prints it. */
  readonly holding: (quantity: Quantity) => readonly Held[]
  /** In how many sentences a figure is printed. */
  readonly printed: (value: number) => number
  /** The section's first line up to its end, sub-sections included. */
  readonly sectionEnd: (section: Section) => number
  /** The index of a statement in the document. */
  readonly indexOf: (statement: Statement) => number
}

export interface Held {
  readonly line: Line
  readonly point: Point
}

const NEAREST_TABLES = 12

export function evidenceOf(document: ReportDocument): Evidence {
  const matrices = document.tables.map(matrixOf)
  const ends = new Map<Section, number>()
  document.sections.forEach((section, i) => {
    const next = document.sections.slice(i + 1, i + 200).find(({ level }) => level <= section.level)
    ends.set(section, next?.offset ?? document.text.length)
  })
  // What was set was not measured: no claim that one thing is better or so much higher is about it.
  const measured = matrices.filter(({ layout }) => layout !== 'settings')
  const indexes = new Map(document.statements.map((statement, i) => [statement, i]))
  return {
    document,
    matrices,
    near: offset => nearTables(measured, offset),
    holding: holdingIndex(matrices),
    printed: printedIndex(document),
    sectionEnd: section => ends.get(section) ?? document.text.length,
    indexOf: statement => indexes.get(statement) ?? 0,
  }
}

function nearTables(matrices: readonly Matrix[], offset: number): readonly Matrix[] {
  let low = 0
  let high = matrices.length
  while (low < high) {
    const half = (low + high) >> 1
    if ((matrices[half]?.table.offset ?? 0) <= offset) low = half + 1
    else high = half
  }
  const before = matrices.slice(Math.max(0, low - NEAREST_TABLES), low).reverse()
  return [...before, ...matrices.slice(low, low + NEAREST_TABLES / 2)]
}

/** Figures with fewer digits are in every table by chance. */
const FEWEST_DIGITS = 3

export function significantDigits({ value, decimals }: Quantity): number {
  const digits = Math.abs(value)
    .toFixed(Math.min(12, Math.max(0, decimals ?? 0)))
    .replace('.', '')
    .replace(/^0+/, '')
  return digits.length
}

function holdingIndex(matrices: readonly Matrix[]): Evidence['holding'] {
  let index: Map<number, Held[]> | null = null
  return quantity => {
    if (significantDigits(quantity) < FEWEST_DIGITS) return []
    if (index === null) {
      index = new Map()
      for (const matrix of matrices) {
        for (const line of linesOfMatrix(matrix)) {
          for (const point of line.points) {
            const known = index.get(point.quantity.value)
            if (known === undefined) index.set(point.quantity.value, [{ line, point }])
            else if (known.length < MOST_HELD) known.push({ line, point })
          }
        }
      }
    }
    return index.get(quantity.value) ?? []
  }
}

function printedIndex({ statements }: ReportDocument): Evidence['printed'] {
  let counts: Map<number, number> | null = null
  return value => {
    if (counts === null) {
      counts = new Map()
      for (const { quantities, kind } of statements)
        if (kind !== 'cell') for (const one of quantities) counts.set(one.value, (counts.get(one.value) ?? 0) + 1)
    }
    return counts.get(value) ?? 0
  }
}

const MOST_HELD = 40

/** Names that a row or column may be called by in prose. */
export function namesOf(matrix: Matrix, axis: Axis, isRow: boolean): readonly string[] {
  const known = named.get(axis) ?? namesFor(matrix, axis, isRow)
  named.set(axis, known)
  return known
}

const named = new WeakMap<Axis, readonly string[]>()

function namesFor(matrix: Matrix, axis: Axis, isRow: boolean): readonly string[] {
  const bare = axis.name.replace(/[(（[【].*$/, '').trim()
  const short = axis.name.replace(GENERIC, '').trim()
  const corner = matrix.table.header[0]?.text ?? ''
  const isNumber = /^\d+(?:\.\d+)?[kKM]?$/.test(axis.name)
  if (isRow && isNumber && axis.keys.length > 1) return []
  if (isRow && isNumber) {
    const word = corner.replace(/[(（[【].*$/, '').trim()
    return word === ''
      ? []
      : [`${word} ${axis.name}`, `${word}=${axis.name}`, `${word}${axis.name}`, `${axis.name}-${word}`]
  }
  if (isNumber) return []
  const joined = /^(?:step|epoch|shot|beam|k)\s?_?(\d+)$/i.exec(bare)
  const names = [
    axis.name,
    bare,
    short,
    short.replace(/[(（[【].*$/, '').trim(),
    ...(joined === null ? [] : [bare.replace(/\s?(\d+)$/, ' $1'), bare.replace(/\s?(\d+)$/, '$1')]),
  ]
  return [...new Set(names)].filter(name => name.length > 1)
}

/** "v0 结果" is spoken of as v0. */
const GENERIC =
  /[\s_]*(?:的)?(?:结果|正确率|准确率|得分|分数|版本|模型|(?<![a-z])(?:results?|scores?|accuracy|acc|model|version|run))(?=\s*(?:[(（]|$))/i

/** Where one of the names stands in the text as a word of its own; -1 when none does. */
export function mentionAt(text: string, names: readonly string[]): number {
  const lower = text.toLowerCase().replace(SPACED, '')
  for (const name of names) {
    const wanted = name.toLowerCase().replace(SPACED, '')
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
      const before = lower[at - 1] ?? ' '
      const behind = lower[at + wanted.length] ?? ' '
      const startsOk = !/[a-z0-9]/.test(wanted[0] ?? '') || !/[a-z0-9_.]/.test(before)
      const endsOk = !/[a-z0-9]/.test(wanted.at(-1) ?? '') || !/[a-z0-9_]/.test(behind)
      if (startsOk && endsOk && !(behind === '.' && /\d/.test(lower[at + wanted.length + 1] ?? ''))) return at
    }
  }
  return -1
}

/** "KL 值" and "KL值" are one name. */
const SPACED = /(?<=\p{Script=Han})\s+|\s+(?=\p{Script=Han})/gu

/** Which of some axes a text names; a name inside a longer one that is named too does not count. */
export function axesNamed(text: string, matrix: Matrix, axes: readonly Axis[], areRows: boolean): readonly Axis[] {
  const found = axes.flatMap(axis => {
    const names = namesOf(matrix, axis, areRows)
    const at = mentionAt(text, names)
    if (at < 0) return []
    const length = Math.max(...names.filter(name => mentionAt(text, [name]) === at).map(name => name.length), 1)
    return [{ axis, from: at, to: at + length }]
  })
  return found
    .filter(
      one =>
        !found.some(
          other =>
            other !== one && other.from <= one.from && other.to >= one.to && other.to - other.from > one.to - one.from,
        ),
    )
    .map(({ axis }) => axis)
}

/** Which way is good, by the names of a line; null where they do not tell. */
export function goalOf(names: readonly string[]): 'max' | 'min' | null {
  for (const name of names) {
    if (LESS_IS_BETTER.test(name)) return 'min'
    if (MORE_IS_BETTER.test(name)) return 'max'
    const goal = goalByName(name)
    if (goal !== null) return goal
  }
  return null
}

/** What the vocabulary, which knows logged names, does not: words that people put into tables. */
const LESS_IS_BETTER =
  /latency|(?<![a-z])time(?![a-z])|perplexity|(?<![a-z])ppl(?![a-z])|vram|memory|显存|风险|(?<![a-z])risk|延迟|耗时|fail|失败率|wer(?![a-z])|(?<![a-z])mse|(?<![a-z])mae/i
const MORE_IS_BETTER =
  /(?<![a-z])(?:aime|math|gsm8k|mmlu|humaneval|mbpp|arc|hellaswag|bbh|gpqa|ifeval|swe-?bench|c-?eval|cmmlu|truthfulqa|svamp|vqa|benchmarks?)(?![a-z])|(?<![a-z])(?:aime|math)\d|正确率|成功率|throughput|吞吐|(?<![a-z])f1(?![0-9a-z])|bleu|rouge|平均提升|(?<![a-z])gain/i

export function goalOfLine({ matrix, of, isColumn }: Line): 'max' | 'min' | null {
  return goalOfAxis(matrix, of, isColumn)
}

const goals = new WeakMap<Axis, 'max' | 'min' | null>()

export function goalOfAxis({ table, columns }: Matrix, of: Axis, isColumn: boolean): 'max' | 'min' | null {
  const known = goals.get(of)
  if (known !== undefined) return known
  const others = isColumn || columns.length === 0 ? [] : [table.header[0]?.text ?? '']
  const made = goalOf([
    of.name,
    ...others,
    ...titlesAbove(table.section).slice(0, 1),
    table.caption?.text.slice(0, 60) ?? '',
  ])
  goals.set(of, made)
  return made
}

export function isIn(section: Section | null, ancestor: Section | null): boolean {
  for (let at = section; at !== null; at = at.parent) if (at === ancestor) return true
  return ancestor === null
}

/** Of the same section, of one around or inside it, or of its neighbour: near enough that a name means this table. */
export function isAround(section: Section | null, other: Section | null): boolean {
  return isIn(section, other) || isIn(other, section) || section?.parent === other?.parent
}
