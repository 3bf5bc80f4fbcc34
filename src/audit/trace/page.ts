import { escaped, htmlPage } from '../../core/present/html.js'
import type { Language } from '../../text/language.js'
import { render, sentences } from '../../text/sentences.js'
import type { LedgerEntry, LedgerState } from './entry.js'

/**
 * Reports as one page: every figure marked, beside the list of those that somebody has to look at. A mark says on hover
 * where it comes from, and differs by its line as well as by its colour. No script, no request; every word is escaped.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'ledger.title': { en: 'Where the figures come from', zh: '数字的来源' },
  'ledger.summary': { en: '{total} {total|figure|figures}: {traced} traced, {contradicted} contradicted, {untraced} untraced', zh: '{total} 个数字：{traced} 个有来源，{contradicted} 个与日志不符，{untraced} 个无来源' },
  'ledger.state.traced': { en: 'traced', zh: '有来源' },
  'ledger.state.derived': { en: 'computed from the logs', zh: '由日志算得' },
  'ledger.state.contradicted': { en: 'contradicted', zh: '与日志不符' },
  'ledger.state.untraced': { en: 'untraced', zh: '无来源' },
  'ledger.open': { en: 'To look at', zh: '需要核对' },
  'ledger.none': { en: 'Every figure is traced to the logs.', zh: '全部数字都有来源。' },
  'ledger.all': { en: 'All figures', zh: '全部数字' },
})

export interface LedgerFile {
  readonly file: string
  /** As it was read: the offsets of the entries are places in it. */
  readonly text: string
  readonly ledger: readonly LedgerEntry[] | null
}

const STATES: readonly LedgerState[] = ['traced', 'derived', 'contradicted', 'untraced']

export function ledgerHtml(files: readonly LedgerFile[], language: Language): string {
  const title = render(say('ledger.title', {}), language)
  return htmlPage({ language, title }, STYLE, files.map((file, i) => section(file, `f${i}-`, language)).join('\n'))
}

function section({ file, text, ledger }: LedgerFile, prefix: string, language: Language): string {
  const entries = ledger ?? []
  const told = (message: Parameters<typeof render>[0]): string => escaped(render(message, language))
  const count = (state: LedgerState): number => entries.filter(entry => entry.state === state).length
  const counts = {
    traced: count('traced') + count('derived'),
    contradicted: count('contradicted'),
    untraced: count('untraced'),
  }
  const legend = STATES.map(
    state => `<li><mark class="${state}">${told(say(`ledger.state.${state}`, {}))}</mark> ${count(state)}</li>`,
  )
  const numbered = entries.map((entry, i) => ({ entry, id: `${prefix}${i}` }))
  const item = ({ entry: { line, column, text: figure, state, says }, id }: (typeof numbered)[number]): string =>
    `<li><a href="#${id}">${line}:${column}</a> <mark class="${state}">${escaped(figure)}</mark> ${told(says)}</li>`
  const open = [
    ...numbered.filter(({ entry }) => entry.state === 'contradicted'),
    ...numbered.filter(({ entry }) => entry.state === 'untraced'),
  ]
  const list = open.length === 0 ? `<p>${told(say('ledger.none', {}))}</p>` : `<ol>${open.map(item).join('\n')}</ol>`
  return `<section>
<h2>${escaped(file)}</h2>
<p><strong>${told(say('ledger.summary', { total: entries.length, ...counts }))}</strong></p>
<ul class="legend">${legend.join('')}</ul>
<div class="beside">
<pre class="ledger">${marked(text, numbered, language)}</pre>
<aside><h3>${told(say('ledger.open', {}))}</h3>
${list}
<details><summary>${told(say('ledger.all', {}))}</summary><ol>${numbered.map(item).join('\n')}</ol></details></aside>
</div>
</section>`
}

/** So many characters of markup may stand before a figure. */
const MOST_MARKUP = 8

function marked(
  text: string,
  entries: readonly { readonly entry: LedgerEntry; readonly id: string }[],
  language: Language,
): string {
  const signs = plainSigns(text)
  const pieces: string[] = []
  let at = 0
  for (const { entry, id } of entries) {
    const { offset, text: printed, state, says } = entry
    const from = Math.max(at, offset)
    const start = signs.slice(from, offset + MOST_MARKUP + printed.length).indexOf(plainSigns(printed))
    if (start < 0) continue
    const [begin, end] = [from + start, from + start + printed.length]
    const title = escaped(render(says, language))
    pieces.push(
      escaped(text.slice(at, begin)),
      `<mark id="${id}" class="${state}" title="${title}">${escaped(text.slice(begin, end))}</mark>`,
    )
    at = end
  }
  return [...pieces, escaped(text.slice(at))].join('')
}

/** The document reads these as plain signs, one character for one. */
function plainSigns(text: string): string {
  return text.replace(/[−–％，（）：～]/g, sign => PLAIN[sign] ?? sign)
}

const PLAIN: { readonly [sign: string]: string } = {
  '−': '-',
  '–': '-',
  '％': '%',
  '，': ',',
  '（': '(',
  '）': ')',
  '：': ':',
  '～': '~',
}

/** What the style of a report does not say. */
const STYLE = `:root { --traced: #d9f0dc; --derived: #dfe9f8; --contradicted: #fbd5d3; --untraced: #f6ecc2; --edge: #b3261e; --open: #8a6d00; }
@media (prefers-color-scheme: dark) {
  :root { --traced: #1f3d27; --derived: #22344f; --contradicted: #5a2320; --untraced: #4a3f12; --edge: #ff8a80; --open: #ffd54f; }
}
main { max-width: 1400px; }
h2, li { overflow-wrap: anywhere; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 12px; font-size: 0.9rem; }
.beside { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 24px; align-items: start; border-top: 1px solid var(--line); }
aside { font-size: 0.9rem; position: sticky; top: 8px; max-height: 96vh; overflow-y: auto; }
aside ol { list-style: none; padding: 0; }
aside li { margin: 0 0 6px; }
@media (max-width: 800px) { .beside { display: block; } aside { position: static; max-height: none; } }
pre.ledger { white-space: pre-wrap; overflow-wrap: anywhere; background: none; border-radius: 0; }
mark { color: inherit; border-radius: 3px; padding: 0 2px; }
mark:target { outline: 2px solid var(--edge); }
mark.traced { background: var(--traced); }
mark.derived { background: var(--derived); }
mark.contradicted { background: var(--contradicted); border-bottom: 2px solid var(--edge); font-weight: 600; }
mark.untraced { background: var(--untraced); border-bottom: 2px dotted var(--open); }
`
