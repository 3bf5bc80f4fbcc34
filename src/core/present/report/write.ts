import { mkdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { chartSvg } from '../../charts/svg.js'
import { chartStyleSheet } from '../../charts/theme.js'
import type { Block, ChartBlock } from '../blocks.js'
import { blocksHtml, htmlPage } from '../html.js'
import { blocksMarkdown, titleMarkdown } from '../markdown.js'
import type { Report } from './frame.js'
import { memoryComment } from './memory.js'

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
  const charts = chartsIn(report.blocks)
  if (charts.length > 0) await makeFolder(join(dirname(path), folder))
  const files: string[] = []
  for (const { id, definition } of charts) {
    const file = join(dirname(path), folder, `${id}.svg`)
    await writeFile(file, chartSvg(definition, { prefix: id, scheme: 'light' }))
    files.push(file)
  }
  return files
}

function chartsIn(blocks: readonly Block[]): readonly ChartBlock[] {
  return blocks.flatMap(block => ('blocks' in block ? chartsIn(block.blocks) : block.kind === 'chart' ? [block] : []))
}

/** What stands in the report's own file. */
export function reportText(path: string, report: Report): string {
  return isHtml(path) ? reportHtml(report) : reportMarkdown(report, id => `${chartFolder(path)}/${id}.svg`)
}

export function reportHtml(report: Report): string {
  return htmlPage(report, chartStyleSheet(), blocksHtml(report.blocks), memoryComment(report))
}

export function reportMarkdown(report: Report, chartPath: (id: string) => string): string {
  const parts = [titleMarkdown(report.title), blocksMarkdown(report.blocks, chartPath), memoryComment(report)]
  return `${parts.join('\n\n')}\n`
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
