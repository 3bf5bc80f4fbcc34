import type { Json } from '../../logs/model/json.js'
import { jsonNumber } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import type { RunStatus } from '../../logs/model/run.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { closestWord } from '../../logs/model/vocabulary/suggest.js'
import { compareNames } from '../../text/language.js'
import { message } from '../../text/say.js'
import { listRuns, loadRun, type RunEntry } from '../store/catalogue.js'
import { loadVocabulary } from '../store/vocabulary.js'
import { perWorkspace, type Workspace } from '../store/workspace.js'
import { type ScoreColumn, scoreColumns, scoreIn } from './run-scores.js'
import { type RunView, viewRun } from './run-view.js'

/** The table of runs: which ones fit, in which order, and what stands in their columns. */

/** Longer ones first, as they are looked for. */
export const CONDITION_OPERATORS = ['!=', '>=', '<=', '==', '=', '<', '>'] as const

export interface RunCondition {
  readonly key: string
  readonly operator: (typeof CONDITION_OPERATORS)[number]
  readonly value: string
}

interface RunFilter {
  /** What else a run must fulfil. */
  readonly isWanted?: (entry: RunEntry) => boolean
  readonly status?: RunStatus | undefined
  /** Those with all of these tags. */
  readonly tag: readonly string[]
  /** Conditions on settings, by their raw or canonical names. */
  readonly where: readonly RunCondition[]
  /** An outline such as `steps`, a metric (its last value) or a setting, raw or canonical; `-` before it reverses. */
  readonly sort: string
}

/** Groups in the order of their values; within one, runs stay in the order they have. */
export function groupedBy(runs: readonly TableRun[], key: string) {
  const groups = new Map<string, { readonly value: Value; readonly runs: TableRun[] }>()
  for (const run of runs) {
    const value = sortValue(run, key)
    const name = JSON.stringify(value ?? null)
    const group = groups.get(name) ?? { value, runs: [] }
    groups.set(name, group)
    group.runs.push(run)
  }
  const ordered = [...groups.values()].sort((a, b) => compareValues(a.value, b.value))
  return {
    runs: ordered.flatMap(group => group.runs),
    groups: ordered.map(({ value, runs: members }) => ({ value: value ?? null, runs: members.length })),
  }
}

/** The run itself is there only where a condition, a column or the answer needs it. */
export interface TableRun {
  readonly entry: RunEntry
  readonly view: RunView | null
}

interface Needs {
  readonly isWhole: boolean
  readonly columns?: readonly string[]
  readonly group?: string | undefined
}

export interface ChosenRuns {
  readonly found: readonly TableRun[]
  /** Those of the wanted status and tags, whether they fit the conditions or not. */
  readonly looked: readonly TableRun[]
  /** All there are. */
  readonly entries: readonly RunEntry[]
  /** The metrics that those found are judged by. */
  readonly scores: readonly ScoreColumn[]
  /** The metric that a name such as `score` means as a column. */
  readonly meant: (name: string) => string
  readonly damaged: readonly string[]
}

/** Names that mean what runs are judged by, whichever metric it is; a column and an order have one: that of most runs. */
const SCORE = new Set(['score', 'val.score'])

function scoreMeant(name: string, scores: readonly ScoreColumn[]): string {
  const isMeant = SCORE.has(name) && scores.every(({ metric }) => metric !== name)
  return isMeant ? (scores[0]?.metric ?? name) : name
}

export async function chosenRuns(
  workspace: Workspace,
  { status, tag, where, sort, isWanted = () => true }: RunFilter,
  { isWhole, columns = [], group }: Needs,
): Promise<ChosenRuns> {
  const { entries, byName, damaged } = await listRuns(workspace)
  const all = scoreColumns(entries)
  const meant = (name: string): string => scoreMeant(name, all)
  const conditions = where.map(condition => ({ ...condition, key: meant(condition.key) }))
  const key = sort.replace(/^-/, '')
  const isByScore = key === 'score' || all.some(({ metric }) => metric === meant(key))
  const named = [
    ...conditions.map(condition => condition.key),
    ...[...columns, ...(group === undefined ? [] : [group])].map(meant),
  ]
  const asked = isByScore ? named : [...named, key]
  const needsRun = isWhole || asked.some(name => !Object.hasOwn(OUTLINES, name))
  const words = await loadVocabulary(workspace)
  const isOutline = Object.hasOwn(OUTLINES, key)
  const looked: TableRun[] = []
  for (const entry of sort === 'name' ? byName : isOutline ? inOrder(workspace, entries, sort) : entries) {
    if (status !== undefined && entry.status !== status) continue
    if (tag.some(wanted => !entry.tags.includes(wanted))) continue
    const run = needsRun ? await loadRun(workspace, entry.id) : null
    looked.push({ entry, view: run === null ? null : viewRun(run, words) })
  }
  for (const name of asked) refuseUnknown(looked, name)
  let found: readonly TableRun[] = looked.filter(
    run => isWanted(run.entry) && conditions.every(condition => fits(run, condition)),
  )
  const scores = found.length === entries.length ? all : scoreColumns(found.map(({ entry }) => entry))
  const columnsMeant = meant(key) === key && key !== 'score' ? [{ metric: key }] : scores
  if (isByScore) found = inScoreOrder(found, columnsMeant, sort)
  else if (!isOutline) found = found.toSorted(orderBy(sort, tableValue, ({ entry }) => entry.name))
  return { found, looked, entries, scores, meant, damaged }
}

/** Those that are judged by the first metric first, then those by the second, each by their own values. */
function inScoreOrder(
  runs: readonly TableRun[],
  scores: readonly Pick<ScoreColumn, 'metric'>[],
  sort: string,
): readonly TableRun[] {
  const byColumn = groupBy(runs, ({ entry }) => scores.findIndex(({ metric }) => scoreIn(entry, metric) !== undefined))
  return [...scores.keys(), -1].flatMap(column =>
    (byColumn.get(column) ?? []).toSorted(
      orderBy(
        sort,
        ({ entry }) => scoreIn(entry, scores[column]?.metric ?? '')?.last,
        ({ entry }) => entry.name,
      ),
    ),
  )
}

/** By a key that every run's entry has. Ten thousand runs take 0.1 s to sort, so the last order is remembered until one changes. */
function inOrder(workspace: Workspace, entries: readonly RunEntry[], sort: string): readonly RunEntry[] {
  const memory = ordersOf(workspace)
  const { last } = memory
  const isSame = last?.sort === sort && last.entries.length === entries.length
  if (isSame && entries.every((entry, i) => entry === last.entries[i])) return last.ordered
  const ordered = entries.toSorted(
    orderBy(
      sort,
      (entry, key) => OUTLINES[key](entry),
      ({ name }) => name,
    ),
  )
  memory.last = { sort, entries, ordered }
  return ordered
}

interface Order {
  readonly sort: string
  readonly entries: readonly RunEntry[]
  readonly ordered: readonly RunEntry[]
}

const ordersOf = perWorkspace((): { last: Order | null } => ({ last: null }))

/** Runs with the same value by their names. */
function orderBy<Run>(
  sort: string,
  valueIn: (run: Run, key: string) => Value,
  nameOf: (run: Run) => string,
): (a: Run, b: Run) => number {
  const key = sort.replace(/^-/, '')
  const direction = sort.startsWith('-') ? -1 : 1
  return (a, b) => compareValues(valueIn(a, key), valueIn(b, key), direction) || compareNames(nameOf(a), nameOf(b))
}

/** A name that no run knows is a mistake, and an empty column would hide it. */
function refuseUnknown(runs: readonly TableRun[], name: string): void {
  if (runs.length === 0 || runs.some(run => tableValue(run, name) !== undefined || Object.hasOwn(OUTLINES, name)))
    return
  const known = runs.slice(0, MOST_ASKED_FOR_A_GUESS).flatMap(({ view }) => (view === null ? [] : namesOf(view)))
  const guess = closestWord(name, [...Object.keys(OUTLINES), ...new Set(known)])
  const hint = guess === null ? '' : message('cli.did-you-mean', { guess })
  throw new Problem('not-found', message('runs.unknown-key', { key: name, hint }))
}

const MOST_ASKED_FOR_A_GUESS = 20

function namesOf({ manifest, config, settings, meaningOf }: RunView): readonly string[] {
  const metrics = [...manifest.metrics.keys()]
  const meanings = metrics.flatMap(metric => meaningOf(metric).canonical ?? [])
  return [...metrics, ...meanings, ...Object.keys(config), ...settings.keys()]
}

type Value = Json | undefined

/** A metric's last value, a setting as it was given or as it acts, or an outline of the run. */
export function tableValue({ entry, view }: TableRun, key: string): Value {
  const found = view === null ? undefined : (metricValue(view, key) ?? settingValue(view, key))
  if (found !== undefined) return found
  const score = scoreIn(entry, key)?.last
  if (score !== undefined) return score
  const carriers = view?.metricsNamed(key) ?? []
  for (const metric of carriers) {
    const value = view === null ? undefined : metricValue(view, metric)
    if (value !== undefined) return value
  }
  return Object.hasOwn(OUTLINES, key) ? OUTLINES[key](entry) : undefined
}

function metricValue({ manifest }: RunView, metric: string): Value {
  const record = manifest.metrics.get(metric)
  return record !== undefined && record.n > 0 ? jsonNumber(record.last) : undefined
}

function settingValue({ config, settings }: RunView, key: string): Value {
  if (Object.hasOwn(config, key)) return config[key]
  const setting = settings.get(key)
  return setting === undefined ? undefined : (setting.effective ?? setting.configured ?? undefined)
}

const OUTLINES: { readonly [key: string]: (entry: RunEntry) => Value } = {
  name: entry => entry.name,
  id: entry => entry.id,
  source: entry => entry.source,
  status: entry => entry.status,
  steps: entry => entry.steps?.[1],
  metrics: entry => entry.metrics,
  points: entry => entry.points,
  started: entry => entry.startedAt ?? undefined,
  logged: entry => entry.loggedAt,
  samples: entry => entry.samples,
  note: entry => entry.note || undefined,
  duration: ({ startedAt, endedAt }) => (startedAt === null || endedAt === null ? undefined : endedAt - startedAt),
}

function sortValue(run: TableRun, key: string): Value {
  return Object.hasOwn(OUTLINES, key) ? OUTLINES[key](run.entry) : tableValue(run, key)
}

/** Numbers by size, texts as people sort them (kl-2 before kl-10), what is absent last in either direction. */
function compareValues(a: Value, b: Value, direction: 1 | -1 = 1): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (typeof a === 'number' && typeof b === 'number') return direction * (a - b)
  return direction * compareNames(String(a), String(b))
}

export function fits(run: TableRun, condition: RunCondition): boolean {
  const { operator, value: target } = condition
  const value = conditionValue(run, condition)
  if (value === undefined) return operator === '!='
  switch (operator) {
    case '<':
      return Number(value) < Number(target)
    case '<=':
      return Number(value) <= Number(target)
    case '>':
      return Number(value) > Number(target)
    case '>=':
      return Number(value) >= Number(target)
    default:
      return isSame(value, target) === (operator !== '!=')
  }
}

export function conditionValue(run: TableRun, { key }: RunCondition): Value {
  return (run.view === null ? undefined : settingValue(run.view, key)) ?? tableValue(run, key)
}

/** 1e-6 equals 0.000001, and true equals True. */
function isSame(value: Json, target: string): boolean {
  if (typeof value === 'number') return target !== '' && value === Number(target)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.toLowerCase() === target.toLowerCase()
}
