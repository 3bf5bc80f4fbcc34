import type { Section } from '../document/document.js'
import { linesOf, markdownBlocks } from '../document/markdown.js'
import { everyMatch } from '../document/matches.js'
import type { Matrix } from '../document/matrix.js'
import { lastAtMost } from '../document/places.js'
import { type Quantity, readTokens } from '../document/quantity.js'
import { namesSettings, namesValues } from '../document/words.js'
import { looseName } from '../model/vocabulary/names.js'
import { type Entry, entriesOf } from './entries.js'
import type { Evidence } from './evidence.js'
import { stanceOf } from './stance.js'

/**
 * What a report says was set, wherever it says so: lines of a list, tables of settings, sentences, commands, snippets of
 * configuration and of programs. One noun for all of them, so that the same setting given twice can be seen.
 */
export interface Setting {
  /** One name for all spellings of a setting: `--learning-rate`, `LR` and 学习率. */
  readonly name: string
  /** As printed. */
  readonly label: string
  readonly quantity: Quantity
  readonly offset: number
  readonly section: Section | null
  /** Lines that it hangs below. */
  readonly leads: readonly string[]
  readonly form: 'list' | 'table' | 'command' | 'config' | 'program'
  /** Where the block that holds it begins: what stands there twice is tried out. */
  readonly block: number
}

export function settingsOf(evidence: Evidence): readonly Setting[] {
  const { document, matrices } = evidence
  const lists = entriesOf(evidence).flatMap(fromEntry)
  const tables = matrices.flatMap(fromMatrix)
  return [...lists, ...tables, ...fromCode(document)]
}

const LONGEST_NAME = 40

/** Spellings of one name. */
const SPELLINGS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['lr', /^(?:lr|learningrate|学习率)$/],
  ['kl', /^(?:kl(?:loss|penalty)?(?:beta|coeff?(?:icient)?|系数)|beta)$/],
  ['batch', /^(?:train)?batch(?:size)?$|^批大小$/],
  ['epochs', /^(?:num(?:train)?|total|train(?:ing)?)?epochs?$|^训练轮数$/],
  ['seed', /^(?:random)?seed$|^随机种子$/],
  ['temperature', /^(?:temperature|温度)$/],
  ['group', /^(?:groupsize|numgenerations|组大小)$/],
  ['clip', /^clip(?:range|ratio|eps(?:ilon)?)?$/],
  ['gamma', /^(?:gamma|discount(?:factor)?|折扣因子)$/],
  ['lambda', /^(?:gae)?lam(?:bda)?$/],
  ['rank', /^lorar(?:ank)?$/],
  ['entropy', /^ent(?:ropy)?coeff?(?:icient)?$|^熵系数$/],
]
const GREEK: Readonly<Record<string, string>> = { α: 'alpha', β: 'beta', γ: 'gamma', ε: 'epsilon', λ: 'lambda', τ: 'tau' }

function nameOf(label: string): string {
  const last = label.replace(/^.*[.](?=\w)/, '').replace(/[αβγελτ]/gu, letter => GREEK[letter] ?? letter)
  const bare = looseName(last).replaceAll('_', '')
  return SPELLINGS.find(([, pattern]) => pattern.test(bare))?.[0] ?? bare
}

function fromEntry({ key, value, quantities, offset, section, leads, statement, table }: Entry): readonly Setting[] {
  const [quantity] = quantities
  if (table !== null || key.length > LONGEST_NAME || quantity === undefined || !isAlone(value, quantity)) return []
  if (![section?.title ?? '', ...leads].some(namesSettings) && !/^[a-z]+(?:_[a-z]+)+$/i.test(key)) return []
  if (statement !== null && stanceOf(statement, 0, statement.text.length) !== 'said') return []
  return [{ name: nameOf(key), label: key, quantity, offset, section, leads, form: 'list', block: offset }]
}

/** The figure is all that is set, but for a remark behind it. */
function isAlone(value: string, { from, to, hedge, bound, ends }: Quantity): boolean {
  const isExact = hedge === null && bound === null && ends === null
  return isExact && from === 0 && /^\s?(?:$|[#(;,，（]|\/\/|[A-Za-z]{1,8}\s?$)/.test(value.slice(to))
}

/** One column of values, with remarks beside it or none. */
function fromMatrix({ table, columns, rows, isSettings }: Matrix): readonly Setting[] {
  const [column, ...more] = columns.filter(({ index, role }) => index > 0 && role !== 'remark')
  if (column === undefined || more.length > 0 || !(isSettings || namesValues(column.name))) return []
  return rows.flatMap(({ name: label, index }) => {
    const { text, quantities, offset } = table.rows[index][column.index]
    const place = { section: table.section, leads: [], form: 'table', block: table.offset } as const
    if (quantities[0] === undefined || !isAlone(text, quantities[0])) return []
    return [{ name: nameOf(label), label, quantity: quantities[0], offset, ...place }]
  })
}

const NUMBER = String.raw`(?<value>-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?)(?![\w.*/+→~–-]|\s?[*/+%→~–]|\s?->)`

const COMMENT = /^\s*(?:#|\/\/)\s?/
const COMMAND =
  /(?:^|[\s;&/\\])(?:python3?(?:\.exe)?|bash|sh|torchrun|accelerate|uv|deepspeed|ray|export|make|npx|srun)\s|^\s*--?[a-z]|^\s*(?:\.\/|[A-Z][A-Z_]+=)/
const PROGRAM = /^\s*(?:def|class|import|from|for|if|return|self\.)|\w\(/
/** `key: 3`, `key = 3`, `"key": 3`, `--key 3`, `--key=3`, `KEY=3`. */
const PAIR = new RegExp(
  String.raw`(?:(?<![^\s])--?(?<flag>[a-z][\w.-]*)[ =]|(?<=^\s*(?:- |export )?|[,({;\d]\s*)["']?(?<key>[A-Za-z][\w.]*)["']?\s?[:=]\s{0,8})${NUMBER}`,
  'gi',
)

function* fromCode({ text, statements }: Evidence['document']): Generator<Setting> {
  if (!/^[\s>]*(?:```|~~~)/m.test(text)) return
  const headings = statements.filter(({ kind }) => kind === 'heading')
  const starts = headings.map(heading => heading.offsetOf(0))
  for (const block of markdownBlocks(text)) {
    if (block.kind !== 'code') continue
    const lines = [...linesOf(text, block)].map(({ from, to }) => ({ from, line: text.slice(from, to) }))
    const isAny = (pattern: RegExp): boolean => lines.some(({ line }) => !COMMENT.test(line) && pattern.test(line))
    const form = isAny(COMMAND) ? 'command' : isAny(PROGRAM) ? 'program' : 'config'
    const section = headings[lastAtMost(starts, block.from)]?.section ?? null
    let leads: readonly string[] = []
    for (const { from, line } of lines) {
      if (COMMENT.test(line)) leads = form === 'command' ? [line.replace(COMMENT, '')] : []
      else
        for (const { index, 0: whole, groups: { flag, key, value = '' } = {} } of everyMatch(line, PAIR)) {
          const [quantity] = readTokens(value).quantities
          const [label, offset] = [flag ?? key ?? '', from + index + whole.length - value.length]
          if (quantity !== undefined)
            yield { name: nameOf(label), label, quantity, offset, section, leads, form, block: block.from }
        }
    }
  }
}
