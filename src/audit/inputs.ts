import { readFile, stat } from 'node:fs/promises'
import type { RunView } from '../core/analysis/run-view.js'
import { readEvaluations } from '../core/store/evaluations.js'
import { shownName } from '../core/store/manifest.js'
import { readSeries } from '../core/store/series.js'
import { evaluatedName } from '../logs/model/evaluation.js'
import { Problem } from '../logs/model/problem.js'
import { groupBy } from '../logs/model/util/group-by.js'
import { decodeText } from '../logs/sources/encoding.js'
import { message } from '../text/say.js'
import type { LoggedSeries } from './trace/log.js'

/** What an audit reads: the report as it is written, and what was logged by the runs that it is about. */

/** A report of this size takes about 0.7 GB to read as a document; ten times that does not fit into a process. */
const MOST_MEGABYTES = 20

export async function readReport(path: string): Promise<string> {
  try {
    const file = await stat(path)
    // /dev/zero has no end.
    if (file.isCharacterDevice() || file.isBlockDevice()) {
      throw new Problem('unreadable', message('audit.binary', { path }))
    }
    if (file.size > MOST_MEGABYTES * 1e6) {
      throw new Problem('unreadable', message('audit.too-large', { path, limit: MOST_MEGABYTES }))
    }
    const bytes = await readFile(path)
    const text = decodeText(bytes)
    if (text.slice(0, 8192).includes('\0')) throw new Problem('unreadable', message('audit.binary', { path }))
    return isMarked(bytes) ? `\ufeff${text}` : text
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Problem('not-found', message('audit.no-file', { path }))
    }
    const reason = error instanceof Error ? error.message.replace(/:.*/s, '') : String(error)
    throw new Problem('unreadable', message('audit.unreadable', { path, reason }))
  }
}

/** A patch must have the mark too. */
function isMarked([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf
}

/** Without a mark, lines ending as klens counts them. */
export function normalised(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
}

/** Every series of the runs, and the numbers of their configs. */
export async function readLoggedSeries(runs: readonly RunView[]) {
  const series: LoggedSeries[] = []
  for (const run of runs) series.push(...(await seriesOf(run)))
  return { series, settings: runs.flatMap(settingsIn) }
}

async function seriesOf(run: RunView): Promise<LoggedSeries[]> {
  const all = [...(await readSeries(run, [...run.manifest.metrics.keys()])), ...(await evaluatedSeries(run))]
  return all.map(([metric, { steps, values }]) => {
    const { canonical, goal, validation } = run.meaningOf(metric)
    const file = run.manifest.files[0]?.path ?? null
    return {
      run: shownName(run.manifest),
      metric,
      canonical,
      goal,
      isValidation: validation,
      file,
      steps: Array.from(steps),
      values: Array.from(values),
    }
  })
}

/** What was measured prompt by prompt and stands in no log: the means, step by step. */
async function evaluatedSeries(run: RunView) {
  const evaluations = run.manifest.evaluations > 0 ? await readEvaluations(run) : []
  const measured = evaluations.filter(({ quality }) => quality === 'measured').toSorted((a, b) => a.step - b.step)
  return [...groupBy(measured, evaluatedName)]
    .filter(([name]) => !run.manifest.metrics.has(name))
    .map(
      ([name, all]) => [name, { steps: all.map(({ step }) => step), values: all.map(({ value }) => value) }] as const,
    )
}

/** The numbers of its config. */
function settingsIn({ manifest, config, settings }: RunView): LoggedSeries[] {
  const names = new Map([...settings.values()].map(({ key, rawKey }) => [rawKey, key]))
  const numbers = Object.entries(config).flatMap(([key, value]) => (typeof value === 'number' ? [{ key, value }] : []))
  const run = shownName(manifest)
  return numbers.map(({ key, value }) => {
    const canonical = names.get(key) ?? null
    return { run, metric: key, canonical, goal: null, isValidation: false, file: null, steps: [0], values: [value] }
  })
}
