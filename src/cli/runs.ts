import type { Command } from 'commander'
import type { Json } from '../model/json.js'
import type { RunStatus } from '../model/run.js'
import { listRuns, loadRun, type RunEntry } from '../store/catalogue.js'
import { type Manifest, wholeConfig } from '../store/manifest.js'
import { findWorkspace } from '../store/workspace.js'
import { type Context, collect, UserError, verb } from './context.js'
import { alignTable, count, printable, shortNumber, shortStep } from './print/style.js'
import { runJson } from './run-json.js'

interface Options {
  readonly json?: boolean
  readonly status?: string
  readonly tag?: readonly string[]
  readonly where?: readonly string[]
  readonly sort?: string
  readonly columns?: string
}

export function runsVerb(context: Context): Command {
  return verb('runs', context.say('runs.about', {}), context)
    .option('--status <status>', context.say('runs.option.status', {}))
    .option('--tag <tag>', context.say('runs.option.tag', {}), collect)
    .option('--where <condition>', context.say('runs.option.where', {}), collect)
    .option('--sort <key>', context.say('runs.option.sort', {}))
    .option('--columns <keys>', context.say('runs.option.columns', {}))
    .action((options: Options) => listRunsFor(context, options))
}

/** A run in the list; the manifest is there only when a filter, a column or JSON needs it. */
interface Listed {
  readonly entry: RunEntry
  readonly manifest: Manifest | null
}

async function listRunsFor(context: Context, options: Options): Promise<void> {
  const conditions = (options.where ?? []).map(text => parseCondition(context, text))
  const columns = options.columns?.split(',').map(column => column.trim()) ?? []
  const sortKey = options.sort?.replace(/^-/, '') ?? 'name'
  checkStatus(context, options.status)

  const workspace = await findWorkspace()
  if (workspace === null) {
    if (options.json) context.printJson([])
    else context.remark(context.say('run.none', {}))
    return
  }
  const { entries, damaged } = await listRuns(workspace)
  for (const path of damaged) context.remark(context.say('run.damaged', { path: printable(path, 300) }))

  const whole = options.json || conditions.length > 0 || columns.length > 0 || !(sortKey in ENTRY_KEYS)
  const listed: Listed[] = []
  for (const entry of entries) {
    if (options.status !== undefined && entry.status !== options.status) continue
    if (options.tag?.some(tag => !entry.tags.includes(tag))) continue
    const manifest = whole ? ((await loadRun(workspace, entry.id))?.manifest ?? null) : null
    if (manifest !== null && !conditions.every(fits => fits(wholeConfig(manifest)))) continue
    listed.push({ entry, manifest })
  }
  listed.sort((a, b) => compareValues(sortValue(a, sortKey), sortValue(b, sortKey)))
  if (options.sort?.startsWith('-')) listed.reverse()

  if (options.json) context.printJson(listed.flatMap(({ manifest }) => (manifest ? [runJson(manifest)] : [])))
  else if (entries.length === 0) context.remark(context.say('run.none', {}))
  else if (listed.length === 0) context.remark(context.say('runs.none-fit', { count: entries.length }))
  else printRuns(context, listed, columns)
}

function printRuns(context: Context, listed: readonly Listed[], columns: readonly string[]): void {
  const { paint } = context
  const header = (['id', 'name', 'source', 'status', 'steps', 'metrics', 'points', 'tags'] as const).map(column =>
    context.say(`runs.column.${column}`, {}),
  )
  const statusTexts = new Map(STATUSES.map(status => [status, context.say(`status.${status}`, {})]))
  const tagged = listed.some(({ entry }) => entry.tags.length > 0)
  const rows = listed.map(({ entry, manifest }) => [
    entry.id,
    printable(entry.name, 48),
    entry.source,
    statusTexts.get(entry.status) ?? entry.status,
    entry.steps === null ? '–' : `${shortStep(entry.steps[0])}–${shortStep(entry.steps[1])}`,
    count(entry.metrics),
    count(entry.points),
    ...(tagged ? [printable(entry.tags.join(', '), 40)] : []),
    ...columns.map(column => cellText(manifest === null ? undefined : columnValue(manifest, column))),
  ])
  const head = [...header.slice(0, tagged ? 8 : 7), ...columns.map(column => printable(column, 40))]
  const right = new Set([5, 6, ...columns.map((_, i) => (tagged ? 8 : 7) + i)])
  const [headLine, ...lines] = alignTable([head, ...rows], right)
  context.print([paint('dim', headLine), ...lines].join('\n'))
}

type Value = Json | undefined

/** A column is a metric's last value or a config key. */
function columnValue(manifest: Manifest, key: string): Value {
  const record = manifest.metrics.get(key)
  if (record !== undefined && record.n > 0) return record.last
  const config = wholeConfig(manifest)
  return Object.hasOwn(config, key) ? config[key] : undefined
}

function cellText(value: Value): string {
  if (value === undefined) return '–'
  if (typeof value === 'number') return shortNumber(value)
  return printable(typeof value === 'string' ? value : JSON.stringify(value), 32)
}

const ENTRY_KEYS: { readonly [key: string]: (entry: RunEntry) => Value } = {
  name: entry => entry.name,
  id: entry => entry.id,
  source: entry => entry.source,
  status: entry => entry.status,
  steps: entry => entry.steps?.[1],
  metrics: entry => entry.metrics,
  points: entry => entry.points,
  started: entry => entry.startedAt ?? undefined,
}

function sortValue({ entry, manifest }: Listed, key: string): Value {
  if (Object.hasOwn(ENTRY_KEYS, key)) return ENTRY_KEYS[key](entry)
  return manifest === null ? undefined : columnValue(manifest, key)
}

const COLLATOR = new Intl.Collator('en', { numeric: true })

/** Numbers by size, texts as people sort them (kl-2 before kl-10), what is absent last. */
function compareValues(a: Value, b: Value): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return COLLATOR.compare(String(a), String(b))
}

type Condition = (config: { readonly [key: string]: Json }) => boolean

function parseCondition(context: Context, text: string): Condition {
  const [, key, operator, wanted] = /^([^=!<>]+)(!=|=|<|>)(.*)$/s.exec(text) ?? []
  if (key === undefined) throw new UserError(context.say('runs.bad-condition', { value: printable(text) }))
  const name = key.trim()
  const target = wanted.trim()
  return config => {
    const value = Object.hasOwn(config, name) ? config[name] : undefined
    if (value === undefined) return operator === '!='
    if (operator === '<') return Number(value) < Number(target)
    if (operator === '>') return Number(value) > Number(target)
    return sameValue(value, target) === (operator === '=')
  }
}

/** 1e-6 equals 0.000001, and true equals True. */
function sameValue(value: Json, target: string): boolean {
  if (typeof value === 'number') return target !== '' && value === Number(target)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.toLowerCase() === target.toLowerCase()
}

const STATUSES: readonly RunStatus[] = ['running', 'finished', 'failed', 'killed', 'unknown']

function checkStatus(context: Context, status: string | undefined): void {
  if (status !== undefined && !STATUSES.some(known => known === status)) {
    throw new UserError(context.say('runs.bad-status', { value: printable(status) }))
  }
}
