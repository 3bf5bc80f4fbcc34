import { z } from 'zod'
import { type Json, jsonNumber } from '../model/json.js'
import type { Config } from '../model/run.js'
import { listRuns, loadRun, type RunEntry } from '../store/catalogue.js'
import { type Manifest, wholeConfig } from '../store/manifest.js'
import type { Workspace } from '../store/workspace.js'
import { message } from '../text/say.js'
import { json, list, otherwise, refuse, request } from './fields.js'
import { type Asking, question } from './question.js'
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
  /** Conditions on the config, such as `seed=1`. */
  where: list(
    z.string().transform((text, context): Condition => {
      const [, key, operator, value] = /^([^=!<>]+)(!=|=|<|>)(.*)$/s.exec(text) ?? []
      if (operator !== '=' && operator !== '!=' && operator !== '<' && operator !== '>') {
        return refuse(context, text, 'runs.bad-condition')
      }
      return { key: key.trim(), operator, value: value.trim() }
    }),
  ).default([]),
  /** An outline such as `steps`, a metric (its last value) or a config key; `-` before it reverses. */
  sort: z.string().default('name'),
}

type Chosen = z.output<z.ZodObject<typeof chosen>>

export const runs = question({
  request: request(chosen),
  answer: list(runSchema),
  async ask(workspace, asked, asking) {
    const { found } = await chosenRuns(workspace, asked, { isWhole: true }, asking)
    return found.flatMap(({ manifest }) => (manifest === null ? [] : [runAnswer(manifest)]))
  },
})

const runTableAnswer = z.object({
  runs: list(entrySchema.extend({ columns: list(json) })),
  /** How many runs there are in all. */
  total: z.number(),
})

export type RunTableAnswer = z.infer<typeof runTableAnswer>

/** The outlines of runs, with some of their last values and settings as columns: quick for ten thousand of them. */
export const runTable = question({
  request: request({
    ...chosen,
    /** Metrics or config keys, comma-separated. */
    columns: z
      .string()
      .transform(text => text.split(',').map(column => column.trim()))
      .default([]),
  }),
  answer: runTableAnswer,
  async ask(workspace, asked, asking) {
    const { columns } = asked
    const { found, total } = await chosenRuns(workspace, asked, { isWhole: columns.length > 0 }, asking)
    return {
      runs: found.map(({ entry, manifest }) => ({
        ...entryAnswer(entry),
        columns: columns.map(column => (manifest === null ? null : (columnValue(manifest, column) ?? null))),
      })),
      total,
    }
  },
})

/** The manifest is there only where a condition, a column or the answer needs it. */
interface FoundRun {
  readonly entry: RunEntry
  readonly manifest: Manifest | null
}

async function chosenRuns(
  workspace: Workspace,
  { status, tag, where, sort }: Chosen,
  { isWhole }: { readonly isWhole: boolean },
  { remark }: Asking,
): Promise<{ readonly found: readonly FoundRun[]; readonly total: number }> {
  const { entries, damaged } = await listRuns(workspace)
  for (const path of damaged) remark?.(message('run.damaged', { path }))
  const key = sort.replace(/^-/, '')
  const needsManifest = isWhole || where.length > 0 || !Object.hasOwn(OUTLINES, key)
  const found: FoundRun[] = []
  for (const entry of entries) {
    if (status !== undefined && entry.status !== status) continue
    if (tag.some(wanted => !entry.tags.includes(wanted))) continue
    const manifest = needsManifest ? ((await loadRun(workspace, entry.id))?.manifest ?? null) : null
    if (manifest !== null && !where.every(condition => fits(wholeConfig(manifest), condition))) continue
    found.push({ entry, manifest })
  }
  found.sort((a, b) => compareValues(sortValue(a, key), sortValue(b, key)))
  if (sort.startsWith('-')) found.reverse()
  return { found, total: entries.length }
}

type Value = Json | undefined

/** A metric's last value, or a setting. */
function columnValue(manifest: Manifest, key: string): Value {
  const record = manifest.metrics.get(key)
  if (record !== undefined && record.n > 0) return jsonNumber(record.last)
  const config = wholeConfig(manifest)
  return Object.hasOwn(config, key) ? config[key] : undefined
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
}

function sortValue({ entry, manifest }: FoundRun, key: string): Value {
  if (Object.hasOwn(OUTLINES, key)) return OUTLINES[key](entry)
  return manifest === null ? undefined : columnValue(manifest, key)
}

const COLLATOR = new Intl.Collator('en', { numeric: true })

/** Numbers by size, texts as people sort them (kl-2 before kl-10), what is absent last. */
function compareValues(a: Value, b: Value): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return COLLATOR.compare(String(a), String(b))
}

function fits(config: Config, { key, operator, value: target }: Condition): boolean {
  const value = Object.hasOwn(config, key) ? config[key] : undefined
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
