import type { Quantity } from '../document/quantity.js'
import { exactly, type Range } from '../stats/rounding.js'
import type { AuditDocument, Cell, Section, Table } from './document.js'
import { remembered } from './remember.js'
import { mainQuantity, viewOf } from './table-view.js'

/**
 * Loss terms that belong together: one row of a table, one column of it, a list of "name: value", or, where each metric has
 * a section and a table of its own, the same cell of these tables. Each group knows the KL coefficient it was run with.
 */
export interface LossGroup {
  readonly label: string
  readonly terms: ReadonlyMap<LossTerm, PrintedTerm>
  /** As configured, from the row, the column or the document. */
  readonly coefficient: Coefficient | null
  /** At the first epoch or step, as far as the report says so. */
  readonly isFirst: boolean
}

export type LossTerm = 'total' | 'policy' | 'kl' | 'kl-loss' | 'coefficient'

export interface PrintedTerm {
  readonly quantity: Quantity
  readonly offset: number
}

export interface Coefficient {
  readonly value: number
  /** A setting is what it says; it is not rounded. */
  readonly range: Range
  readonly offset: number
}

const TERMS: readonly (readonly [LossTerm, RegExp])[] = [
  ['total', /^(?:(?:train(?:ing)?|total|overall|grpo|总)[ _-]?loss|训练损失|总损失|loss)$/i],
  ['policy', /^(?:(?:ppo|pg|policy|policy[ _-]gradient|surrogate|策略)[ _-]?loss|策略损失|策略梯度损失)$/i],
  ['kl-loss', /^kl[ _-]?(?:loss|penalty|损失|惩罚)$/i],
  ['kl', /^(?:(?:mean |average )?kl(?:[ _-]?(?:div(?:ergence)?|mean|值|散度|均值))?|kl散度.{0,20})$/i],
  ['coefficient', /^(?:kl[ _-]?)?(?:beta|β|coef(?:f|ficient)?|系数)$/i],
]

export const termOf = remembered(readTerm)

function readTerm(label: string): LossTerm | null {
  const plain = label
    .replace(/^[\d.、)\s]+/, '')
    .replace(/(?<!\s)\s*\(.{0,40}\)\s*$/, '')
    .trim()
  return TERMS.find(([, words]) => words.test(plain))?.[0] ?? null
}

/** `KL_BETA=0.12`, "KL coefficient: 0.1"; a bare "beta" may be anything's. */
const SETTING =
  /(?<![A-Za-z])(?:kl[ _-]?(?:loss[ _-]?)?(?:beta|coef(?:f|ficient)?|系数|penalty coefficient)|init[ _-]kl[ _-]coef)\s?(?:[=:]|为|是)\s?(\d+(?:\.\d+)?(?:e-?\d+)?)/gi

export function coefficientIn(text: string): number | null {
  const values = new Set([...text.matchAll(SETTING)].map(([, number]) => Number(number)))
  return values.size === 1 ? [...values][0] : null
}

/** The one KL coefficient that the document says it used; null if it names several. */
export function configuredCoefficient(document: AuditDocument): Coefficient | null {
  const before = configured.get(document)
  if (before !== undefined) return before
  const found = readConfigured(document)
  configured.set(document, found)
  return found
}

const configured = new WeakMap<AuditDocument, Coefficient | null>()

function readConfigured({ statements }: AuditDocument): Coefficient | null {
  const found = statements.flatMap(({ text, quantities, offsetOf }) =>
    quantities.length === 0 && !/\d/.test(text)
      ? []
      : [...text.matchAll(SETTING)].map(match => ({ value: Number(match[1]), offset: offsetOf(match.index) })),
  )
  if (new Set(found.map(({ value }) => value)).size !== 1) return null
  return { ...found[0], range: exactly(found[0].value) }
}

const known = new WeakMap<AuditDocument, readonly LossGroup[]>()

/** Read once, since several rules ask. */
export function lossGroups(document: AuditDocument): readonly LossGroup[] {
  const before = known.get(document)
  if (before !== undefined) return before
  const groups = readGroups(document)
  known.set(document, groups)
  return groups
}

function readGroups(document: AuditDocument): readonly LossGroup[] {
  const general = configuredCoefficient(document)
  return [
    ...document.tables.flatMap(table => [...rowGroups(table, general), ...columnGroups(table, general)]),
    ...sectionGroups(document),
    ...listGroups(document, general),
  ]
}

function rowGroups(table: Table, general: Coefficient | null): readonly LossGroup[] {
  const terms = table.header.map(({ text }) => termOf(text))
  if (new Set(terms.filter(term => term !== null)).size < 3) return []
  const { roles } = viewOf(table)
  const isFirst = FIRST.test(table.section?.title ?? '')
  const isSetting = terms[0] === 'coefficient' && roles[0] === 'label'
  return table.rows.map(row => {
    const own = isSetting ? mainQuantity(row[0]) : null
    const coefficient = own === null ? general : { value: own.value, range: exactly(own.value), offset: row[0].offset }
    const printed = row.slice(1).map((cell, i) => [terms[i + 1], cell] as const)
    return { label: row[0].text, terms: termsOf(printed), coefficient, isFirst }
  })
}

function columnGroups(table: Table, general: Coefficient | null): readonly LossGroup[] {
  const terms = table.rows.map(row => termOf(row[0].text))
  if (new Set(terms.filter(term => term !== null)).size < 3) return []
  return table.header.slice(1).map(({ text, offset }, i) => ({
    label: text,
    terms: termsOf(table.rows.map((row, j) => [terms[j], row[i + 1]] as const)),
    coefficient: settingIn(text, offset) ?? general,
    isFirst: FIRST.test(text),
  }))
}

function settingIn(text: string, offset: number): Coefficient | null {
  const value = coefficientIn(text)
  return value === null ? null : { value, range: exactly(value), offset }
}

const FIRST = /^(?:初始|起始|首个|initial|first|start)|(?:epoch|step|轮)\s?1(?!\d|\s?[-–~])|第\s?1\s?(?:轮|步)/i

/** Rows of such tables whose figures are not of one moment, so that sums do not carry over. */
const NO_MOMENT = /最小|最大|最佳|最优|变化|标准差|方差|min|max|best|std|change|delta|range/i

/** One table for each metric, its title the metric's name, its columns the settings. */
function sectionGroups({ tables }: AuditDocument): readonly LossGroup[] {
  const groups = new Map<string, { label: string; cells: (readonly [LossTerm, Cell])[]; header: Cell }>()
  for (const table of tables) {
    const term = table.section === null ? null : termOf(table.section.title)
    if (term === null) continue
    for (const row of table.rows.filter(([label]) => !NO_MOMENT.test(label.text))) {
      for (const header of table.header.slice(1)) {
        if (coefficientIn(header.text) === null) continue
        const label = `${header.text}, ${row[0].text}`
        const group = groups.get(label) ?? { label, cells: [], header }
        group.cells.push([term, row[header.column]])
        groups.set(label, group)
      }
    }
  }
  return [...groups.values()].map(({ label, cells, header }) => ({
    label,
    terms: termsOf(cells),
    coefficient: settingIn(header.text, header.offset),
    isFirst: FIRST.test(label.slice(header.text.length + 2)),
  }))
}

/** Items in a row under one heading and one label. */
function listGroups({ statements }: AuditDocument, general: Coefficient | null): readonly LossGroup[] {
  const groups: { section: Section | null; lead: string; terms: Map<LossTerm, PrintedTerm> }[] = []
  for (const { kind, text, section, leads, quantities, offsetOf } of statements) {
    if (kind !== 'item' || quantities.length === 0) continue
    const name = /^[^:=]{1,40}(?=[:=])/.exec(text)?.[0] ?? ''
    const term = termOf(name)
    const [quantity] = quantities
    // "0.003 → 0.084" is a course, not a value.
    const isValue = quantity.from <= name.length + 3 && !/^\s?(?:→|->)/.test(text.slice(quantity.to))
    if (term === null || !isValue) continue
    const lead = leads[0] ?? ''
    let group = groups[groups.length - 1]
    if (group === undefined || group.section !== section || group.lead !== lead || group.terms.has(term)) {
      group = { section, lead, terms: new Map() }
      groups.push(group)
    }
    group.terms.set(term, { quantity, offset: offsetOf(quantity.from) })
  }
  return groups
    .filter(({ terms }) => terms.size >= 3)
    .map(({ section, lead, terms }) => ({ label: section?.title ?? lead, terms, coefficient: general, isFirst: false }))
}

function termsOf(cells: readonly (readonly [LossTerm | null, Cell])[]): ReadonlyMap<LossTerm, PrintedTerm> {
  const terms = new Map<LossTerm, PrintedTerm>()
  for (const [term, cell] of cells) {
    const quantity = cell.pending ? null : mainQuantity(cell)
    if (term === null || quantity === null || terms.has(term) || quantity.unit === '%') continue
    if (quantity.hedge !== null || quantity.ends !== null) continue
    terms.set(term, { quantity, offset: cell.offset })
  }
  return terms
}
