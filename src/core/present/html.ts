import type { Language } from '../../text/language.js'
import { chartSvg } from '../charts/svg.js'
import { FONT } from '../charts/theme.js'
import {
  type Block,
  columnCount,
  findingLines,
  type Inline,
  inlineText,
  numericColumns,
  type Table,
  verdictGrounds,
  verdictTitle,
} from './blocks.js'

/** Blocks as HTML that needs nothing else; charts are inside. */
export function blocksHtml(blocks: readonly Block[]): string {
  return blocks.map(blockHtml).join('\n')
}

/** One file that needs nothing else: inline style and pictures, no script, no request. */
export function htmlPage(
  { language, title }: { readonly language: Language; readonly title: string },
  style: string,
  main: string,
  behind = '',
): string {
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escaped(title)}</title>
<style>
${STYLE}${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${main}
</main>
${behind}
</body>
</html>
`
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'headline':
      return `<p class="headline"><strong>${escaped(block.title)}</strong> ${block.about.map(escaped).join(' · ')}</p>`
    case 'heading':
      return `<h${block.level}>${escaped(block.text)}</h${block.level}>`
    case 'paragraph':
      return `<p>${inlines(block.parts)}</p>`
    case 'list':
      return bullets(block.items.map(inlines))
    case 'table':
      return tableHtml(block)
    case 'pairs':
      return `<dl>\n${block.rows.map(({ label, value }) => `<dt>${escaped(label)}</dt><dd>${inlines(value)}</dd>`).join('\n')}\n</dl>`
    case 'verdict': {
      const grounds = bullets(verdictGrounds(block).map(inlines))
      return `<div class="verdict ${block.answer}">\n<p>${inlines(verdictTitle(block))}</p>\n${grounds}\n</div>`
    }
    case 'findings':
      return bullets(block.items.map(item => findingLines(item).map(inlines).join(': ')))
    case 'note':
      return `<p class="note ${block.tone}">${escaped(block.text)}</p>`
    case 'chart':
      return `<figure role="img" aria-label="${escaped(block.definition.description)}">
${chartSvg(block.definition, { prefix: block.id, scheme: 'page' })}
<figcaption>${escaped(block.caption)}</figcaption>
</figure>`
    case 'texts':
      return block.items
        .map(
          ({ title, text }) => `<figure><figcaption>${escaped(title)}</figcaption><pre>${escaped(text)}</pre></figure>`,
        )
        .join('\n')
    case 'command':
      return `<pre><code>${escaped(block.text)}</code></pre>`
    case 'progress':
      return `<p>${escaped(block.text)} <progress value="${block.done}"${block.total === null ? '' : ` max="${block.total}"`}></progress></p>`
    case 'section':
      return `<section>\n<h3>${escaped(block.title)}</h3>\n${blocksHtml(block.blocks)}\n</section>`
    case 'fold':
      return `<details>\n<summary>${escaped(block.title)}</summary>\n${blocksHtml(block.blocks)}\n</details>`
  }
}

function bullets(items: readonly string[]): string {
  return `<ul>\n${items.map(item => `<li>${item}</li>`).join('\n')}\n</ul>`
}

function tableHtml(block: Table): string {
  const numbers = numericColumns(block)
  const columns = columnCount(block)
  const cell = (part: Inline, k: number, row: readonly Inline[]): string => {
    const across = row.length === 1 && columns > 1 ? ` colspan="${columns}"` : ''
    const look = across === '' && (numbers.has(k) || isNumber(part)) ? ' class="number"' : ''
    return `<td${across}${look}>${inlines([part])}</td>`
  }
  const header =
    block.header.length === 0
      ? ''
      : `<thead><tr>${block.header.map(title => `<th>${escaped(title)}</th>`).join('')}</tr></thead>\n`
  return `<div class="table"><table>
${header}<tbody>
${block.rows.map(row => `<tr>${row.map(cell).join('')}</tr>`).join('\n')}
</tbody>
</table></div>`
}

function inlines(parts: readonly Inline[]): string {
  return parts.map(inline).join('')
}

function inline(part: Inline): string {
  if (typeof part === 'string') return escaped(part)
  if ('strong' in part) return `<strong>${escaped(part.strong)}</strong>`
  if ('code' in part) return `<code>${escaped(part.code)}</code>`
  if ('tone' in part) return `<span class="${part.tone}">${escaped(part.text)}</span>`
  return `<span class="figure" tabindex="0" title="${escaped(part.source)}">${escaped(part.figure)}</span>`
}

function isNumber(part: Inline): boolean {
  return /^[+\u2212-]?\d/.test(typeof part === 'string' || 'figure' in part ? inlineText(part) : '')
}

const ENTITIES: { readonly [mark: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, mark => ENTITIES[mark])
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
      '\ufffd',
    )
}

/** The look of a document: a quiet page, readable in print and in the dark. */
const STYLE = `:root {
  color-scheme: light dark;
  --ink: #1b1f24;
  --faint: #5b6470;
  --line: #d8dde3;
  --paper: #ffffff;
  --shade: #f5f7f9;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --faint: #9aa4af; --line: #3a424c; --paper: #14181d; --shade: #1d232a; }
}
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 16px/1.6 ${FONT};
}
main { max-width: 780px; margin: 0 auto; padding: 40px 20px 80px; }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0 0 1.2rem; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 0.6rem; padding-top: 0.8rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 1.6rem 0 0.4rem; }
p, ul { margin: 0.6rem 0; }
li { margin: 0.3rem 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.8rem 0; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 12px 4px 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--faint); font-weight: 600; white-space: nowrap; }
td.number { text-align: right; white-space: nowrap; }
code, pre { font: 0.88em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; background: var(--shade); border-radius: 3px; }
code { padding: 1px 4px; overflow-wrap: anywhere; }
pre { padding: 10px 12px; overflow-x: auto; }
pre code { padding: 0; }
dl { margin: 0.6rem 0; }
dt { color: var(--faint); }
dd { margin: 0 0 0.3rem 1rem; }
.verdict { border-left: 3px solid var(--line); padding-left: 14px; margin: 1rem 0; }
.note { color: var(--faint); border-left: 3px solid var(--line); padding-left: 14px; }
.good, .bad, .neutral, .warning { font-weight: 600; }
.quiet { color: var(--faint); }
.figure { border-bottom: 1px dotted var(--faint); cursor: help; }
figure { margin: 1.2rem 0; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: var(--faint); font-size: 0.88rem; }
@media print {
  body { font-size: 11pt; }
  main { max-width: none; padding: 0; }
  h2 { break-after: avoid; }
  figure, tr { break-inside: avoid; }
  .figure { border-bottom: 0; }
}
`
