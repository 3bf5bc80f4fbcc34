import { listed } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { curvePair } from '../curves.js'
import type { AuditDocument, Cell, Section, Statement, Table } from '../document.js'
import { type Grid, gridFor, thingsNamed } from '../grid.js'
import { namedIn } from '../names.js'
import { isSetting } from '../naming.js'
import { isAdvice } from '../parts.js'
import type { AuditRule, Fault } from '../rule.js'
import { titlesAbove } from '../table-view.js'

/**
 * Several settings changed between two runs, and one is credited with the effect. The settings are those of a
 * configuration table with two columns, or of paired items ("A: entropy 0.01", "B: entropy 0") of the two curves.
 */
export const confound: AuditRule = {
  id: 'confound',
  kind: 'confound',
  severity: 'warning',
  example: {
    faulty:
      '## Configuration\n\n| setting | A | B |\n|---|---|---|\n| KL loss | off | 0.01 |\n| entropy coefficient | 0 | 0.01 |\n| batch | 64 | 64 |\n\n## Result\n\nThe KL loss leads to better rewards.',
    sound:
      '## Configuration\n\n| setting | A | B |\n|---|---|---|\n| KL loss | off | 0.01 |\n| entropy coefficient | 0 | 0 |\n| batch | 64 | 64 |\n\n## Result\n\nThe KL loss leads to better rewards.',
  },
  *check(document: AuditDocument) {
    if (OWNED.test(document.text)) return
    yield* betweenRows(document)
    const changed = inTables(document) ?? inItems(document)
    if (changed === null) return
    const tokens = changed.names.map(tokensOf)
    const credit = document.statements.find(statement => creditsOne(statement, tokens))
    if (credit === undefined) return
    yield {
      offset: changed.offset,
      message: message(changed.isAll ? 'audit.confound' : 'audit.confound.besides', {
        count: changed.names.length,
        names: listed(changed.names),
        line: document.placeOf(credit.offsetOf(0)).line,
      }),
      found: changed.names.join(', '),
      expected: '1',
    }
  },
}

/** The report knows. */
const OWNED =
  /混杂|无法归因|不能归因|无法区分.{0,12}贡献|消融|confound|cannot be (?:attributed|credited|separated)|ablation/i
const CONFIGURATION = /配置|设置|参数|config|settings?|hyper-?param|setup/i
/** Rows that differ between any two runs, or that are outcomes. */
const INCIDENTAL =
  /步数|steps?|epochs?|轮|seed|种子|名称|(?<![a-z])name|路径|path|时间|time|日期|date|output|输出|gpu|host|备注|note|版本|version|id$/i

/** Two runs that differ in more than this have nothing in common. */
const MOST_SETTINGS = 40

interface Changed {
  readonly names: readonly string[]
  readonly offset: number
  /** Items list what differs besides what the runs are named after; a table lists all. */
  readonly isAll: boolean
}

function inTables({ tables }: AuditDocument): Changed | null {
  for (const table of tables) {
    if (table.header.length !== 3 || !isConfiguration(table) || table.header.some(isNoRun)) continue
    const differing = table.rows.filter(
      ([label, a, b]) =>
        !INCIDENTAL.test(label.text) &&
        a.text !== '' &&
        b.text !== '' &&
        !a.pending &&
        !b.pending &&
        plain(a.text) !== plain(b.text),
    )
    if (differing.length < 2 || differing.length > MOST_SETTINGS) continue
    return { names: differing.map(([label]) => label.text), offset: differing[0][0].offset, isAll: true }
  }
  return null
}

/** "Parameter | value | remark" describes one run. */
function isNoRun({ text }: Cell): boolean {
  return /^(?:数?值|取值|说明|备注|含义|描述|values?|defaults?|descriptions?|notes?|remarks?|meaning|comments?)$/i.test(
    text.trim(),
  )
}

function isConfiguration({ header, section }: Table): boolean {
  return [header[0].text, ...titlesAbove(section).slice(0, 1)].some(words => CONFIGURATION.test(words))
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, '')
}

const SETTING_WORDS =
  /学习率|系数|调度|正则|批大小|温度|learning[ _]?rate|(?<![a-z])lr(?![a-z])|coef|schedule|warm-?up|decay|batch|dropout|temperature|entropy|clip/i

/** "A: …" and "B: …" in one section that speaks of a setting. */
function inItems(document: AuditDocument): Changed | null {
  const pair = curvePair(document)
  if (pair === null) return null
  const subjects = [pair.first.subject, pair.second.subject] as const
  const sides = new Map<Section, { said: [string | null, string | null]; offset: number }>()
  for (const { kind, section, text, offsetOf } of document.statements) {
    const label = kind === 'item' && section !== null ? /^[^:]{1,30}(?=:)/.exec(text)?.[0] : undefined
    const side = label === undefined ? null : namedIn(label, subjects)
    if (section === null || label === undefined || side === null) continue
    const entry = sides.get(section) ?? { said: [null, null], offset: offsetOf(0) }
    entry.said[side] ??= text.slice(label.length + 1).trim()
    sides.set(section, entry)
  }
  const differing = [...sides].filter(
    ([
      section,
      {
        said: [a, b],
      },
    ]) => {
      if (a === null || b === null || plain(a) === plain(b)) return false
      return (
        SETTING_WORDS.test(`${section.title} ${a} ${b}`) && /学习率|系数|=\s?[\d.]|rate|coef|batch/i.test(`${a} ${b}`)
      )
    },
  )
  if (differing.length < 2) return null
  const names = differing.map(([{ title }]) =>
    title.replace(/^[\d.、\s]+|的?(?:影响|效果|作用)$|^(?:effects?|impact) of /gi, ''),
  )
  return { names, offset: differing[0][1].offset, isAll: false }
}

const EFFECT =
  /说明|导致|使得|有助于|提升了|限制了|防止|有效|显著|影响|because|due to|leads? to|thanks to|improves?|prevents?|limits?|helps?|effects? of|impact/i
const REGULARISATION = /正则化|regulari[sz]/i

/** A sentence that gives an effect to a single changed setting. */
function creditsOne(statement: Statement, tokens: readonly (readonly string[])[]): boolean {
  const { kind, text, claims } = statement
  if (kind === 'code' || kind === 'cell' || isAdvice(statement) || !EFFECT.test(text)) return false
  if (claims.some(({ hedged }) => hedged)) return false
  const lower = text.toLowerCase()
  const named = tokens.filter(words => words.some(word => lower.includes(word))).length
  return named === 1 || (named === 0 && REGULARISATION.test(text))
}

function tokensOf(name: string): readonly string[] {
  return [...name.toLowerCase().matchAll(/[a-z]{2,}|[\u4e00-\u9fff]{2}/g)]
    .map(([word]) => word)
    .filter(word => !COMMON.has(word))
}

const COMMON = new Set(['loss', 'coeff', 'coef', 'coefficient', 'rate', 'the', 'of', 'weight', '影响', '系数'])

/** "From E30 to E32 …, so KL helps", while the rows of the two differ in several columns of settings. */
function* betweenRows(document: AuditDocument): Generator<Fault> {
  for (const statement of document.statements) {
    const { kind, text, claims } = statement
    if (kind === 'cell' || kind === 'code' || isAdvice(statement) || !CREDIT.test(text)) continue
    if (claims.some(({ hedged }) => hedged)) continue
    const fault = gridFor(document, statement, grid => creditAgainst(grid, statement))
    if (fault !== null && fault !== 'right') yield fault
  }
}

const CREDIT =
  /说明|表明|证明|导致|使得|归功于|得益于|带来|(?<![a-z])(?:because of|due to|thanks to|shows that|proves|so the|caused by|owing to)(?![a-z])/i

function creditAgainst(grid: Grid, statement: Statement): Fault | 'right' | null {
  const { text } = statement
  const named = thingsNamed(statement, grid)
  if (named.length !== 2) return null
  const [a, b] = named.map(({ line }) => line)
  const settings = grid.metrics.filter(isSetting)
  const changed = settings.filter(metric => {
    const [first, second] = [grid.cellAt(a, metric), grid.cellAt(b, metric)]
    return !first.pending && !second.pending && plain(first.text) !== plain(second.text)
  })
  if (settings.length < 2) return null
  const credited = changed.filter(({ name }) => tokensOf(name).some(word => text.toLowerCase().includes(word)))
  if (changed.length < 2 || credited.length !== 1) return 'right'
  const at = CREDIT.exec(text)?.index ?? 0
  return {
    offset: statement.offsetOf(at),
    message: message('audit.confound-rows', {
      first: a.name,
      second: b.name,
      count: changed.length,
      names: listed(changed.map(({ name }) => name)),
    }),
    found: credited[0].name,
    expected: changed.map(({ name }) => name).join(', '),
  }
}
