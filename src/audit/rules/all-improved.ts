import { COUNT, countOf } from '../../document/numerals.js'
import { message } from '../../text/say.js'
import { goalOf } from '../direction.js'
import type { AuditDocument, Statement } from '../document.js'
import { type Grid, gridFor, type Line } from '../grid.js'
import { oneMetric } from '../naming.js'
import { printed } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * "All three variants improve over the baseline", while one row lies on the other side of it. The count must be that of
 * the other rows, or the sentence must say all of them: otherwise nobody knows which are meant.
 */
export const allImproved: AuditRule = {
  id: 'all-improved',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| run | accuracy |\n|---|---|\n| baseline | 61.4% |\n| E1 | 62.9% |\n| E2 | 60.8% |\n\nCompared with the baseline, all runs improve accuracy.',
    sound:
      '| run | accuracy |\n|---|---|\n| baseline | 61.4% |\n| E1 | 62.9% |\n| E2 | 61.8% |\n\nCompared with the baseline, all runs improve accuracy.',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      const { kind, text } = statement
      if (kind === 'cell' || kind === 'code' || kind === 'heading' || DOUBT.test(text)) continue
      const all = ALL.exec(text)
      const improved = IMPROVED.exec(text)
      if (all === null || improved === null || !BASELINE.test(text)) continue
      const fault = gridFor(document, statement, grid => against(grid, statement, improved))
      if (fault !== null && fault !== 'right') yield fault
    }
  },
}

const BASELINE = /基线|基准|对照|(?<![a-z])(?:baseline|base model|reference run|control)(?![a-z])/i
const ALL = /都|均(?!值)|全部|所有|(?<![a-z])(?:all|every|each|both)(?![a-z])/i
const IMPROVED =
  /提升|提高|改善|上升|更高|更好|优于|高于|超过|(?<![a-z])(?:improve[sd]?|better|higher|outperform(?:s|ed)?|beats?|exceeds?|gain(?:s|ed)?|rais(?:es|ed))(?![a-z])/i
const DOUBT =
  /除|可能|如果|并非|不是|没有|几乎|(?<![a-z])(?:except|not|may|might|if|almost|nearly|most|would)(?![a-z])/i
const COUNTED = new RegExp(String.raw`(?<![\w.])(${COUNT})\s?(?:个|组|种|项|次|[a-z])`, 'i')

function against(grid: Grid, statement: Statement, improved: RegExpExecArray): Fault | 'right' | null {
  const baselines = grid.things.filter(({ name }) => BASELINE.test(name))
  const [baseline] = baselines
  const metric = oneMetric(statement, grid, statement.text)
  if (baselines.length !== 1 || metric === null || goalOf([metric.name]) === 'low') return null
  const base = grid.at(baseline, metric)
  const others = grid.things.flatMap(line => {
    const quantity = line === baseline ? null : grid.at(line, metric)
    return quantity === null ? [] : [{ line, quantity }]
  })
  const said = COUNTED.exec(statement.text)?.[1]
  const count = said === undefined ? null : countOf(said)
  if (base === null || others.length < 2 || (count !== null && count !== others.length)) return null
  const below = others.find(({ quantity }) => quantity.range.high <= base.range.low && quantity.value !== base.value)
  // Most must be as claimed: otherwise it is said of something else.
  const isMostly = others.filter(({ quantity }) => quantity.value > base.value).length * 2 >= others.length
  if (below === undefined || !isMostly) return 'right'
  return faultOf(statement, improved, metric, baseline, below.line, printed(below.quantity), printed(base))
}

function faultOf(
  statement: Statement,
  improved: RegExpExecArray,
  metric: Line,
  baseline: Line,
  line: Line,
  found: string,
  expected: string,
): Fault {
  return {
    offset: statement.offsetOf(improved.index),
    message: message('audit.all-improved', {
      words: improved[0],
      column: metric.name,
      name: line.name,
      found,
      baseline: baseline.name,
      expected,
    }),
    found,
    expected,
  }
}
