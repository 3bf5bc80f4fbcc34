import { basename, extname } from 'node:path'
import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../model/json.js'

/** The table in a JSON document: rows of objects, or lists of numbers side by side. */
export interface JsonRows {
  readonly length: number
  row(index: number): JsonObject
  /** Lists of numbers, whose places are the order of a training, so that a step column is not needed. */
  readonly hasPlaces: boolean
  /** Further lists of the training that are of another length: each counts by its own places. */
  readonly lists: readonly NumberList[]
}

interface NumberList {
  readonly name: string
  readonly values: readonly Json[]
}

export interface JsonPlace {
  readonly path: string
  /** Of a document that was cut off the lists may end at different lengths. */
  readonly cut?: boolean
}

/**
 * A list of objects, lists of equal length, or a document with exactly one member that is such a table
 * (`{"name": …, "metrics": […]}`). Lists of numbers are a training only where their names or the file's say so: a list
 * that nothing names may be anything.
 */
export function findTable(value: Json, place: JsonPlace): JsonRows | null {
  const { path } = place
  if (Array.isArray(value)) return rowsOfObjects(value) ?? listAlone(value, path)
  if (!isJsonObject(value)) return null
  const columns = columnsOf(value, place)
  if (columns !== null) return columns
  const members = Object.values(value)
  const tables = members.flatMap(member => (Array.isArray(member) ? (rowsOfObjects(member) ?? []) : []))
  const lists = numberLists(value)
  const [table = parallelLists(lists, path) ?? nestedTable(members, place), ...further] = tables
  if (table === null || further.length > 0) return null
  return tables.length === 0 ? table : { ...table, lists: lists.filter(isHistory) }
}

function nestedTable(members: readonly Json[], place: JsonPlace): JsonRows | null {
  const tables = members.flatMap(member => {
    return isJsonObject(member)
      ? (columnsOf(member, place) ?? parallelLists(numberLists(member), place.path) ?? [])
      : []
  })
  return tables.length === 1 ? (tables[0] ?? null) : null
}

function rowsOfObjects(list: readonly Json[]): JsonRows | null {
  if (!isJsonObject(list[0])) return null
  const row = (index: number): JsonObject => (isJsonObject(list[index]) ? list[index] : {})
  return { length: list.length, row, hasPlaces: false, lists: [] }
}

/** A document that is nothing but columns. */
function columnsOf(object: JsonObject, { path, cut = false }: JsonPlace): JsonRows | null {
  const columns: NumberList[] = []
  for (const [name, values] of Object.entries(object)) if (Array.isArray(values)) columns.push({ name, values })
  const [first] = columns
  if (first === undefined || columns.length < Object.keys(object).length) return null
  if (first.values.length === 0 || isJsonObject(first.values[0])) return null
  if (!cut && columns.some(({ values }) => values.length !== first.values.length)) return null
  return sideBySide(columns, isTraining(columns, path))
}

function numberLists(object: JsonObject): NumberList[] {
  return Object.entries(object).flatMap(([name, values]) =>
    Array.isArray(values) && isOfNumbers(values) ? [{ name, values }] : [],
  )
}

function isOfNumbers(list: readonly Json[]): boolean {
  return list.length > 1 && list.every(value => value === null || numberFromJson(value) !== undefined)
}

/** Lists among other members: those as long as most of them, and the further ones by themselves. */
function parallelLists(lists: readonly NumberList[], path: string): JsonRows | null {
  if (!isTraining(lists, path)) return null
  const lengths = new Map<number, number>()
  for (const { values } of lists) lengths.set(values.length, (lengths.get(values.length) ?? 0) + 1)
  const [length] = [...lengths].toSorted((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0]
  const table = sideBySide(
    lists.filter(({ values }) => values.length === length),
    true,
  )
  return { ...table, lists: lists.filter(list => list.values.length !== length && isHistory(list)) }
}

/** A document that is one list of numbers is named by its file. */
function listAlone(values: readonly Json[], path: string): JsonRows | null {
  const list = { name: stemOf(path), values }
  return isOfNumbers(values) && isHistory(list) ? sideBySide([list], true) : null
}

function sideBySide(lists: readonly NumberList[], hasPlaces: boolean): JsonRows {
  const length = lists[0]?.values.length ?? 0
  const row = (index: number): JsonObject =>
    Object.fromEntries(lists.map(({ name, values }) => [name, values[index] ?? null]))
  return { length, row, hasPlaces, lists: [] }
}

/** Shorter lists are layers, seeds or the episodes of one evaluation. */
const FEWEST_OF_A_HISTORY = 20
const TELLING =
  /(?:^|_)(?:loss|reward|return|acc|accuracy|accuracie|score|entropy|entropie|kl|lr|learning_rate|grad_norm|epsilon|perplexity|ppl|length|duration)e?s?(?:_|$)/
const OF_ANOTHER_KIND = /(?:^|_)(?:eval|evaluation|test|per|class|question|sample|feature|layer)s?(?:_|$)/
const STEMS = /(?:^|_)(?:history|log|logs|train|training|progress|curve|curves)(?:_|$)/

function plainWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s./-]+/g, '_')
}

function stemOf(path: string): string {
  return plainWords(basename(path, extname(path)))
}

function isTelling({ name }: NumberList): boolean {
  const words = plainWords(name)
  return TELLING.test(words) && !OF_ANOTHER_KIND.test(words)
}

function isHistory(list: NumberList): boolean {
  return list.values.length >= FEWEST_OF_A_HISTORY && isTelling(list)
}

/** Whether names say that lists are the course of a training: by length, by the file's name, or as train and validation. */
function isTraining(lists: readonly NumberList[], path: string): boolean {
  const stem = stemOf(path)
  const isNamed = STEMS.test(stem) && (lists.some(isTelling) || (TELLING.test(stem) && lists.length > 0))
  return isNamed || lists.some(isHistory) || isKeptPerEpoch(lists)
}

/** What Keras and others keep of an epoch: a quantity, and the same of the validation. */
function isKeptPerEpoch(lists: readonly NumberList[]): boolean {
  const lengths = new Map(lists.map(({ name, values }) => [name, values.length]))
  return lists.some(list => {
    const bare = list.name.replace(/^train(?:ing)?_/, '')
    return isTelling(list) && HELD_OUT.some(prefix => lengths.get(`${prefix}_${bare}`) === list.values.length)
  })
}

const HELD_OUT = ['val', 'valid', 'validation', 'test', 'dev', 'eval']
