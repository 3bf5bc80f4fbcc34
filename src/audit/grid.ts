import type { Quantity } from '../document/quantity.js'
import { groupBy } from '../model/group-by.js'
import type { AuditDocument, Cell, Statement, Table } from './document.js'
import { mentionsOf } from './mentions.js'
import { tablesBefore } from './nearby.js'
import { remembered } from './remember.js'
import { isSampleCount } from './sample-size.js'
import { isSummary, mainQuantity, type TableView, viewOf } from './table-view.js'

/**
 * A table as something that sentences speak of: things by name ("heron-72b", "no KL term", "step 360") and quantities by
 * name ("MATH-500", "平均轮次"), whichever of the two stand in the rows. What a sentence names is looked up in the nearest
 * table before it that knows all of it.
 */
export interface Grid {
  readonly table: Table
  readonly things: readonly Line[]
  readonly metrics: readonly Line[]
  /** The value of a thing in a quantity; null where it is open or no number. */
  readonly at: (thing: Line, metric: Line) => Quantity | null
  readonly cellAt: (thing: Line, metric: Line) => Cell
}

/** A row or a column by its name. */
export interface Line {
  readonly name: string
  /** All that it may be called. */
  readonly aliases: readonly string[]
  readonly index: number
  readonly step: number | null
  /** A mean over the other quantities, or a difference between things: no quantity of its own. */
  readonly isDerived: boolean
}

const RANK = /^(?:rank|#|no\.?|pos(?:ition)?|排名|名次|序号|编号)$/i
/** A longer table is a dump of data. */
const MOST_LINES = 60

const grids = new WeakMap<Table, readonly Grid[]>()

/** By rows, and by columns where every column is a thing with the same quantities. */
export function gridsOf(table: Table): readonly Grid[] {
  const known = grids.get(table)
  if (known !== undefined) return known
  const view = viewOf(table)
  const made =
    table.rows.length < 2 || table.rows.length > MOST_LINES || table.header.length < 2
      ? []
      : [byRows(view), ...(areThings(view) ? [byColumns(view)] : [])]
  grids.set(table, made)
  return made
}

function byRows(view: TableView): Grid {
  const { table, roles, positions } = view
  const labelColumn = RANK.test(table.header[0].text.trim()) && roles[0] !== 'position' ? 1 : 0
  const things = table.rows.flatMap((row, index): Line[] => {
    const label = row[labelColumn]?.text ?? ''
    if (label === '' || isSummary(label)) return []
    const header = table.header[labelColumn].text
    return [{ name: label, aliases: thingAliases(label, header), index, step: positions[index], isDerived: false }]
  })
  const metrics = table.header.flatMap(({ text }, index): Line[] => {
    if (index <= labelColumn || text === '' || roles[index] === 'remark' || roles[index] === 'position') return []
    const isDerived = roles[index] === 'difference' || roles[index] === 'mean'
    return [{ name: text, aliases: metricAliases(text), index, step: null, isDerived }]
  })
  const cellAt = (thing: Line, metric: Line): Cell => table.rows[thing.index][metric.index]
  return { table, things, metrics, cellAt, at: (thing, metric) => levelIn(cellAt(thing, metric)) }
}

const QUANTITY =
  /loss|reward|score|acc(?:uracy)?(?![a-z])|entropy|rate|(?<![a-z])(?:kl|norm|std|lr|mfu|time|length|tokens?|speed|throughput|memory|ratio|advantage|steps?|epochs?|beta|cost|params?|turns|hours?|tasks|samples|pairs|n)(?![a-z_])|损失|奖励|[率数]|时[间长]|长度|吞吐|显存|熵|系数|轮次/i
/** Values of one quantity lie closer together than this; those of different quantities mostly do not. */
const FARTHEST = 4

/** Columns that are things: no quantity by name, and in every row values of one size. */
function areThings({ table, roles }: TableView): boolean {
  const columns = thingColumns({ table, roles })
  if (columns.length < 2 || columns.some(at => QUANTITY.test(table.header[at].text))) return false
  return table.rows.every(row => {
    const sizes = columns.flatMap(at => mainQuantity(row[at]) ?? []).map(({ value }) => Math.abs(value))
    return sizes.length === 0 || Math.max(...sizes) <= FARTHEST * Math.min(...sizes)
  })
}

/** "Tasks", "n" beside the things is how many samples each row has. */
function thingColumns({ table, roles }: Pick<TableView, 'table' | 'roles'>): readonly number[] {
  return roles.flatMap((role, at) => (role === 'value' && !isSampleCount(table.header[at].text) ? [at] : []))
}

function byColumns(view: TableView): Grid {
  const { table } = view
  const things = thingColumns(view).map((index): Line => {
    const name = table.header[index].text
    return { name, aliases: thingAliases(name, ''), index, step: null, isDerived: false }
  })
  const metrics = table.rows.flatMap((row, index): Line[] => {
    const label = row[0].text
    if (label === '') return []
    return [{ name: label, aliases: metricAliases(label), index, step: null, isDerived: isSummary(label) }]
  })
  const cellAt = (thing: Line, metric: Line): Cell => table.rows[metric.index][thing.index]
  return { table, things, metrics, cellAt, at: (thing, metric) => levelIn(cellAt(thing, metric)) }
}

function levelIn(cell: Cell): Quantity | null {
  const quantity = cell.pending ? null : mainQuantity(cell)
  return quantity === null || quantity.ends !== null || quantity.hedge === 'estimated' ? null : quantity
}

const BARE_NUMBER = /^[+-]?\.?\d[\d.,e%+-]*$/i

/** "E30(基线)" is also "E30" and "基线"; 0.02 under "β" is "β = 0.02" and "β 0.02", never a bare number. */
function thingAliases(label: string, header: string): readonly string[] {
  if (BARE_NUMBER.test(label)) {
    const name = header.replace(/\([^)]{0,200}\)/g, '').trim()
    return name === '' ? [] : [`${name}=${label}`, `${name} ${label}`, `${name} of ${label}`, `${name} 为 ${label}`]
  }
  const inner = /\(([^()]{2,30})\)/.exec(label)?.[1] ?? ''
  const outer = label
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const isName = /\p{L}{2}/u.test(inner) && !/^(?:ours?|new|old|%)$|(?:step|epoch|步|轮)/i.test(inner)
  return [...new Set([label, outer, ...(isName ? [inner] : [])])].filter(({ length }) => length >= 2)
}

/** "Cost per task ($)" is also "Cost per task"; 准确率(%) is 准确率. */
function metricAliases(header: string): readonly string[] {
  const outer = header
    .replace(/\s?[([][^)\]]{0,80}[)\]]\s?/g, ' ')
    .replace(/[↑↓%]/g, '')
    .trim()
  return [...new Set([header, outer])].filter(name => name.length >= 2 || /\p{Script=Han}/u.test(name))
}

export interface Named {
  readonly line: Line
  readonly from: number
  readonly to: number
}

interface Names {
  readonly byAlias: ReadonlyMap<string, readonly { readonly line: Line }[]>
  readonly aliases: readonly string[]
  /** Last words of the lines' names, for "the fewest turns" under "Mean turns". */
  readonly ends: readonly { readonly line: Line; readonly word: string; readonly pattern: RegExp }[]
}

/** Tables of one report share their words, and a pattern is dear to make. */
const wholeWord = remembered(word => new RegExp(`(?<![a-z])${word}(?![a-z])`, 'i'))

const names = new WeakMap<readonly Line[], Names>()

/** Read once, since every statement asks. */
function namesOf(lines: readonly Line[]): Names {
  const known = names.get(lines)
  if (known !== undefined) return known
  const byAlias = groupBy(
    lines.flatMap(line => line.aliases.map(alias => ({ alias, line }))),
    ({ alias }) => alias.toLowerCase(),
  )
  const ends = lines.flatMap(line => {
    const word = /(?<![a-z])([a-z]{4,})$/i.exec(line.aliases[line.aliases.length - 1] ?? '')?.[1].toLowerCase()
    return word === undefined ? [] : [{ line, word, pattern: wholeWord(word) }]
  })
  const made = { byAlias, aliases: [...byAlias.keys()], ends }
  names.set(lines, made)
  return made
}

/** Which of the lines a text names, in the order of the text. */
export function linesNamed(text: string, lines: readonly Line[]): readonly Named[] {
  const { byAlias, aliases } = namesOf(lines)
  return mentionsOf(text, aliases).flatMap(({ name, from, to }) => {
    // What several are called names none of them, and "epoch 1-5" is not epoch 1.
    const [only, ...more] = byAlias.get(name) ?? []
    const isRange = /\d$/.test(name) && /^\s?[-–~～]\s?\d/.test(text.slice(to, to + 4))
    return only === undefined || more.length > 0 || isRange ? [] : [{ line: only.line, from, to }]
  })
}

/** The things that a statement names, those it names by their step included. */
export function thingsNamed({ text, steps }: Pick<Statement, 'text' | 'steps'>, grid: Grid): readonly Named[] {
  const byStep = steps.flatMap(({ first, last, from, to }): Named[] => {
    const line = first === last ? grid.things.find(({ step }) => step === first) : undefined
    return line === undefined ? [] : [{ line, from, to }]
  })
  const named = [...linesNamed(text, grid.things), ...byStep].sort((a, b) => a.from - b.from)
  const seen = new Set<Line>()
  return named.filter(({ line }) => !seen.has(line) && seen.add(line))
}

/** Metrics that a text names, means among them; each once. */
export function metricsNamed(text: string, grid: Grid): readonly Line[] {
  const named = linesNamed(text, grid.metrics).map(({ line }) => line)
  if (named.length > 0) return [...new Set(named)]
  // "the fewest turns" under "Mean turns": the last word, where no other column has it.
  const { ends } = namesOf(grid.metrics)
  const held = ends.filter(({ pattern }) => pattern.test(text))
  return held.length === 1 && ends.filter(({ word }) => word === held[0].word).length === 1 ? [held[0].line] : []
}

/** The nearest table before the statement in which all is known that `wants` asks for. */
export function gridFor<T>(document: AuditDocument, statement: Statement, wants: (grid: Grid) => T | null): T | null {
  for (const table of tablesBefore(document, statement)) {
    for (const grid of gridsOf(table)) {
      const found = wants(grid)
      if (found !== null) return found
    }
  }
  return null
}

export function sameUnit(a: Quantity, b: Quantity): boolean {
  return a.unit === b.unit || a.unit === null || b.unit === null
}
