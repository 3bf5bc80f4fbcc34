import { Problem } from '../../logs/model/problem.js'
import type { Language } from '../../text/language.js'
import { sentences } from '../../text/sentences.js'

/**
 * What a reference asks, in words of the questions that it stands for:
 *
 *     show RUN METRIC [last|first|best|max|min|mean|@STEP] [: DECIMALS[%]]
 *     compare BASELINE OTHER [final|level|checkpoint|speed|stability|cost] [difference|estimate|interval|verdict]
 *             [--metric METRIC] [--margin SIZE]
 *
 * A name with spaces stands in quotation marks; `a+b` are runs of one side.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'fill.bad-reference': { en: '“{reference}” cannot be filled: “{reason}” is not valid there; docs/verbs/fill.md shows the format', zh: '无法填入“{reference}”：“{reason}”用在这里不对；写法见 docs/verbs/fill.zh.md' },
})

export type ParsedReference = ShowReference | CompareReference

interface ShowReference {
  readonly question: 'show'
  /** As it is written into the report. */
  readonly written: string
  readonly language: Language
  readonly run: string
  readonly metric: string
  readonly part: string
  readonly format: { readonly decimals: number; readonly isPercent: boolean } | null
}

interface CompareReference {
  readonly question: 'compare'
  readonly written: string
  readonly language: Language
  readonly sides: readonly [baseline: string, other: string]
  /** Null: the one that the comparison leads with. */
  readonly asked: string | null
  readonly part: ComparePart
  readonly metric: string | null
  readonly margin: string | null
}

export type ComparePart = 'difference' | 'estimate' | 'interval' | 'verdict'

const PARTS: readonly ComparePart[] = ['difference', 'estimate', 'interval', 'verdict']
const ASKED = ['final', 'level', 'checkpoint', 'speed', 'stability', 'cost']
const SHOWN = /^(?:last|first|best|max|min|mean|@\d{1,12})$/
const FORMAT = /^(\d{1,2})(%?)$/
const WORD = /"([^"\n]{1,300})"|(\S+)/g

export function parseReference(reference: string, language: Language): ParsedReference {
  const refuse = (reason: string): Problem =>
    new Problem('bad-request', say('fill.bad-reference', { reference, reason }))
  const [body = '', format] = reference.split(/ : (?=\d{1,2}%?$)/)
  const words = Array.from(body.matchAll(WORD), ([, quoted, bare = '']) => ({
    text: quoted ?? bare,
    isBare: quoted === undefined,
  }))
  const [question, ...rest] = words.map(({ text }) => text)
  const options = new Map<string, string>()
  const plain: string[] = []
  for (let i = 0; i < rest.length; i += 1) {
    const word = rest[i]
    if (words[i + 1].isBare && word.startsWith('--')) {
      const value = rest[i + 1]
      if (!OPTIONS.has(word) || value === undefined) throw refuse(word)
      options.set(word, value)
      i += 1
    } else plain.push(word)
  }
  const [first, second, ...more] = plain
  if (first === undefined || second === undefined) throw refuse(body)
  const asked = options.get('--lang')
  const lang = asked === 'zh' || asked === 'en' ? asked : language
  if (question === 'show') {
    const [part = 'last', extra] = more
    if (extra !== undefined || !SHOWN.test(part)) throw refuse(extra ?? part)
    const [, decimals = '', percent] = FORMAT.exec(format ?? '') ?? []
    const printed = format === undefined ? null : { decimals: Number(decimals), isPercent: percent === '%' }
    return { question, written: reference, language: lang, run: first, metric: second, part, format: printed }
  }
  if (question !== 'compare') throw refuse(question ?? '')
  if (format !== undefined) throw refuse(`: ${format}`)
  const unknown = more.find(word => !ASKED.includes(word) && !PARTS.some(part => part === word))
  if (unknown !== undefined) throw refuse(unknown)
  return {
    question,
    // In which language its words are, so that the next one to fill does not translate them.
    written: asked === undefined ? `${reference} --lang ${lang}` : reference,
    language: lang,
    sides: [first, second],
    asked: more.find(word => ASKED.includes(word)) ?? null,
    part: PARTS.find(part => more.includes(part)) ?? 'difference',
    metric: options.get('--metric') ?? null,
    margin: options.get('--margin') ?? null,
  }
}

const OPTIONS: ReadonlySet<string> = new Set(['--metric', '--margin', '--lang'])
