import { escaped, htmlPage } from '../core/present/html.js'
import type { Language } from '../text/language.js'
import { render, sentences } from '../text/sentences.js'
import type { LedgerEntry, LedgerState } from './ledger.js'

/**
 * Reports as one page with each figure marked, which tells on hover where it comes from; first what is open, so that
 * nobody has to look for it. A mark differs by its line as well as by its colour. No script, no request.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'ledger.title': { en: 'Where the figures come from', zh: '数字的来源' },
  'ledger.summary': { en: '{traced} of {total} figures traced, {contradicted} contradicted, {untraced} untraced', zh: '{total} 个数字中 {traced} 个有来源，{contradicted} 个与日志不符，{untraced} 个查不到来源' },
  'ledger.state.traced': { en: 'logged ({count})', zh: '见于日志（{count}）' },
  'ledger.state.derived': { en: 'computed from what was logged ({count})', zh: '由日志算出（{count}）' },
  'ledger.state.contradicted': { en: 'contradicted ({count})', zh: '与日志不符（{count}）' },
  'ledger.state.untraced': { en: 'untraced ({count})', zh: '查不到来源（{count}）' },
  'ledger.line': { en: 'line {line}', zh: '第 {line} 行' },
  'ledger.of.logged': { en: '{run}: {metric} {place}{file}', zh: '{run}：{metric} {place}{file}' },
  'ledger.of.step': { en: 'at step {step}', zh: '（step {step}）' },
  'ledger.of.window': { en: 'mean of steps {first} to {last}', zh: '（step {first} 至 {last} 的平均）' },
  'ledger.of.first': { en: 'first value', zh: '（首个值）' },
  'ledger.of.last': { en: 'last value', zh: '（末值）' },
  'ledger.of.min': { en: 'lowest value', zh: '（最小值）' },
  'ledger.of.max': { en: 'highest value', zh: '（最大值）' },
  'ledger.of.mean': { en: 'mean of all', zh: '（全程平均）' },
  'ledger.of.setting': { en: 'setting', zh: '（配置）' },
  'ledger.of.derived': { en: 'computed: {how}', zh: '算出：{how}' },
  'ledger.of.expected': { en: '{expected} by the logs ({how})', zh: '日志给出 {expected}（{how}）' },
  'ledger.of.nothing': { en: 'nothing logged agrees with it', zh: '没有与之相符的日志值' },
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
  return htmlPage({ language, title }, STYLE, files.map(file => section(file, language)).join('\n'))
}

function section({ file, text, ledger }: LedgerFile, language: Language): string {
  const entries = ledger ?? []
  const count = (state: LedgerState): number => entries.filter(entry => entry.state === state).length
  const [traced, contradicted, untraced] = [
    count('traced') + count('derived'),
    count('contradicted'),
    count('untraced'),
  ]
  const summary = say('ledger.summary', { traced, total: entries.length, contradicted, untraced })
  const legend = STATES.map(state => {
    const words = render(say(`ledger.state.${state}`, { count: count(state) }), language)
    return `<li><mark class="${state}">${escaped(words)}</mark></li>`
  })
  return `<section>
<h2>${escaped(file)}</h2>
<p><strong>${escaped(render(summary, language))}</strong></p>
<ul class="legend">${legend.join('')}</ul>
${openFigures(entries, language)}<pre class="ledger">${marked(text, entries, language)}</pre>
</section>`
}

const MOST_OPEN = 200

/** What somebody has to look at, the contradicted first. */
function openFigures(entries: readonly LedgerEntry[], language: Language): string {
  const open = [
    ...entries.filter(({ state }) => state === 'contradicted'),
    ...entries.filter(({ state }) => state === 'untraced'),
  ].slice(0, MOST_OPEN)
  if (open.length === 0) return ''
  const rows = open.map(({ line, text, state, source }) => {
    const cells = [
      render(say('ledger.line', { line }), language),
      `<mark class="${state}">${escaped(text)}</mark>`,
      escaped(sourceWords(source, language)),
    ]
    return `<tr><td>${cells.join('</td><td>')}</td></tr>`
  })
  return `<table>\n${rows.join('\n')}\n</table>\n`
}

/** So many characters of markup may stand before a figure. */
const MOST_MARKUP = 8

function marked(text: string, entries: readonly LedgerEntry[], language: Language): string {
  const signs = plainSigns(text)
  const pieces: string[] = []
  let at = 0
  for (const { offset, text: printed, state, source } of entries) {
    const from = Math.max(at, offset)
    const start = signs.slice(from, offset + MOST_MARKUP + printed.length).indexOf(plainSigns(printed))
    if (start < 0) continue
    const [begin, end] = [from + start, from + start + printed.length]
    const title = escaped(sourceWords(source, language))
    pieces.push(
      escaped(text.slice(at, begin)),
      `<mark class="${state}" title="${title}">${escaped(text.slice(begin, end))}</mark>`,
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

function sourceWords(source: LedgerEntry['source'], language: Language): string {
  if (source === null) return render(say('ledger.of.nothing', {}), language)
  if ('expected' in source)
    return render(say('ledger.of.expected', { expected: source.expected, how: source.derived }), language)
  if ('derived' in source) return render(say('ledger.of.derived', { how: source.derived }), language)
  const { run, metric, step, aggregate, over, file } = 'from' in source ? source.from : source
  const part =
    over !== null
      ? say('ledger.of.window', { first: over[0], last: over[1] })
      : step !== null
        ? say('ledger.of.step', { step })
        : say(`ledger.of.${aggregate ?? 'last'}`, {})
  const place = render(part, language)
  const where = say('ledger.of.logged', { run, metric, place, file: file === null ? '' : ` · ${file}` })
  if (!('from' in source)) return render(where, language)
  const how = render(where, language)
  return render(say('ledger.of.expected', { expected: String(Number(source.logged.toPrecision(6))), how }), language)
}

/** What the style of a report does not say. */
const STYLE = `:root { --traced: #d9f0dc; --derived: #dfe9f8; --contradicted: #fbd5d3; --untraced: #f6ecc2; --edge: #b3261e; --open: #8a6d00; }
@media (prefers-color-scheme: dark) {
  :root { --traced: #1f3d27; --derived: #22344f; --contradicted: #5a2320; --untraced: #4a3f12; --edge: #ff8a80; --open: #ffd54f; }
}
main { max-width: 960px; }
h2, td { overflow-wrap: anywhere; }
td:first-child { color: var(--faint); white-space: nowrap; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 12px; font-size: 0.9rem; }
pre.ledger { white-space: pre-wrap; overflow-wrap: anywhere; background: none; border-radius: 0; border-top: 1px solid var(--line); }
mark { color: inherit; border-radius: 3px; padding: 0 2px; cursor: help; }
mark.traced { background: var(--traced); }
mark.derived { background: var(--derived); }
mark.contradicted { background: var(--contradicted); border-bottom: 2px solid var(--edge); font-weight: 600; }
mark.untraced { background: var(--untraced); border-bottom: 2px dotted var(--open); }
`
