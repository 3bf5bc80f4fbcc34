import { type Quantity, readTokens, type StepMark } from '../document/quantity.js'
import { groupBy } from '../model/group-by.js'
import type { AuditDocument, Cell, Section, Statement, Table } from './document.js'
import { MOST_NAMES, mentionsOf } from './mentions.js'
import { remembered } from './remember.js'
import { mainQuantity, type TableView, viewOf } from './table-view.js'

/**
 * Values of one document that may be compared with each other: one quantity over steps, or one quantity of several
 * things. A table whose rows are different quantities ("Val Loss", "KL") is read along its rows, not its columns.
 */
export interface ComparisonSet {
  /** The header, or the row's label in a table that lists quantities. */
  readonly metric: string
  readonly isCurve: boolean
  readonly section: Section | null
  readonly table: Table
  readonly items: readonly Item[]
}

export interface Item {
  /** "Step 40", "0.145". */
  readonly name: string
  readonly step: number | null
  readonly cell: Cell
  /** Null where somebody still has to fill it. */
  readonly quantity: Quantity | null
}

const QUANTITY_NAME =
  /loss|reward|score|acc(?:uracy)?\b|entropy|(?<![a-z])(?:kl|norm|std|lr|mfu|time|length|tokens?|speed|throughput|memory|ratio|advantage|steps?)(?![a-z_])|损失|奖励|准确率|时间|长度|吞吐|步数|显存|性能|稳定性|熵/i
const STATISTIC =
  /^(?:平均值?|均值|初始|最终|最大值?|最小值?|最佳.*|最优.*|变化|差异|差值|合计|总计|中位数|标准差|mean|average|avg\.?|initial|first|final|last|max(?:imum)?|min(?:imum)?|best.*|change|diff(?:erence)?|total|overall|median|std|sd)$/i

/** A longer table is a dump of data; no sentence was written by looking at it. */
const MOST_ROWS = 2_000

const setsOf = new WeakMap<AuditDocument, readonly ComparisonSet[]>()

export function comparisonSets(document: AuditDocument): readonly ComparisonSet[] {
  const known = setsOf.get(document)
  if (known !== undefined) return known
  const sets = document.tables.filter(({ rows }) => rows.length <= MOST_ROWS).flatMap(table => setsIn(viewOf(table)))
  setsOf.set(document, sets)
  return sets
}

function setsIn(view: TableView): ComparisonSet[] {
  const { table, roles } = view
  const values = roles.flatMap((role, column) => (role === 'value' || role === 'mean' ? [column] : []))
  const isCurve = roles.includes('position')
  const labels = table.rows.map(row => row[0].text)
  if (!isCurve && labels.some(label => QUANTITY_NAME.test(label) || STATISTIC.test(label))) {
    return table.rows.map((row, i) => ({
      metric: labels[i],
      isCurve: false,
      section: table.section,
      table,
      items: values.map(column => ({ name: table.header[column].text, step: null, ...filled(row[column]) })),
    }))
  }
  return values.map(column => ({
    metric: table.header[column].text,
    isCurve,
    section: table.section,
    table,
    items: table.rows.flatMap((row, i): Item[] => {
      const step = view.positions[i]
      if (isCurve && step === null) return []
      const name = step === null ? labels[i] : `${table.header[roles.indexOf('position')].text} ${step}`
      return [{ name, step, ...filled(row[column]) }]
    }),
  }))
}

function filled(cell: Cell): Pick<Item, 'cell' | 'quantity'> {
  const quantity = cell.pending ? null : mainQuantity(cell)
  return { cell, quantity: quantity?.ends === null ? quantity : null }
}

/** The sets whose quantity the statement names: in its own words, else in what it stands under, else in its heading. */
export function setsNamed(statement: Statement, sets: readonly ComparisonSet[]): readonly ComparisonSet[] {
  if (sets.length === 0) return []
  const { section } = statement
  const { names, byMetric } = metricsOf(sets)
  for (const words of [statement.text, ...statement.leads, ...(section === null ? [] : [section.title])]) {
    const meant = [...new Set(mentionsOf(words, names).map(({ name }) => name))]
    if (meant.length === 0) continue
    const near = meant.flatMap(name => byMetric.get(name)?.bySection.get(section) ?? [])
    return near.length > 0 ? near : meant.flatMap(name => byMetric.get(name)?.all ?? [])
  }
  return []
}

interface Metrics {
  readonly names: readonly string[]
  readonly byMetric: ReadonlyMap<string, Metric>
}

interface Metric {
  readonly all: readonly ComparisonSet[]
  readonly bySection: ReadonlyMap<Section | null, readonly ComparisonSet[]>
}

const indexes = new WeakMap<readonly ComparisonSet[], Metrics>()

/** The same sets are asked for with every statement. A name of one letter is in any sentence. */
function metricsOf(sets: readonly ComparisonSet[]): Metrics {
  const known = indexes.get(sets)
  if (known !== undefined) return known
  const grouped = groupBy(
    sets.filter(({ metric }) => metric.length > 1),
    ({ metric }) => metric,
  )
  const names = [...grouped.keys()].slice(0, MOST_NAMES)
  const byMetric = new Map(
    names.map((name): [string, Metric] => {
      const all = grouped.get(name) ?? []
      return [name, { all, bySection: groupBy(all, ({ section }) => section) }]
    }),
  )
  const made = { names, byMetric }
  indexes.set(sets, made)
  return made
}

const BETWEEN = /(?<![a-z])(?:steps?|epochs?) (\d{1,9}) (?:and|to|through|until) (?:step |epoch )?(\d{1,9})(?![\d.])/i

const stretchIn = remembered((lead): StepMark | null => readTokens(lead).steps.find(isStretch) ?? null)

function isStretch({ first, last }: StepMark): boolean {
  return first < last
}

/** The stretch of steps a statement is about: its own, or that of what it stands under; null for all. */
export function stretchOf(statement: Statement): StepMark | null {
  const own = statement.steps.find(isStretch)
  if (own !== undefined) return own
  const between = statement.steps.length + statement.quantities.length === 0 ? null : BETWEEN.exec(statement.text)
  if (between !== null) {
    const [first, last] = [Number(between[1]), Number(between[2])]
    return { first, last, from: between.index, to: between.index + between[0].length }
  }
  for (const lead of statement.leads) {
    if (!/\d/.test(lead)) continue
    const found = stretchIn(lead)
    if (found !== null) return found
  }
  return null
}
