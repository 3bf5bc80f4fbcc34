import { COUNT, countOf } from '../../document/numerals.js'
import { message } from '../../text/say.js'
import { goalOf } from '../direction.js'
import type { AuditDocument, Statement } from '../document.js'
import { type Grid, gridFor, type Line } from '../grid.js'
import { isRestricted, oneThing } from '../naming.js'
import { printed } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'
import { beatenBy } from './named-extremum.js'

/** "Best on all four benchmarks", while another is ahead on one of them. Ties are no defeat. */
export const bestEverywhere: AuditRule = {
  id: 'best-everywhere',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| method | GSM8K | MATH |\n|---|---|---|\n| PPO | 76.4 | 43.9 |\n| ours | 80.3 | 43.4 |\n\nOurs is best on both benchmarks.',
    sound:
      '| method | GSM8K | MATH |\n|---|---|---|\n| PPO | 76.4 | 42.9 |\n| ours | 80.3 | 43.4 |\n\nOurs is best on both benchmarks.',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      const { kind, text } = statement
      if (kind === 'cell' || kind === 'code' || kind === 'heading') continue
      const everywhere = EVERYWHERE.exec(text)
      const leads = LEADS.exec(text)
      if (everywhere === null || leads === null || DOUBT.test(text)) continue
      const fault = gridFor(document, statement, grid => against(grid, statement, everywhere, leads))
      if (fault !== null && fault !== 'right') yield fault
    }
  },
}

const EVERYWHERE = new RegExp(
  String.raw`(?<![a-z])(?:(?:all|each|every)(?: of the| the)?(?: (?<en>${COUNT}))?|(?<both>both)) (?:benchmarks?|datasets?|metrics?|tasks?|categor(?:y|ies)|test sets?|columns)(?![a-z])|(?:所有|全部|每[个项]|各)\s?(?:(?<zh>${COUNT})\s?[个项类种])?\s?(?:指标|数据集|任务|基准|榜单|类别|测试集)|(?<zhs>${COUNT})\s?[个项类种]\s?(?:指标|数据集|任务|基准|榜单|测试集)上?[都均]`,
  'i',
)
const LEADS =
  /最[高好优佳]|领先|优于所有|超过所有|第一|(?<![a-z])(?:best|highest|lead(?:s|ing)|first|outperform(?:s|ed|ing)? (?:every|all|each|both)|beats? (?:every|all|each|both)|surpass(?:es)? (?:every|all|each|both))(?![a-z])/i
const DOUBT =
  /除|可能|如果|几乎|大多|(?<![a-z])(?:except|but|almost|nearly|most|may|might|if|not|would|average|mean)(?![a-z])|平均/i
/** Columns of what a thing costs or is, rather than of how well it does. */
const NO_SCORE =
  /cost|price|time|latency|params?|size|tokens?|length|steps?|seeds?|hours?|gpu|memory|turns|费用|成本|时间|时长|长度|参数|步数|轮次|显存/i

function against(
  grid: Grid,
  statement: Statement,
  everywhere: RegExpExecArray,
  leads: RegExpExecArray,
): Fault | 'right' | null {
  const thing = oneThing(statement, grid, { from: 0, to: statement.text.length })
  const scores = grid.metrics.filter(({ isDerived, name }) => !isDerived && !NO_SCORE.test(name))
  const { en, zh, zhs, both } = everywhere.groups ?? {}
  const word = en ?? zh ?? zhs
  const count = both !== undefined ? 2 : word === undefined ? null : countOf(word)
  if (thing === null || scores.length < 2 || (count !== null && count !== scores.length)) return null
  if (isRestricted(statement, grid, null) || scores.some(metric => grid.at(thing, metric) === null)) return null
  const defeats = scores.flatMap(metric => {
    const beaten = beatenBy(grid, thing, metric, goalOf([metric.name]) ?? 'high')
    return beaten === null ? [] : [{ metric, beaten }]
  })
  if (defeats.length === 0) return 'right'
  // Beaten everywhere, it is another thing that is meant.
  if (defeats.length === scores.length) return null
  const [{ metric, beaten }] = defeats
  return {
    offset: statement.offsetOf(leads.index),
    message: message('audit.best-everywhere', {
      column: metric.name,
      other: beaten.line.name,
      expected: printed(beaten.quantity),
      name: thing.name,
      found: valueAt(grid, thing, metric),
    }),
    found: valueAt(grid, thing, metric),
    expected: printed(beaten.quantity),
  }
}

function valueAt(grid: Grid, thing: Line, metric: Line): string {
  const quantity = grid.at(thing, metric)
  return quantity === null ? '' : printed(quantity)
}
