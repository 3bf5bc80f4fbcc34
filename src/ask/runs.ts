import { z } from 'zod'
import { type RunView, viewRun } from '../analysis/run-view.js'
import { type Json, jsonNumber } from '../model/json.js'
import { Problem } from '../model/problem.js'
import { searchMatcher } from '../model/run-search.js'
import { closestWord } from '../model/vocabulary/suggest.js'
import { listRuns, loadRun, type RunEntry } from '../store/catalogue.js'
import { loadVocabulary } from '../store/vocabulary.js'
import { perWorkspace, type Workspace } from '../store/workspace.js'
import { message } from '../text/say.js'
import { render } from '../text/sentences.js'
import { figure, json, list, numberWithin, otherwise, refuse, request } from './fields.js'
import { question } from './question.js'
import { entryAnswer, entrySchema, RUN_STATUSES, runAnswer, runSchema } from './run.js'

/** What runs are there? */

interface Condition {
  readonly key: string
  readonly operator: '=' | '!=' | '<' | '>'
  readonly value: string
}

const chosen = {
  status: z.enum(RUN_STATUSES, otherwise('runs.bad-status')).optional(),
  /** Those with all of these tags. */
  tag: list(z.string()).default([]),
  /** Conditions on settings, by their raw or canonical names, such as `seed=1` and `kl.loss.coef>0`. */
  where: list(
    z.string().transform((text, context): Condition => {
      const [, key, operator, value] = /^([^=!<>]+)(!=|=|<|>)(.*)$/s.exec(text) ?? []
      if (operator !== '=' && operator !== '!=' && operator !== '<' && operator !== '>') {
        return refuse(context, text, 'runs.bad-condition')
      }
      return { key: key.trim(), operator, value: value.trim() }
    }),
  ).default([]),
  /** An outline such as `steps`, a metric (its last value) or a setting, raw or canonical; `-` before it reverses. */
  sort: z.string().default('name'),
}

type Chosen = z.output<z.ZodObject<typeof chosen>>

export const runs = question({
  request: request(chosen),
  answer: list(runSchema),
  async ask(workspace, asked, asking) {
    const { found, damaged } = await chosenRuns(workspace, asked, { isWhole: true })
    for (const path of damaged) asking.remark?.(message('run.damaged', { path }))
    return found.flatMap(({ view }) => (view === null ? [] : [runAnswer(view.manifest)]))
  },
})

const runTableAnswer = z.object({
  /** The folder that was read: it is looked for in the folders above, too. */
  workspace: z.string(),
  runs: list(
    entrySchema.extend({
      /** The last validation score, else the last training reward. */
      score: z.object({ metric: z.string(), last: figure }).nullable(),
      /** Unix seconds. */
      startedAt: z.number().nullable(),
      endedAt: z.number().nullable(),
      columns: list(json),
    }),
  ),
  /** How many runs fit; of them only a page may have been asked for. */
  found: z.number(),
  /** How many runs there are in all. */
  total: z.number(),
  /** Where they were to be grouped: of each group its value and how many runs, in the order of the runs. */
  groups: list(z.object({ value: json, runs: z.number() })).nullable(),
  /** Of each run that cannot be read, and so is not among them, why. */
  unread: list(z.string()),
})

export type RunTableAnswer = z.infer<typeof runTableAnswer>

/** The outlines of runs, with some of their last values and settings as columns: quick for ten thousand of them. */
export const runTable = question({
  request: request({
    ...chosen,
    /** Metrics or settings, raw or canonical, comma-separated. */
    columns: z
      .string()
      .transform(text => text.split(',').map(column => column.trim()))
      .default([]),
    /** Only these. */
    ids: list(z.string()).optional(),
    /** Words that must all stand in its name, id, source, status or tags. */
    search: z.string().default(''),
    /** A setting, a metric or an outline by which runs stand together. */
    group: z.string().optional(),
    /** A page: so many runs from this one on. All of them unless given. */
    from: numberWithin({ above: -1, whole: true }),
    most: numberWithin({ above: 0, whole: true }),
  }),
  answer: runTableAnswer,
  async ask(workspace, asked, asking) {
    const { columns, ids, search, group, from, most } = asked
    const { found: fitting, total, damaged } = await chosenRuns(workspace, asked, { isWhole: false, columns, group })
    const unread = damaged.map(path => message('run.damaged', { path }))
    for (const sentence of unread) asking.remark?.(sentence)
    const isWanted = searchMatcher(search)
    const found = fitting.filter(({ entry }) => (ids?.includes(entry.id) ?? true) && isWanted(entry))
    const grouped = group === undefined ? null : groupedBy(found, group)
    const page = (grouped?.runs ?? found).slice(from ?? 0, most === null ? undefined : (from ?? 0) + most)
    return {
      workspace: workspace.root,
      runs: page.map(run => ({
        ...entryAnswer(run.entry),
        score: run.entry.score,
        startedAt: run.entry.startedAt,
        endedAt: run.entry.endedAt,
        columns: columns.map(column => valueAt(run, column) ?? null),
      })),
      found: found.length,
      total,
      groups: grouped?.groups ?? null,
      unread: unread.map(sentence => render(sentence, asked.lang)),
    }
  },
})

/** Groups in the order of their values; within one, runs stay in the order they have. */
function groupedBy(runs: readonly FoundRun[], key: string) {
  const groups = new Map<string, { readonly value: Value; readonly runs: FoundRun[] }>()
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
interface FoundRun {
  readonly entry: RunEntry
  readonly view: RunView | null
}

interface Needs {
  readonly isWhole: boolean
  readonly columns?: readonly string[]
  readonly group?: string | undefined
}

async function chosenRuns(
  workspace: Workspace,
  { status, tag, where, sort }: Chosen,
  { isWhole, columns = [], group }: Needs,
): Promise<{ readonly found: readonly FoundRun[]; readonly total: number; readonly damaged: readonly string[] }> {
  const { entries, damaged } = await listRuns(workspace)
  const key = sort.replace(/^-/, '')
  const asked = [...where.map(condition => condition.key), ...columns, ...(group === undefined ? [] : [group]), key]
  const needsRun = isWhole || asked.some(name => !Object.hasOwn(OUTLINES, name))
  const words = await loadVocabulary(workspace)
  const isOutline = Object.hasOwn(OUTLINES, key)
  const looked: FoundRun[] = []
  for (const entry of isOutline ? inOrder(workspace, entries, sort) : entries) {
    if (status !== undefined && entry.status !== status) continue
    if (tag.some(wanted => !entry.tags.includes(wanted))) continue
    const run = needsRun ? await loadRun(workspace, entry.id) : null
    looked.push({ entry, view: run === null ? null : viewRun(run, words) })
  }
  for (const name of asked) refuseUnknown(looked, name)
  const found = looked.filter(run => where.every(condition => fits(run, condition)))
  if (!isOutline) found.sort(orderBy(sort, valueAt, ({ entry }) => entry.name))
  return { found, total: entries.length, damaged }
}

/** By a key that every run's entry has. Ten thousand names take 0.1 s to sort, so the last order is remembered until a run changes. */
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
  return (a, b) => compareValues(valueIn(a, key), valueIn(b, key), direction) || COLLATOR.compare(nameOf(a), nameOf(b))
}

/** A name that no run knows is a mistake, and an empty column would hide it. */
function refuseUnknown(runs: readonly FoundRun[], name: string): void {
  if (runs.length === 0 || runs.some(run => valueAt(run, name) !== undefined || Object.hasOwn(OUTLINES, name))) return
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
function valueAt({ entry, view }: FoundRun, key: string): Value {
  const found = view === null ? undefined : (metricValue(view, key) ?? settingValue(view, key))
  if (found !== undefined) return found
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
  score: entry => entry.score?.last,
  metrics: entry => entry.metrics,
  points: entry => entry.points,
  started: entry => entry.startedAt ?? undefined,
  duration: ({ startedAt, endedAt }) => (startedAt === null || endedAt === null ? undefined : endedAt - startedAt),
}

function sortValue(run: FoundRun, key: string): Value {
  return Object.hasOwn(OUTLINES, key) ? OUTLINES[key](run.entry) : valueAt(run, key)
}

const COLLATOR = new Intl.Collator('en', { numeric: true })

/** Numbers by size, texts as people sort them (kl-2 before kl-10), what is absent last in either direction. */
function compareValues(a: Value, b: Value, direction: 1 | -1 = 1): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (typeof a === 'number' && typeof b === 'number') return direction * (a - b)
  return direction * COLLATOR.compare(String(a), String(b))
}

function fits(run: FoundRun, { key, operator, value: target }: Condition): boolean {
  const value = (run.view === null ? undefined : settingValue(run.view, key)) ?? valueAt(run, key)
  if (value === undefined) return operator === '!='
  if (operator === '<') return Number(value) < Number(target)
  if (operator === '>') return Number(value) > Number(target)
  return isSame(value, target) === (operator === '=')
}

/** 1e-6 equals 0.000001, and true equals True. */
function isSame(value: Json, target: string): boolean {
  if (typeof value === 'number') return target !== '' && value === Number(target)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.toLowerCase() === target.toLowerCase()
}
