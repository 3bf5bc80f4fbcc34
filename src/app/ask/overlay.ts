import { z } from 'zod'
import { confounds } from '../../core/analysis/confounds.js'
import { differingSettings } from '../../core/analysis/differing-settings.js'
import { whyNone } from '../../core/analysis/none-found.js'
import { chosenRuns, type TableRun, tableValue } from '../../core/analysis/run-table.js'
import { type RunView, viewRun } from '../../core/analysis/run-view.js'
import { loadRun, type RunEntry } from '../../core/store/catalogue.js'
import { keptView, readView, writeView } from '../../core/store/panels-file.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import type { Workspace } from '../../core/store/workspace.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { json, list, numberWithin, request } from './fields.js'
import { question } from './question.js'
import { chosen, searched } from './runs.js'

/**
 * Any runs over each other: which ones fit, which of them are drawn, what those log and in which settings they differ, so
 * that a page can draw their curves with one question more. How the page was left goes along.
 */

/** Listed to be ticked, and drawn while nothing is. */
const LISTED = 100
const DRAWN = 20
const MOST_DRAWN = 200

const overlayAnswer = z.object({
  /** Those that fit, the first of them. */
  runs: list(z.object({ id: z.string(), name: z.string(), status: z.string() })),
  found: z.number(),
  total: z.number(),
  /** In the order of their groups; `value` is what they are grouped by. */
  drawn: list(z.object({ id: z.string(), name: z.string(), value: json })),
  /** What those log more than once, by its meaning where every run has one series of it. */
  metrics: list(z.object({ metric: z.string(), canonical: z.string().nullable(), runs: z.number() })),
  /** Settings in which they differ and how many values each has, those of the method first. */
  settings: list(z.object({ key: z.string(), values: z.number() })),
  kept: keptView,
  none: list(sentence),
})

export const overlay = question({
  request: request({
    ...chosen,
    sort: z.string().default('-started'),
    search: z.string().default(''),
    group: z.string().optional(),
    /** Drawn whether they fit or not; without any, the first that fit. */
    ids: list(z.string()).default([]),
    draw: numberWithin({ above: 0, below: MOST_DRAWN + 1, whole: true }),
  }),
  answer: encoded(overlayAnswer),
  async ask(workspace, asked) {
    const { ids, group } = asked
    const isWanted = await searched(workspace, asked.search)
    const fitting = await chosenRuns(workspace, { ...asked, isWanted }, { isWhole: false, group })
    const { found, entries, meant } = fitting
    const drawn = await viewed(
      workspace,
      ids.length > 0
        ? entries.filter(({ id }) => ids.includes(id))
        : found.slice(0, asked.draw ?? DRAWN).map(({ entry }) => entry),
    )
    const views = drawn.map(({ view }) => view)
    const answer: z.infer<typeof overlayAnswer> = {
      runs: found.slice(0, LISTED).map(({ entry: { id, name, status } }) => ({ id, name, status })),
      found: found.length,
      total: entries.length,
      drawn: drawn.map(run => ({
        id: run.entry.id,
        name: run.entry.name,
        value: group === undefined ? null : (tableValue(run, meant(group)) ?? null),
      })),
      metrics: metricsOf(views),
      settings: views.length < 2 ? [] : settingsOf(views),
      kept: await readView(workspace),
      none: whyNone(fitting, { ...asked, isWanted }),
    }
    return encode(answer, asked.lang)
  },
})

async function viewed(workspace: Workspace, entries: readonly RunEntry[]) {
  const words = await loadVocabulary(workspace)
  const runs = await Promise.all(
    entries.map(async (entry): Promise<readonly (TableRun & { readonly view: RunView })[]> => {
      const run = await loadRun(workspace, entry.id)
      return run === null ? [] : [{ entry, view: viewRun(run, words) }]
    }),
  )
  return runs.flat()
}

/**
 * A meaning that some run has two series of is asked for by their own names: two validation sets are two panels. So is one that
 * a run has another series for: `val.score` is what it is judged by.
 */
function metricsOf(views: readonly RunView[]): z.infer<typeof overlayAnswer>['metrics'] {
  const logged = views.map(({ manifest, meaningOf, metricsNamed }) =>
    [...manifest.metrics].flatMap(([metric, { n }]) => {
      const { canonical } = meaningOf(metric)
      return n > 1 ? [{ metric, canonical, isFirst: canonical === null || metricsNamed(canonical)[0] === metric }] : []
    }),
  )
  const several = new Set(
    logged.flatMap(series => {
      return series.flatMap(({ canonical, isFirst }) => (isFirst || canonical === null ? [] : [canonical]))
    }),
  )
  const counted = new Map<string, { metric: string; canonical: string | null; runs: number }>()
  for (const { metric, canonical } of logged.flat()) {
    const name = canonical === null || several.has(canonical) ? metric : canonical
    counted.set(name, { metric: name, canonical, runs: (counted.get(name)?.runs ?? 0) + 1 })
  }
  return [...counted.values()]
}

function settingsOf(views: readonly RunView[]): z.infer<typeof overlayAnswer>['settings'] {
  const { turned, beside } = differingSettings(confounds(views))
  return [...turned, ...beside].map(({ key, values }) => ({
    key,
    values: new Set(values.map(value => JSON.stringify(value))).size,
  }))
}

export const keepPanels = question({
  request: request(keptView.shape),
  answer: keptView,
  async ask(workspace, asked) {
    const view = keptView.parse(asked)
    await writeView(workspace, view)
    return view
  },
})
