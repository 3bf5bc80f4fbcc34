import type { Quantity } from '../document/quantity.js'
import { statementsClaiming } from './claimed.js'
import type { Claim } from './claims.js'
import { type ComparisonSet, comparisonSets, type Item, setsNamed, stretchOf } from './comparison-sets.js'
import { goalOf } from './direction.js'
import type { AuditDocument, Statement } from './document.js'
import { mentionsOf } from './mentions.js'
import { printed } from './printed-curves.js'
import { titlesAbove } from './table-view.js'

/**
 * "The best is 2.123", "KL is highest (0.08471)": a superlative with the value it is about, and the cells of the
 * document's tables that this value can be. Without a value nothing is decided: the words alone do not say which column.
 */
export interface Superlative {
  readonly statement: Statement
  readonly claim: Claim
  readonly quantity: Quantity
  /** All cells that print this value and that the statement can mean. */
  readonly readings: readonly Reading[]
}

export interface Reading {
  readonly set: ComparisonSet
  readonly item: Item
  readonly direction: 'high' | 'low'
  /** The item that has more (or less) than this one, beyond rounding; null where the superlative holds. */
  readonly beaten: Item | null
}

export function isTrue({ beaten }: Reading): boolean {
  return beaten === null
}

/** "The first peak", "one of the best", "the best early on" do not speak of the whole. */
export const PARTIAL =
  /第[一二三四五\d]|首个|局部|次优|次高|次低|之一|其中|除|早期|中期|阶段|此前|上一|历史|测试集|之后|以后|前\s?\d|(?<![a-z])(?:first|second|third|local|one of|among|except|excluding|early|runner-up|baseline|previous|next|so far|up to|until|after|before|since|test set)(?![a-z])/i
const VAGUE_WORD = /^(?:峰值|peak(?:s|ed)?|max|min|wins?|winner)$/i
const AT_STEP = /^\s?(?:at|in|around|出现在|在)\s?(?:step|epoch|第)/i

/** "Peak" may be any top of a curve; with its step it is one that can be looked up. */
function isVague(text: string, { from, to }: Claim): boolean {
  return (
    VAGUE_WORD.test(text.slice(from, to)) && !(/peak|峰值/i.test(text.slice(from, to)) && AT_STEP.test(text.slice(to)))
  )
}

/** How far behind its word the value may stand. */
const REACH = 24

const superlatives = new WeakMap<AuditDocument, readonly Superlative[]>()

/** Read once, since several rules ask. */
export function superlativesIn(document: AuditDocument): readonly Superlative[] {
  const before = superlatives.get(document)
  if (before !== undefined) return before
  const found = readSuperlatives(document)
  superlatives.set(document, found)
  return found
}

/** Cells with one value that are looked at. */
const MOST_ALIKE = 50

function readSuperlatives(document: AuditDocument): readonly Superlative[] {
  const quoted = statementsClaiming(document, 'best', 'extremum-high', 'extremum-low').flatMap(quotedIn)
  const byValue = cellsWith(document, new Set(quoted.map(({ quantity }) => quantity.value)))
  return quoted.flatMap(({ statement, claim, quantity }): Superlative[] => {
    const cells = (byValue.get(quantity.value) ?? []).filter(
      ({ item }) => item.quantity?.decimals === quantity.decimals && agrees(item.quantity.unit, quantity.unit),
    )
    const readings = cells.length === 0 ? [] : readingsOf(statement, claim, cells)
    return readings.length === 0 ? [] : [{ statement, claim, quantity, readings }]
  })
}

/** The superlatives of a statement, with the values that they are about. */
function quotedIn(statement: Statement): readonly Omit<Superlative, 'readings'>[] {
  if (statement.kind === 'cell' || statement.quantities.length === 0 || PARTIAL.test(statement.text)) return []
  return statement.claims.flatMap(claim => {
    if (!isSuperlative(claim) || claim.negated || claim.hedged || isVague(statement.text, claim)) return []
    return valuesOf(statement, claim).map(quantity => ({ statement, claim, quantity }))
  })
}

/** Where the document's tables print one of these values. */
function cellsWith(document: AuditDocument, values: ReadonlySet<number>) {
  const byValue = new Map<number, { set: ComparisonSet; item: Item }[]>()
  for (const set of values.size === 0 ? [] : comparisonSets(document)) {
    for (const item of set.items) {
      const value = item.quantity?.value
      if (value === undefined || !values.has(value)) continue
      const known = byValue.get(value)
      if (known === undefined) byValue.set(value, [{ set, item }])
      else if (known.length < MOST_ALIKE) known.push({ set, item })
    }
  }
  return byValue
}

/** Many tables leave the unit out. */
function agrees(a: Quantity['unit'], b: Quantity['unit']): boolean {
  return a === b || a === null || b === null
}

function isSuperlative({ kind }: Claim): boolean {
  return kind === 'best' || kind === 'extremum-high' || kind === 'extremum-low'
}

/** The best checkpoint is best by something, not by every figure in brackets behind it. */
const SELECTED =
  /checkpoint|ckpt|模型|配置|方法|参数|(?<![a-z])(?:models?|config(?:uration)?|settings?|method|system|run)(?![a-z])/i

/** "best 1.992 vs 2.202", "lowest (0.014)", "2.123 (best)". */
function valuesOf({ text, quantities }: Statement, { from, to }: Claim): readonly Quantity[] {
  const before = quantities.findLast(quantity => quantity.to <= from)
  if (before !== undefined && /^\s?\(\s?$/.test(text.slice(before.to, from))) return [before].filter(isLevel)
  const behind = quantities.find(quantity => quantity.from >= to)
  if (behind === undefined || behind.from - to > REACH) return []
  const between = text.slice(to, behind.from)
  if (/[,;。→)]/.test(between) || SELECTED.test(between)) return []
  const next = quantities.find(quantity => quantity.from >= behind.to)
  const isPair = next !== undefined && /^\s*vs\.?\s*$/i.test(text.slice(behind.to, next.from))
  return [behind, ...(isPair ? [next] : [])].filter(isLevel)
}

/** A figure that is said to be so much: no range, bound, spread or guess. */
export function isLevel({ ends, bound, plusMinus, hedge }: Quantity): boolean {
  return ends === null && bound === null && !plusMinus && hedge === null
}

/** "A's best" is the best of A, not the best of all. */
const OWN = /^(?:的|'s|’s)?$/

function readingsOf(
  statement: Statement,
  claim: Claim,
  cells: readonly { readonly set: ComparisonSet; readonly item: Item }[],
): readonly Reading[] {
  const named = new Set(setsNamed(statement, [...new Set(cells.map(({ set }) => set))]))
  const isNamed = nameFinder(statement)
  const meant = cells.filter(({ set, item }) => {
    if (named.size > 0 && !named.has(set)) return false
    if (set.isCurve) return named.has(set) || isUnmistakable(statement, item)
    const own = mentionsOf(statement.text, [item.name])
    if (own.some(({ to }) => OWN.test(statement.text.slice(to, claim.from).trim()))) return false
    return own.length > 0 || isNamed(item.name)
  })
  const stretch = stretchOf(statement)
  return meant.flatMap(({ set, item }): Reading[] => {
    const direction = directionOf(statement, claim, set)
    if (direction === null) return []
    const others = set.items.filter(({ step }) => stretch === null || step === null || within(step, stretch))
    return [{ set, item, direction, beaten: beatenBy(item, others, direction) }]
  })
}

/** Whether one of the labels above names it; rows of one table are asked for again and again. */
function nameFinder({ leads }: Statement): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return name => {
    const before = known.get(name)
    if (before !== undefined) return before
    const isNamed = leads.some(words => mentionsOf(words, [name]).length > 0)
    known.set(name, isNamed)
    return isNamed
  }
}

/** By its step, or by so many digits that no other number is meant. */
function isUnmistakable({ steps }: Statement, { step, quantity }: Item): boolean {
  if (steps.some(({ first, last }) => first === last && first === step)) return true
  return quantity !== null && printed(quantity).replace(/^-?0?\.?0*|\./g, '').length >= 4
}

/** Quantities of which nobody can say that more, or less, is better. */
const AIMLESS =
  /^(?:kl(?:[ _]?(?:值|散度|div(?:ergence)?))?|entropy|熵|grad(?:ient)?[ _]norm|lr|learning[ _]rate|学习率|.{0,12}(?:length|tokens?|长度|ratio|比例))$/i

function directionOf(statement: Statement, { kind }: Claim, set: ComparisonSet): 'high' | 'low' | null {
  if (kind !== 'best') return kind === 'extremum-high' ? 'high' : 'low'
  if (AIMLESS.test(set.metric)) return null
  return goalOf([set.metric, statement.text, ...titlesAbove(set.section), ...titlesAbove(statement.section)])
}

export function within(step: number, { first, last }: { readonly first: number; readonly last: number }): boolean {
  return step >= first && step <= last
}

/** The farthest of those that lie beyond the item whatever the rounding was. */
export function beatenBy(item: Item, others: readonly Item[], direction: 'high' | 'low'): Item | null {
  const own = item.quantity
  if (own === null) return null
  let farthest: Item | null = null
  for (const other of others) {
    const { quantity } = other
    if (quantity === null || quantity.unit !== own.unit || quantity.hedge === 'estimated') continue
    const isBeyond = direction === 'high' ? quantity.range.low > own.range.high : quantity.range.high < own.range.low
    const record = farthest?.quantity?.value ?? own.value
    if (isBeyond && (direction === 'high' ? quantity.value > record : quantity.value < record)) farthest = other
  }
  return farthest
}
