import { mkdir, readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { sha256 } from '../../../logs/model/id.js'
import { chartStyleSheet } from '../../charts/theme.js'
import { writeFileAtomically } from '../../store/atomic.js'
import type { Workspace } from '../../store/workspace.js'
import { block } from '../block-schema.js'
import { blocksHtml, htmlPage } from '../html.js'
import type { Report } from './frame.js'
import { commentedIn, lastComment } from './memory.js'
import { reportMarkdown } from './write.js'

/**
 * A copy of every report that was written, in `.klens/reports`: the file may lie anywhere, and whoever looks from a page
 * reads nothing outside the workspace. Written again, a report takes the place of the one before it, like its file.
 */
export type KeptReport = Readonly<z.infer<typeof schema>>

const schema = z.object({
  format: z.literal(1),
  id: z.string(),
  /** Unix seconds. */
  at: z.number(),
  /** What its file is called; where it lies is nobody's business. */
  file: z.string(),
  title: z.string(),
  language: z.enum(['en', 'zh']),
  /** As it would be as Markdown, with its memory at the end. */
  text: z.string(),
  blocks: z.array(block).readonly(),
  /** The study that it is about, or the runs and sides as they were named. */
  study: z.string().nullable(),
  runs: z.array(z.string()),
  metric: z.string().nullable(),
  margin: z.string().nullable(),
})

type Subject = Pick<KeptReport, 'language' | 'study' | 'runs' | 'metric' | 'margin'>

/** A workspace that may only be read keeps nothing, and the report is written all the same. */
export async function keepReport(workspace: Workspace, path: string, report: Report, subject: Subject): Promise<void> {
  const id = sha256(resolve(path)).slice(0, 12)
  const kept: KeptReport = {
    format: 1,
    id,
    at: Date.now() / 1000,
    file: basename(path),
    title: report.title,
    text: reportMarkdown(report, chart => `${chart}.svg`),
    blocks: report.blocks,
    ...subject,
  }
  const folder = folderOf(workspace)
  await mkdir(folder, { recursive: true }).catch(() => {})
  await writeFileAtomically(join(folder, `${id}.json`), `${JSON.stringify(kept)}\n`).catch(() => {})
}

/** The newest first; what cannot be read is left out. */
export async function keptReports(workspace: Workspace): Promise<readonly KeptReport[]> {
  const names = await readdir(folderOf(workspace)).catch(() => [])
  const all = await Promise.all(names.map(name => readKept(workspace, basename(name, '.json'))))
  return all.flatMap(report => report ?? []).toSorted((a, b) => b.at - a.at)
}

/**
 * The report that a file of klens's holds, written again from what was kept: what was put into the file since is not in it.
 * They are the same where what they conclude and what they were made of is. Null: this workspace has no such report.
 */
export async function keptHtml(workspace: Workspace, file: string): Promise<string | null> {
  const said = commentedIn(file)
  const kept = (await keptReports(workspace)).find(({ text }) => isDeepStrictEqual(commentedIn(text), said))
  if (kept === undefined || said === null) return null
  return htmlPage(kept, chartStyleSheet(), blocksHtml(kept.blocks), lastComment(kept.text))
}

/** Null: there is none. An id is looked at before it becomes part of a path. */
export async function readKept(workspace: Workspace, id: string): Promise<KeptReport | null> {
  if (!/^[0-9a-f]{12}$/.test(id)) return null
  const text = await readFile(join(folderOf(workspace), `${id}.json`), 'utf8').catch(() => null)
  const read = text === null ? null : schema.safeParse(parsed(text))
  return read?.success ? read.data : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function folderOf({ root }: Workspace): string {
  return join(root, 'reports')
}
