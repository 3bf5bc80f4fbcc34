import { mkdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { chartSvg } from '../charts/svg.js'
import type { Block, Report } from './blocks.js'
import { toHtml } from './html.js'
import { toMarkdown } from './markdown.js'

/**
 * A report as files: one of HTML, or Markdown with its charts in a folder that is named after it, so that several
 * reports can share a place. Returns the paths, that of the report first.
 */
export async function writeReport(path: string, report: Report): Promise<readonly string[]> {
  await makeFolder(dirname(path))
  if (extname(path).toLowerCase() === '.html') {
    await writeFile(path, toHtml(report))
    return [path]
  }
  const folder = `${basename(path, extname(path))}-charts`
  const charts = report.blocks.filter((block): block is Extract<Block, { kind: 'chart' }> => block.kind === 'chart')
  if (charts.length > 0) await makeFolder(join(dirname(path), folder))
  const files: string[] = []
  for (const { chart } of charts) {
    const file = join(dirname(path), folder, `${chart.id}.svg`)
    await writeFile(file, chartSvg(chart.definition, { prefix: chart.id, scheme: 'light' }))
    files.push(file)
  }
  await writeFile(
    path,
    toMarkdown(report, id => `${folder}/${id}.svg`),
  )
  return [path, ...files]
}

/** Level by level: asked for all at once in a place that cannot hold folders, such as /proc, Node never comes back. */
async function makeFolder(path: string): Promise<void> {
  const isThere = await stat(path).then(
    about => about.isDirectory(),
    () => false,
  )
  if (isThere) return
  if (dirname(path) !== path) await makeFolder(dirname(path))
  await mkdir(path).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
}
