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
 * What a report says was set, wherever it says so: lines of a list, tables of settings, commands, snippets of
 * configuration and of programs. One noun for all of them, so that a setting that is given twice can be seen.
 */
export interface Setting {
  /** One name for all spellings: `--learning-rate`, `LR` and 学习率. */
  readonly name: string
  /** As printed. */
  readonly label: string
  readonly quantity: Quantity
  readonly offset: number
  readonly section: Section | null
  /** A line above it, which may name the run that it is of. */
  readonly isLed: boolean
  readonly form: 'list' | 'table' | 'command' | 'config' | 'program'
  /** Where the block that holds it begins: what stands there twice is tried out. */
  readonly block: number
}

export function settingsOf(evidence: Evidence): readonly Setting[] {
  const lists = entriesOf(evidence).flatMap(fromEntry)
  return [...lists, ...evidence.matrices.flatMap(fromMatrix), ...fromCode(evidence)]
}

// biome-ignore format: a table is read by its lines
const SPELLINGS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['batch', /^(?:train)?batch(?:size)?$|^批大小$/],
  ['clip', /^clip(?:range|ratio|eps(?:ilon)?)?$/],
  ['entropy', /^ent(?:ropy)?coeff?(?:icient)?$|^熵系数$/],
  ['epochs', /^(?:num(?:train)?|total|train(?:ing)?)?epochs?$|^训练轮数$/],
  ['gamma', /^(?:gamma|γ|discount(?:factor)?|折扣因子)$/],
  ['group', /^(?:groupsize|numgenerations|组大小)$/],
  ['kl', /^(?:kl(?:loss|penalty|惩罚)?(?:beta|coeff?(?:icient)?|系数)β?|beta|β)$/],
  ['lr', /^(?:lr|learningrate|学习率)$/],
  ['seed', /^(?:random)?seed$|^随机种子$/],
  ['steps', /^(?:max|total|num|train(?:ing)?)?steps$|^(?:训练|总)?步数$/],
  ['temperature', /^(?:temperature|(?:采样)?温度)$/],
]

function nameOf(label: string): string {
  const bare = looseName(label.replace(/^.*[.](?=\w)/, '')).replaceAll('_', '')
  return SPELLINGS.find(([, pattern]) => pattern.test(bare))?.[0] ?? bare
}

const LONGEST_NAME = 40
const IDENTIFIER = /^[a-z]+(?:_[a-z]+)+$/i

function fromEntry({ key, value, quantities, offset, section, leads, statement }: Entry): readonly Setting[] {
  const [quantity] = quantities
  if (statement === null || key.length > LONGEST_NAME || quantity === undefined || !isAlone(value, quantity)) return []
  if (!IDENTIFIER.test(key) && ![section?.title ?? '', ...leads].some(namesSettings)) return []
  if (stanceOf(statement, 0, statement.text.length) !== 'said') return []
  const [isLed, block] = [leads.length > 0, section?.offset ?? 0]
  return [{ name: nameOf(key), label: key, quantity, offset, section, isLed, form: 'list', block }]
}

/** The figure is all that is set, but for a remark behind it. */
function isAlone(value: string, { from, to, hedge, bound, ends }: Quantity): boolean {
  const isExact = hedge === null && bound === null && ends === null
  return isExact && from === 0 && /^\s?(?:$|[#(;,，（]|\/\/|[A-Za-z]{1,8}\s?$)/.test(value.slice(to))
}

/** One column of values, with remarks beside it or none: where there are more, they are of several things. */
function fromMatrix({ table, columns, rows, isSettings }: Matrix): readonly Setting[] {
  const [column, ...more] = columns.filter(({ index, role }) => index > 0 && role !== 'remark')
  if (column === undefined || more.length > 0 || !(isSettings || namesValues(column.name))) return []
  if (/default|默认/i.test(column.name)) return []
  const place = { section: table.section, isLed: false, form: 'table', block: table.offset } as const
  return rows.flatMap(({ name: label, index }) => {
    const { text, quantities, offset } = table.rows[index][column.index]
    const [quantity] = quantities
    return quantity === undefined || !isAlone(text, quantity)
      ? []
      : [{ name: nameOf(label), label, quantity, offset, ...place }]
  })
}

const COMMENT = /^\s*(?:#|\/\/)\s?/
const COMMAND =
  /(?:^|[\s;&/\\])(?:python3?(?:\.exe)?|bash|sh|torchrun|accelerate|uv|deepspeed|ray|export|make|npx|srun)\s|^\s*--?[a-z]|^\s*(?:\.\/|[A-Z][A-Z_]+=)/
const PROGRAM = /^\s*(?:def|class|import|from|for|if|return|self\.)|\w\(/
/** `key: 3`, `key = 3`, `"key": 3`, `--key 3`, `--key=3`, `KEY=3`; what is reckoned, a range or a path is no figure. */
const PAIR =
  /(?:(?<!\S)--?(?<flag>[a-z][\w.-]*)[ =]|(?<=^\s*(?:- |export )?|[,({;\d]\s*)["']?(?<key>[A-Za-z][\w.]*)["']?\s?[:=]\s{0,8})(?<value>-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?)(?![\w.*/+→~–-]|\s?[*/+%→~–]|\s?->)/gi

/** Nobody reads further. */
const LONGEST_LINE = 1_000

function* fromCode({ document: { text, statements } }: Evidence): Generator<Setting> {
  if (!/^[ \t>]*(?:```|~~~)/m.test(text)) return
  const headings = statements.filter(({ kind }) => kind === 'heading')
  const starts = headings.map(heading => heading.offsetOf(0))
  for (const block of markdownBlocks(text)) {
    if (block.kind !== 'code') continue
    const short = [...linesOf(text, block)].filter(({ from, to }) => to - from <= LONGEST_LINE)
    const lines = short.map(({ from, to }) => ({ from, line: text.slice(from, to) }))
    const isAny = (pattern: RegExp): boolean => lines.some(({ line }) => !COMMENT.test(line) && pattern.test(line))
    const form = isAny(COMMAND) ? 'command' : isAny(PROGRAM) ? 'program' : 'config'
    const place = {
      section: headings[lastAtMost(starts, block.from)]?.section ?? null,
      form,
      block: block.from,
    } as const
    let isLed = false
    for (const { from, line } of lines) {
      // A remark names the command below it; in a configuration it names a part.
      if (COMMENT.test(line)) isLed = form === 'command'
      else
        for (const { index, 0: whole, groups: { flag, key, value = '' } = {} } of everyMatch(line, PAIR)) {
          const [quantity] = readTokens(value).quantities
          const [label, offset] = [flag ?? key ?? '', from + index + whole.length - value.length]
          if (quantity !== undefined) yield { name: nameOf(label), label, quantity, offset, isLed, ...place }
        }
    }
  }
}
