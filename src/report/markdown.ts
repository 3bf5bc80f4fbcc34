import { harmlessText } from '../text/harmless.js'
import type { Block, Inline, Report } from './blocks.js'
import { memoryComment } from './memory.js'

/** A report as GitHub-flavoured Markdown; charts are files beside it. */
export function toMarkdown(report: Report, chartPath: (id: string) => string): string {
  const blocks = report.blocks.map(block => blockText(block, chartPath))
  return `${[`# ${escaped(report.title)}`, ...blocks, memoryComment(report)].join('\n\n')}\n`
}

function blockText(block: Block, chartPath: (id: string) => string): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${escaped(block.text)}`
    case 'paragraph':
      return inlines(block.parts)
    case 'list':
      return block.items.map(item => `- ${inlines(item)}`).join('\n')
    case 'table':
      return [
        row(block.header.map(escaped)),
        row(block.header.map(() => '---')),
        ...block.rows.map(cells => row(cells.map(cell => inlines([cell])))),
      ].join('\n')
    case 'chart':
      return `![${escaped(block.chart.definition.description)}](${encodeURI(chartPath(block.chart.id))})\n\n*${escaped(block.chart.caption)}*`
    case 'command':
      return `\`\`\`\n${block.text.replace(/`{3,}/g, '``')}\n\`\`\``
  }
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function inlines(parts: readonly Inline[]): string {
  return parts.map(inline).join('')
}

function inline(part: Inline): string {
  if (typeof part === 'string') return escaped(part)
  if ('strong' in part) return `**${escaped(part.strong)}**`
  if ('code' in part) return codeSpan(part.code)
  return escaped(part.figure)
}

/** A span whose fence is longer than any run of backticks in it. */
function codeSpan(text: string): string {
  const words = oneLine(text)
  const longest = Math.max(0, ...(words.match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  const space = longest > 0 ? ' ' : ''
  return `${fence}${space}${words}${space}${fence}`
}

/** Everything that Markdown, or HTML inside it, would take for markup. Underscores inside words are none. */
function escaped(text: string): string {
  return oneLine(harmlessText(text))
    .replace(/[\\`*[\]<>&]/g, mark =>
      mark === '<' ? '&lt;' : mark === '>' ? '&gt;' : mark === '&' ? '&amp;' : `\\${mark}`,
    )
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~~/g, '\\~~')
    .replace(/^(\s*)([#+-]|\d+[.)])(?=\s)/, '$1\\$2')
}

function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
}
