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
  const files = isHtml(path) ? [] : await writeCharts(path, report)
  await writeFile(path, reportText(path, report))
  return [path, ...files]
}

async function writeCharts(path: string, report: Report): Promise<readonly string[]> {
  const folder = chartFolder(path)
  const charts = report.blocks.filter((block): block is Extract<Block, { kind: 'chart' }> => block.kind === 'chart')
  if (charts.length > 0) await makeFolder(join(dirname(path), folder))
  const files: string[] = []
  for (const { chart } of charts) {
    const file = join(dirname(path), folder, `${chart.id}.svg`)
    await writeFile(file, chartSvg(chart.definition, { prefix: chart.id, scheme: 'light' }))
    files.push(file)
  }
  return files
}

/** What stands in the report's own file. */
export function reportText(path: string, report: Report): string {
  return isHtml(path) ? toHtml(report) : toMarkdown(report, id => `${chartFolder(path)}/${id}.svg`)
}

function isHtml(path: string): boolean {
  return extname(path).toLowerCase() === '.html'
}

function chartFolder(path: string): string {
  return `${basename(path, extname(path))}-charts`
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
