import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { resolveAll } from '../src/app/ask/names.js'
import { readLoggedSeries } from '../src/audit/inputs.js'
import type { LoggedRuns } from '../src/audit/trace/log.js'
import { type TracedFigure, traceFigures } from '../src/audit/trace/trace.js'
import { workspaceAt } from '../src/core/store/workspace.js'
import { readDocument } from '../src/logs/document/document.js'
import type { Benchmark, Figures } from './benchmark.js'

/**
 * How well reports are traced whose every figure is known. KLENS_TRACED names folders (`:` between two) of reports: of each
 * `NAME.json` with the runs (`data`), the figures of `NAME.md` (`clean`) and of `NAME.changed.md` (`changed`), each with its
 * line, column, text, kind and, in the second, whether it was changed.
 */
export const tracedFigures: Benchmark = {
  name: 'traced-figures',
  about: 'how many figures of reports are traced, accused and found (folders KLENS_TRACED)',
  async run() {
    const folders = (process.env.KLENS_TRACED ?? '').split(':').filter(folder => folder !== '')
    const reports = await readReports(folders)
    const rows = reports.map(report => ({ report, counts: countsOf(report) }))
    const total = rows.reduce((sum, { counts }) => plus(sum, counts), NONE)
    return [
      {
        title: 'figures of reports',
        rows: [...rows.map(({ report, counts }) => shown(report.name, counts)), shown('all', total)],
      },
    ]
  },
}

const figure = z.object({
  line: z.number(),
  column: z.number(),
  text: z.string(),
  kind: z.enum(['prose', 'table']),
  what: z.string(),
  changed: z.boolean(),
})
const known = z.object({
  name: z.string(),
  data: z.array(z.string()),
  clean: z.array(figure),
  changed: z.array(figure),
})

export type KnownFigure = z.infer<typeof figure>

export interface KnownReport {
  readonly name: string
  readonly logged: LoggedRuns
  readonly texts: readonly (readonly [text: string, figures: readonly KnownFigure[]])[]
}

export async function readReports(folders: readonly string[]): Promise<readonly KnownReport[]> {
  const workspace = workspaceAt(join(mkdtempSync(join(tmpdir(), 'klens-traced-')), '.klens'))
  const reports: KnownReport[] = []
  for (const folder of folders)
    for (const file of readdirSync(folder).filter(name => name.endsWith('.json'))) {
      const { name, data, clean, changed } = known.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))
      const logged = await readLoggedSeries(await resolveAll(workspace, data, {}))
      const read = (suffix: string): string => readFileSync(join(folder, `${name}${suffix}.md`), 'utf8')
      reports.push({
        name,
        logged,
        texts: [
          [read(''), clean],
          [read('.changed'), changed],
        ],
      })
    }
  await workspace.close()
  return reports
}

export interface TraceCounts {
  readonly [what: string]: number
}

const NONE: TraceCounts = {}

export function plus(a: TraceCounts, b: TraceCounts): TraceCounts {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries([...names].map(name => [name, (a[name] ?? 0) + (b[name] ?? 0)]))
}

export interface JudgedKnown {
  readonly known: KnownFigure
  readonly isCopy: boolean
  readonly found: TracedFigure | undefined
  readonly line: string
}

export function judgedFigures({ logged, texts }: KnownReport): readonly JudgedKnown[] {
  return texts.flatMap(([text, figures], i) => {
    const document = readDocument('report.md', text)
    const traced = traceFigures(document, logged).figures.map(one => ({
      one,
      ...document.placeOf(one.figure.offset),
    }))
    const lines = text.split('\n')
    return figures.map((own): JudgedKnown => {
      const near = traced.filter(
        ({ line, column, one }) =>
          line === own.line && column - 3 <= own.column && own.column <= column + one.figure.text.length,
      )
      const [found] = near.toSorted((a, b) => Math.abs(a.column - own.column) - Math.abs(b.column - own.column))
      return { known: own, isCopy: i === 1, found: found?.one, line: lines[own.line - 1] ?? '' }
    })
  })
}

export function countsOf(report: KnownReport): TraceCounts {
  return judgedFigures(report).reduce((sum, { known: { kind, changed }, isCopy, found }) => {
    const state = found?.state ?? 'unseen'
    const isTraced = state === 'traced' || state === 'derived'
    const now: TraceCounts = changed
      ? { [`changed ${kind}`]: 1, [`found ${kind}`]: Number(state === 'contradicted'), false: Number(isTraced) }
      : isCopy
        ? { beside: Number(state === 'contradicted') }
        : {
            [`true ${kind}`]: 1,
            [`traced ${kind}`]: Number(isTraced),
            accused: Number(state === 'contradicted'),
          }
    return plus(sum, now)
  }, NONE)
}

function shown(name: string, counts: TraceCounts): Figures {
  const of = (part: string, whole: string): string => `${counts[part] ?? 0} of ${counts[whole] ?? 0}`
  const all = (counts['true prose'] ?? 0) + (counts['true table'] ?? 0)
  const changed = (counts['changed prose'] ?? 0) + (counts['changed table'] ?? 0)
  return {
    what: name,
    'traced, prose': of('traced prose', 'true prose'),
    'traced, tables': of('traced table', 'true table'),
    accused: `${counts.accused ?? 0} of ${all}`,
    'accused beside changes': counts.beside ?? 0,
    'found, prose': of('found prose', 'changed prose'),
    'found, tables': of('found table', 'changed table'),
    'changed, called traced': `${counts.false ?? 0} of ${changed}`,
  }
}
