import type { Statement } from '../document/document.js'
import type { Axis, Matrix } from '../document/matrix.js'
import type { Clause } from './mentions.js'

export interface Confinement {
  readonly isIn: (axis: Axis, isRow: boolean) => boolean
  /** It names its rows one by one, "Shot 1", and so may name the things that are compared. */
  readonly isNaming: boolean
}

/** What a clause confines itself to: a stretch of steps, or the rows that were measured under a condition it names. */
export function confinedTo({ statement, from, to }: Clause, matrix: Matrix): Confinement | null {
  const [own] = statement.steps.filter(one => one.from >= from && one.to <= to)
  const stretch = own === undefined ? null : stretchOf(own, statement)
  if (stretch !== null) return stretch
  const where = rowsWhere(matrix, statement.text.slice(0, to))
  if (where !== null) {
    const isIn: Confinement['isIn'] = (axis, isRow) => !isRow || axis.role !== 'value' || where.rows.includes(axis)
    return { isIn, isNaming: where.isNaming }
  }
  const range = own === undefined ? statement.steps.find(one => one.first < one.last) : undefined
  return range === undefined ? null : stretchOf(range, statement)
}

/** "Steps 75-130", "after step 300". */
function stretchOf({ first, last, from, to }: Statement['steps'][number], { text }: Statement): Confinement | null {
  if (first < last) return { isIn: ({ step }) => step === null || (step >= first && step <= last), isNaming: false }
  const isOnward = FROM_ON.test(text.slice(0, from)) || ON.test(text.slice(to))
  return isOnward ? { isIn: ({ step }) => step === null || step > first, isNaming: false } : null
}

const FROM_ON = /(?:after|since|自|>)\s?$/i
const ON = /^\s?(?:之后|以后|起|onwards?)/i

interface Where {
  readonly rows: readonly Axis[]
  readonly isNaming: boolean
}

/** The rows that conditions such as "Shot≥2", 学习率为 1e-6 时 or "50/80 条数据" leave; null where none is named. */
function rowsWhere(matrix: Matrix, text: string): Where | null {
  let rows = matrix.rows.filter(({ role }) => role === 'value')
  let isConfined = false
  let isNaming = true
  for (const { name, role, index } of matrix.columns) {
    const condition = role === 'remark' ? null : conditionOn(name, role === 'label', text)
    if (condition === null) continue
    const { isMet } = condition
    const left = rows.filter(row => isMet(numberIn(matrix.table.rows[row.index]?.[index]?.text ?? '')))
    // "Update 400" may name a column of that name instead.
    if (left.length === 0 && (role !== 'label' || matrix.columns.some(one => isMet(numberIn(one.name))))) continue
    isConfined = true
    isNaming &&= condition.isNaming
    rows = left
  }
  const sizes = sizesIn(text)
  if (sizes === null) return isConfined ? { rows, isNaming } : null
  const counted = matrix.columns.find(({ name, role }) => role === 'label' && /数据|样本|sample/i.test(name))
  const sizeOf = ({ index }: Axis): number => numberIn(matrix.table.rows[index]?.[counted?.index ?? -1]?.text ?? '')
  if (counted !== undefined) return { rows: rows.filter(row => sizes.includes(sizeOf(row))), isNaming: false }
  // Each size has a table of its own, which its title or its caption names.
  const title = `${matrix.table.section?.title ?? ''} ${matrix.table.caption?.text.slice(0, 60) ?? ''}`
  const isOther = !sizes.some(size => new RegExp(`(?<!\\d)${size}(?!\\d)`).test(title))
  return isOther ? { rows: [], isNaming: false } : isConfined ? { rows, isNaming } : null
}

const numberIn = (text: string): number => Number(/\d+(?:\.\d+)?(?:e-?\d+)?/i.exec(text)?.[0] ?? Number.NaN)

interface Patterns {
  /** "Shot 1", "Shot≥2": what a label column is headed needs no more. */
  readonly label: RegExp
  /** 学习率为 1e-6 时, "with beta = 0.1": other columns only where the words say that it is a condition. */
  readonly value: RegExp
}

const patterns = new Map<string, Patterns | null>()
const MOST_PATTERNS = 1_000
const NUMBER = String.raw`(\d{1,6}(?:\.\d{1,6})?(?:e-?\d{1,2})?)`

/** Null where a header is too short to be told from other words. */
function patternsFor(header: string): Patterns | null {
  const known = patterns.get(header)
  if (known !== undefined) return known
  const bare = header.replace(/[(（].*$/, '').replace(/[\s_]*num$/i, '')
  const word = bare.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const named = String.raw`(?<![A-Za-z])${word}(?:[ _]?num)?\s?`
  const list = String.raw`((?:\s?[,，、/]\s?\d{1,6})*)(?![\d.%]|\s?[-–~至到]\s?\d)`
  const made =
    word.length < 2
      ? null
      : {
          label: new RegExp(String.raw`${named}(=|≥|>=|>|≤|<=|<)?\s?${NUMBER}${list}`, 'i'),
          value: new RegExp(
            String.raw`${named}(=|≥|>=|>|≤|<=|<|为|是|of)\s?${NUMBER}${list}\s?(?:时|下|的情况)|(?:with|at|for|when|under) (?:an? )?${named}(=|≥|>=|>|≤|<=|<|of|is)\s?${NUMBER}`,
            'i',
          ),
        }
  if (patterns.size > MOST_PATTERNS) patterns.clear()
  patterns.set(header, made)
  return made
}

/** What a text asks of the values of a column. */
function conditionOn(
  header: string,
  isLabel: boolean,
  text: string,
): { readonly isMet: (value: number) => boolean; readonly isNaming: boolean } | null {
  const match = patternsFor(header)?.[isLabel ? 'label' : 'value'].exec(text) ?? null
  if (match === null) return null
  const [sign, value] = [match[1] ?? match[4] ?? '', Number(match[2] ?? match[5])]
  const more = (match[3] ?? '').split(/\D+/).filter(part => part !== '')
  const list = [value, ...more.map(Number)]
  const isBeyond = /[≥>]/.test(sign) ? 1 : /[≤<]/.test(sign) ? -1 : 0
  if (isBeyond === 0) return { isMet: one => list.includes(one), isNaming: isLabel }
  const isIncluded = /[≥≤=]/.test(sign)
  return { isMet: one => Math.sign(one - value) === isBeyond || (isIncluded && one === value), isNaming: false }
}

function sizesIn(text: string): readonly number[] | null {
  const match = [...text.matchAll(/(?<![\d.])(\d{2,6}(?:\s?[/、,]\s?\d{2,6})*)\s?(?:条|样本|samples)/gi)].at(-1)
  return match === undefined ? null : (match[1] ?? '').split(/[^\d]+/).map(Number)
}
