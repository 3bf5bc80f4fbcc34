import { z } from 'zod'
import { chosenRuns, groupedBy, type RunCondition, valueAt } from '../analysis/run-table.js'
import { searchMatcher } from '../model/run-search.js'
import { message } from '../text/say.js'
import { render } from '../text/sentences.js'
import { figure, json, list, numberWithin, otherwise, refuse, request } from './fields.js'
import { question } from './question.js'
import { entryAnswer, entrySchema, RUN_STATUSES, runAnswer, runSchema } from './run.js'

/** What runs are there? */

const chosen = {
  status: z.enum(RUN_STATUSES, otherwise('runs.bad-status')).optional(),
  /** Those with all of these tags. */
  tag: list(z.string()).default([]),
  /** Conditions on settings, by their raw or canonical names, such as `seed=1` and `kl.loss.coef>0`. */
  where: list(
    z.string().transform((text, context): RunCondition => {
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
