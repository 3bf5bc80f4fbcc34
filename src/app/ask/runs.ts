import { runInNewContext } from 'node:vm'
import { z } from 'zod'
import { type ExpectedEnd, expectedEnd } from '../../core/analysis/expected-end.js'
import { whyNone } from '../../core/analysis/none-found.js'
import { scoreIn } from '../../core/analysis/run-scores.js'
import {
  CONDITION_OPERATORS,
  chosenRuns,
  groupedBy,
  type RunCondition,
  type TableRun,
  tableValue,
} from '../../core/analysis/run-table.js'
import { type RunView, viewRun } from '../../core/analysis/run-view.js'
import { listRuns, loadRun, pointCount, type RunEntry, stepRange } from '../../core/store/catalogue.js'
import { type Manifest, type MetricRecord, meanOf, shownName, wholeConfig } from '../../core/store/manifest.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import { isExpression, searchMatcher } from '../../logs/model/run-search.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { message } from '../../text/say.js'
import { figure, json, list, numberWithin, otherwise, refuse, request } from './fields.js'
import { question } from './question.js'
import { entrySchema, RUN_STATUSES, type RunAnswer, runSchema } from './run-schema.js'

export function entryAnswer({ id, name, source, status, steps, metrics, points, tags, note }: RunEntry) {
  return { id, name, source, status, steps, metrics, points, tags, note }
}

export function runAnswer(manifest: Manifest): RunAnswer {
  const { id, source, status, tags, note, about, segments, duplicateOf, evaluations, samples, lineage } = manifest
  return {
    id,
    name: shownName(manifest),
    source,
    status,
    steps: stepRange(manifest),
    metrics: manifest.metrics.size,
    points: pointCount(manifest),
    config: wholeConfig(manifest),
    tags,
    note,
    summary: Object.fromEntries([...manifest.metrics].map(([name, record]) => [name, summaryOf(record)])),
    about: { ...about },
    segments,
    duplicateOf,
    evaluations,
    samples,
    lineage,
    files: manifest.files.map(file => ({ path: file.path, source: file.source, size: file.size })),
  }
}

function summaryOf(record: MetricRecord): RunAnswer['summary'][string] {
  const { n, finite, first, last, min, minStep, max, maxStep } = record
  const value = (number: number): number | null => (n === 0 ? null : number)
  const extreme = (number: number): number | null => (finite === 0 ? null : number)
  return {
    n,
    first: value(first),
    last: value(last),
    min: extreme(min),
    minStep: extreme(minStep),
    max: extreme(max),
    maxStep: extreme(maxStep),
    mean: extreme(meanOf(record)),
  }
}

/** What runs are there? */

export const chosen = {
  status: z.enum(RUN_STATUSES, otherwise('runs.bad-status')).optional(),
  /** Those with all of these tags. */
  tag: list(z.string()).default([]),
  /** Conditions on settings, by their raw or canonical names, such as `seed=1` and `kl.loss.coef>=0.1`. */
  where: list(
    z.string().transform((text, context): RunCondition => {
      const [, key = '', rest = ''] = /^([^=!<>]+)(.+)$/s.exec(text) ?? []
      const operator = CONDITION_OPERATORS.find(sign => rest.startsWith(sign))
      if (operator === undefined) return refuse(context, text, 'runs.bad-condition')
      return { key: key.trim(), operator, value: rest.slice(operator.length).trim() }
    }),
  ).default([]),
  /** Words, patterns with `*` and `?`, or regular expressions; all must fit its name, id, source, status, tags or note. */
  search: z.string().default(''),
  /** An outline such as `steps`, a metric (its last value) or a setting, raw or canonical; `-` before it reverses. */
  sort: z.string().default('name'),
}

export const runs = question({
  request: request(chosen),
  answer: list(runSchema),
  async ask(workspace, asked, asking) {
    const isWanted = await searched(workspace, asked.search)
    const chosen = await chosenRuns(workspace, { ...asked, isWanted }, { isWhole: true })
    for (const path of chosen.damaged) asking.remark?.(message('run.damaged', { path }))
    for (const reason of whyNone(chosen, { ...asked, isWanted })) asking.remark?.(reason)
    const views = chosen.found.flatMap(({ view }) => view ?? [])
    return encode(
      views.map(({ manifest }) => runAnswer(manifest)),
      asked.lang,
    )
  },
})

const runTableSchema = z.object({
  /** The folder that was read: it is looked for in the folders above, too. */
  workspace: z.string(),
  runs: list(
    entrySchema.extend({
      /** The last value of what it is judged by, else of the training reward. */
      score: z.object({ metric: z.string(), last: figure }).nullable(),
      /** A value for each of the answer's scores; null where the run is not judged by that metric. */
      scores: list(figure.nullable()),
      /** The best of each so far; null where it has no direction either. */
      best: list(figure.nullable()),
      samples: z.number(),
      /** When its log was last written, else when it was imported. */
      loggedAt: z.number(),
      /** Of a run that goes on: the step and the time at which it is expected to end. */
      planned: z.number().nullable(),
      endsAt: z.number().nullable(),
      /** Unix seconds. */
      startedAt: z.number().nullable(),
      endedAt: z.number().nullable(),
      columns: list(json),
    }),
  ),
  /** The metrics that the runs which fit are judged by, that of most runs first: a column each. */
  scores: list(z.object({ metric: z.string(), runs: z.number() })),
  /** Further metrics of that kind, for which there is no room. */
  moreScores: list(z.string()),
  /** How many runs fit; of them only a page may have been asked for. */
  found: z.number(),
  /** How many runs there are in all. */
  total: z.number(),
  /** Where they were to be grouped: of each group its value and how many runs, in the order of the runs. */
  groups: list(z.object({ value: json, runs: z.number() })).nullable(),
  /** Where no run fits: why, and what there is. */
  none: list(sentence),
  /** Of each run that cannot be read, and so is not among them, why. */
  unread: list(sentence),
})

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
    /** A setting, a metric or an outline by which runs stand together. */
    group: z.string().optional(),
    /** A page: so many runs from this one on. All of them unless given. */
    from: numberWithin({ above: -1, whole: true }),
    most: numberWithin({ above: 0, whole: true }),
    /** So many columns of scores. */
    mostScores: numberWithin({ above: 0, whole: true }),
  }),
  answer: encoded(runTableSchema),
  async ask(workspace, asked, asking) {
    const { columns, ids, search, group, from, most } = asked
    const fitsSearch = await searched(workspace, search)
    const isWanted = (entry: RunEntry): boolean => (ids?.includes(entry.id) ?? true) && fitsSearch(entry)
    const chosen = await chosenRuns(workspace, { ...asked, isWanted }, { isWhole: false, columns, group })
    const { found, entries, meant, damaged } = chosen
    const unread = damaged.map(path => message('run.damaged', { path }))
    for (const each of unread) asking.remark?.(each)
    const grouped = group === undefined ? null : groupedBy(found, meant(group))
    const page = (grouped?.runs ?? found).slice(from ?? 0, most === null ? undefined : (from ?? 0) + most)
    const shown = chosen.scores.slice(0, asked.mostScores ?? MOST_SCORES)
    const ends = await expectedEnds(workspace, page)
    return {
      workspace: workspace.root,
      // Added to and not spread: copies of ten thousand rows take as long as to read them.
      runs: page.map(run => {
        const { startedAt, endedAt, samples, loggedAt } = run.entry
        const scores = shown.map(({ metric }) => scoreIn(run.entry, metric))
        const more = {
          score: scoreAnswer(run.entry),
          scores: scores.map(score => score?.last ?? null),
          best: scores.map(score => score?.best ?? null),
          ...{ samples, loggedAt, startedAt, endedAt },
          columns: columns.map(column => encode(tableValue(run, meant(column)) ?? null, asked.lang)),
        }
        return Object.assign(entryAnswer(run.entry), more, ends.get(run.entry.id) ?? UNKNOWN_END)
      }),
      scores: shown,
      moreScores: chosen.scores.slice(shown.length).map(({ metric }) => metric),
      found: found.length,
      total: entries.length,
      groups: grouped?.groups ?? null,
      none: encode(whyNone(chosen, { ...asked, isWanted }), asked.lang),
      unread: encode(unread, asked.lang),
    }
  },
})

export type RunTableAnswer = z.infer<typeof runTable.answer>

/** Columns beyond are asked for by name. */
const MOST_SCORES = 3

function scoreAnswer({ scores: [first] }: RunEntry): z.infer<typeof runTableSchema>['runs'][number]['score'] {
  return first === undefined ? null : { metric: first.metric, last: first.last }
}

const UNKNOWN_END = { planned: null, endsAt: null }

/** More runs that go on at once are on the next page. */
const MOST_EXPECTED = 40

async function expectedEnds(
  workspace: Workspace,
  page: readonly TableRun[],
): Promise<ReadonlyMap<string, ExpectedEnd>> {
  const ends = new Map<string, ExpectedEnd>()
  const running = page.filter(({ entry }) => entry.status === 'running').slice(0, MOST_EXPECTED)
  for (const { entry, view } of running) {
    const run = view ?? (await viewNamed(workspace, entry.id))
    // Data that cannot be read is said where it is asked for.
    const end = run === null ? null : await expectedEnd(run).catch(() => null)
    if (end !== null) ends.set(entry.id, end)
  }
  return ends
}

async function viewNamed(workspace: Workspace, id: string): Promise<RunView | null> {
  const run = await loadRun(workspace, id)
  return run === null ? null : viewRun(run, await loadVocabulary(workspace))
}

const LONGEST_SEARCH_MS = 500

/** Whether a run fits what was typed. Some regular expressions take longer than a server can wait for, and are refused. */
export async function searched(workspace: Workspace, search: string): Promise<(entry: RunEntry) => boolean> {
  const fits = searchMatcher(search)
  if (!isExpression(search)) return fits
  const { entries } = await listRuns(workspace)
  const tryAll = (): void => entries.forEach(fits)
  try {
    runInNewContext('tryAll()', { tryAll }, { timeout: LONGEST_SEARCH_MS })
    return fits
  } catch {
    throw new Problem('bad-request', message('runs.endless-search', {}))
  }
}
