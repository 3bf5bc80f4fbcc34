import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import type { RunView } from '../analysis/run-view.js'
import { Problem } from '../model/problem.js'
import { exportPoints } from '../store/export.js'
import { message } from '../text/say.js'
import { exportTable } from './export-table.js'
import { list, otherwise, refuse, request } from './fields.js'
import { resolveAll } from './names.js'
import { question } from './question.js'

/** Points of runs in a file, for other programs. */

const FORMATS = ['csv', 'jsonl', 'parquet'] as const

export const exportRuns = question({
  request: request({
    runs: list(z.string()),
    /** The file to write; its ending decides the format where none is named. */
    output: z.string(),
    format: z.string().optional(),
    /** Raw or canonical. */
    metric: list(z.string()).optional(),
    /** A row per run and step, or per run, with a column per metric, names and settings; null: a row per point. */
    wide: z.enum(['steps', 'runs'], otherwise('export.bad-wide')).nullable().default(null),
    /** Also points that were replaced at the same step, estimates and missing cells. */
    all: z.boolean().default(false),
    /** Write over a file that is there. */
    force: z.boolean().default(false),
  }).transform(({ format, ...asked }, context) => {
    const wanted = (format ?? /\.([a-z]+)$/i.exec(asked.output)?.[1] ?? '').toLowerCase()
    const known = FORMATS.find(each => each === wanted)
    return known === undefined ? refuse(context, wanted, 'export.bad-format') : { ...asked, format: known }
  }),
  answer: z.object({
    path: z.string(),
    /** Rows, where the table is wide. */
    points: z.number(),
    runs: list(z.string()),
  }),
  async ask(workspace, { runs: names, output, format, metric, wide, all, force }, asking) {
    if (wide !== null && all) throw new Problem('bad-request', message('export.wide-all', {}))
    const runs = await resolveAll(workspace, names, asking)
    const metrics = metric === undefined ? null : rawNames(runs, metric)
    const path = await writablePath(output, force)
    if (wide !== null) {
      const points = await exportTable(workspace, runs, path, { wide, format, metrics: metric ?? null })
      return { path, points, runs: runs.map(({ manifest }) => manifest.id) }
    }
    const points = await exportPoints(workspace, runs, path, { format, metrics, all })
    return { path, points, runs: runs.map(({ manifest }) => manifest.id) }
  },
})

/** A file that can be replaced as a whole. A device would be replaced too, and /dev/null is missed by everyone. */
async function writablePath(output: string, mayReplace: boolean): Promise<string> {
  const path = resolve(output)
  const folder = await stat(dirname(path)).catch(() => null)
  if (!folder?.isDirectory()) throw new Problem('not-found', message('export.no-folder', { path: dirname(path) }))
  const there = await stat(path).catch(() => null)
  if (there === null || (there.isFile() && mayReplace)) return path
  if (there.isFile()) throw new Problem('bad-request', message('export.is-there', { path }))
  throw new Problem('bad-request', message('export.no-file', { path }))
}

function rawNames(runs: readonly RunView[], names: readonly string[]): readonly string[] {
  const found = names.flatMap(name => {
    const carriers = runs.flatMap(run => run.metricsNamed(name))
    if (carriers.length === 0) throw new Problem('not-found', message('export.no-metric', { metric: name }))
    return carriers
  })
  return [...new Set(found)]
}
