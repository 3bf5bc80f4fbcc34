import { chartSvg } from '../charts/svg.js'
import { chartStyleSheet } from '../charts/theme.js'
import type { Language } from '../text/language.js'
import type { Block, Inline, Report } from './blocks.js'
import { memoryComment } from './memory.js'
import { STYLE } from './style.js'

/** A report as one HTML file. */
export function toHtml(report: Report): string {
  return htmlPage(report, chartStyleSheet(), report.blocks.map(blockHtml).join('\n'), memoryComment(report))
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
    case 'heading':
      return `<h${block.level}>${escaped(block.text)}</h${block.level}>`
    case 'paragraph':
      return `<p>${inlines(block.parts)}</p>`
    case 'list':
      return `<ul>\n${block.items.map(item => `<li>${inlines(item)}</li>`).join('\n')}\n</ul>`
    case 'table':
      return `<div class="table"><table>
<thead><tr>${block.header.map(cell => `<th>${escaped(cell)}</th>`).join('')}</tr></thead>
<tbody>
${block.rows.map(row => `<tr>${row.map(cell => `<td${isNumber(cell) ? ' class="number"' : ''}>${inlines([cell])}</td>`).join('')}</tr>`).join('\n')}
</tbody>
</table></div>`
    case 'chart':
      return `<figure role="img" aria-label="${escaped(block.chart.definition.description)}">
${chartSvg(block.chart.definition, { prefix: block.chart.id, scheme: 'page' })}
<figcaption>${escaped(block.chart.caption)}</figcaption>
</figure>`
    case 'command':
      return `<pre><code>${escaped(block.text)}</code></pre>`
  }
}

function inlines(parts: readonly Inline[]): string {
  return parts.map(inline).join('')
}

function inline(part: Inline): string {
  if (typeof part === 'string') return escaped(part)
  if ('strong' in part) return `<strong>${escaped(part.strong)}</strong>`
  if ('code' in part) return `<code>${escaped(part.code)}</code>`
  return `<span class="figure" tabindex="0" title="${escaped(part.source)}">${escaped(part.figure)}</span>`
}

function isNumber(part: Inline): boolean {
  const text = typeof part === 'string' ? part : 'figure' in part ? part.figure : ''
  return /^[+\u2212-]?\d/.test(text)
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
