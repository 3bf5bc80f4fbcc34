import { harmlessText } from '../../text/harmless.js'
import {
  type Block,
  code,
  columnCount,
  differenceText,
  findingLines,
  type Inline,
  inlineText,
  strong,
  type Table,
  type VerdictBlock,
  verdictGrounds,
  verdictTitle,
} from './blocks.js'
import { isWritable, sourceComment } from './figure-source.js'

/** Blocks as GitHub-flavoured Markdown; charts are files beside it. */
export function blocksMarkdown(blocks: readonly Block[], chartPath: (id: string) => string): string {
  return blocks.map(block => blockText(block, chartPath)).join('\n\n')
}

export function titleMarkdown(title: string): string {
  return `# ${escaped(title)}`
}

function blockText(block: Block, chartPath: (id: string) => string): string {
  switch (block.kind) {
    case 'headline':
      return `**${escaped(block.title)}** ${block.about.map(escaped).join(' · ')}`.trimEnd()
    case 'heading':
      return `${'#'.repeat(block.level)} ${escaped(block.text)}`
    case 'paragraph':
      return inlines(block.parts)
    case 'list':
      return bullets(block.items.map(inlines))
    case 'table':
      return tableText(block)
    case 'pairs':
      return bullets(block.rows.map(({ label, value }) => `${escaped(label)}: ${inlines(value)}`))
    case 'verdict':
      return [inlines([strong(block.word), ...verdictTitle(block).slice(1)]), bullets(groundsText(block))].join('\n\n')
    case 'findings':
      return bullets(block.items.map(item => findingLines(item).map(inlines).join(': ')))
    case 'note':
      return `> ${escaped(block.text)}`
    case 'chart':
      return `![${escaped(block.definition.description)}](${encodeURI(chartPath(block.id))})\n\n*${escaped(block.caption)}*`
    case 'texts':
      return block.items
        .flatMap(({ title, text }) => [...(title === '' ? [] : [escaped(title)]), fenced(harmlessText(text))])
        .join('\n\n')
    case 'command':
      return fenced(block.text)
    case 'progress':
      return `${escaped(block.text)}: ${block.done}${block.total === null ? '' : ` / ${block.total}`}`
    case 'section':
    case 'fold':
      // No heading, which Markdown would put over what follows the section, too.
      return [`**${escaped(block.title)}**`, ...block.blocks.map(each => blockText(each, chartPath))].join('\n\n')
  }
}

/** The difference carries its source where the block has one, so that `klens fill` can refresh it. */
function groundsText(block: VerdictBlock): readonly string[] {
  const grounds = verdictGrounds(block).map(inlines)
  const { difference, reference, answer: verdict } = block
  const source = { reference: reference ?? '', text: difference === null ? '' : differenceText(difference), verdict }
  if (difference === null || reference === undefined || !isWritable(source)) return grounds
  const figures = `${inlines([code(difference.of)])} ${source.text}${sourceComment(source)}`
  return [figures, ...grounds.slice(1)]
}

function fenced(text: string): string {
  return `\`\`\`\n${text.replace(/`{3,}/g, '``')}\n\`\`\``
}

function bullets(items: readonly string[]): string {
  return items.map(item => `- ${item}`).join('\n')
}

/** A table without a header is a list in Markdown, which knows no such table. */
function tableText(block: Table): string {
  const { header, rows } = block
  if (header.length === 0) {
    const filledCells = rows.map(cells => cells.filter(cell => inlineText(cell) !== ''))
    return bullets(filledCells.map(cells => cells.map(cell => inlines([cell])).join(' · ')))
  }
  const columns = columnCount(block)
  const filled = (cells: readonly string[]): readonly string[] =>
    Array.from({ length: columns }, (_, k) => cells[k] ?? '')
  return [
    row(filled(header.map(escaped))),
    row(filled([]).map(() => '---')),
    ...rows.map(cells => row(filled(cells.map(cell => inlines([cell]))))),
  ].join('\n')
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
  if ('figure' in part && part.reference !== undefined) {
    const source = { reference: part.reference, text: part.figure, verdict: part.verdict ?? null }
    return `${escaped(part.figure)}${isWritable(source) ? sourceComment(source) : ''}`
  }
  return 'code' in part ? codeSpan(part.code) : escaped(inlineText(part))
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
