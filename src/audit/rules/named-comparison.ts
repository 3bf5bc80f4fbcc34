import { message } from '../../text/say.js'
import { goalOf } from '../direction.js'
import type { AuditDocument, Statement } from '../document.js'
import { type Grid, gridFor, type Line, sameUnit, thingsNamed } from '../grid.js'
import { clauseAt, isAlone, isRestricted, oneMetric } from '../naming.js'
import { printed } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * "osprey beats heron on shell tasks", "E34 的解决率低于基线": which of two named rows has more of a named quantity, against
 * the table; and a comparison with a row whose cell is still open.
 */
export const namedComparison: AuditRule = {
  id: 'named-comparison',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| model | shell | web |\n|---|---|---|\n| heron | 77.5 | 74.0 |\n| osprey | 75.0 | 68.0 |\n\nosprey beats heron on shell.',
    sound:
      '| model | shell | web |\n|---|---|---|\n| heron | 77.5 | 74.0 |\n| osprey | 75.0 | 68.0 |\n\nheron beats osprey on shell.',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      const { kind, text } = statement
      if (kind === 'cell' || kind === 'code' || kind === 'heading') continue
      for (const word of wordsIn(text)) {
        const fault = gridFor(document, statement, grid => against(document, grid, statement, word))
        if (fault !== null && fault !== 'right') yield fault
      }
    }
  },
}

interface Word {
  readonly from: number
  readonly to: number
  readonly means: 'more' | 'less' | 'better' | 'worse'
}

/** The first thing stands before these and the second behind: "A beats B", "A 高于 B", "A 比 B 高". */
const WORDS: readonly (readonly [RegExp, Word['means']])[] = [
  [
    /高于|大于|多于|超过(?!所有)|(?<![a-z])(?:(?:is|are|was|were|scores?|stays?|lies?) (?:clearly |slightly )?(?:higher than|above)|exceeds?)(?![a-z])/gi,
    'more',
  ],
  [
    /低于|小于|少于|(?<![a-z])(?:is|are|was|were|scores?|stays?|lies?) (?:clearly |slightly )?(?:lower than|below)(?![a-z])/gi,
    'less',
  ],
  [
    /优于(?!所有)|好于|胜过|(?<![a-z])(?:outperforms?|beats?|surpass(?:es)?|(?:is|are|was|does|performs) (?:clearly |slightly )?better than)(?![a-z])/gi,
    'better',
  ],
  [
    /劣于|不如|差于|(?<![a-z])(?:underperforms?|(?:is|are|was|does|performs) (?:clearly |slightly )?worse than|trails|lags behind)(?![a-z])/gi,
    'worse',
  ],
]
const THAN_ZH = /比[^,;。，；比]{1,24}?(?<word>[高多低少好差])/g
const DOUBT =
  /可能|如果|若|是否|预期|希望|应该|未必|没有|并不|并未|(?<![a-z])(?:may|might|if|not|would|could|should|expect(?:ed|s)?|whether|unless|neither|no longer)(?![a-z])|\?/i

/** Without one of these none of them can match. */
const COMPARES = /于|超过|胜过|不如|比|than|above|below|exceed|beat|perform|surpass|trails|lags/i

function wordsIn(text: string): readonly Word[] {
  if (!COMPARES.test(text)) return []
  const found = WORDS.flatMap(([pattern, means]) =>
    [...text.matchAll(pattern)].map(({ index, 0: word }): Word => ({ from: index, to: index + word.length, means })),
  )
  const than = [...text.matchAll(THAN_ZH)].map(({ index, 0: words, groups }): Word => {
    const word = groups?.word ?? ''
    const means = /[高多]/.test(word) ? 'more' : /[低少]/.test(word) ? 'less' : word === '好' ? 'better' : 'worse'
    return { from: index, to: index + 1, means: words === '' ? 'more' : means }
  })
  return [...found, ...than].slice(0, MOST_WORDS)
}

const MOST_WORDS = 6

function against(document: AuditDocument, grid: Grid, statement: Statement, word: Word): Fault | 'right' | null {
  const { text } = statement
  const clause = clauseAt(text, word.from)
  const words = text.slice(clause.from, clause.to)
  if (DOUBT.test(words)) return null
  const named = thingsNamed(statement, grid)
  const second = named.find(({ from }) => from >= word.to && from <= clause.to)
  const earlier = named.filter(({ to }) => to <= word.from)
  const inside = earlier.filter(({ from }) => from >= clause.from)
  const first = inside.length > 0 ? inside[inside.length - 1] : earlier.length === 1 ? earlier[0] : undefined
  if (first === undefined || second === undefined || inside.length > 1) return null
  // "A and B beat C", "A beats B and C": more than two are compared.
  if (named.filter(({ from }) => from >= clause.from && from <= clause.to).length > 2) return null
  if (![first, second].every(({ line }) => isAlone(grid, line))) return null
  const metric =
    oneMetric(statement, grid, words) ?? (grid.table.section === statement.section ? onlyMetric(grid) : null)
  if (metric === null || isRestricted(statement, grid, metric)) return null
  return judged(document, grid, statement, { word, words, first: first.line, second: second.line, metric })
}

function onlyMetric(grid: Grid): Line | null {
  const own = grid.metrics.filter(({ isDerived }) => !isDerived)
  return own.length === 1 ? own[0] : null
}

interface Comparison {
  readonly word: Word
  readonly words: string
  readonly first: Line
  readonly second: Line
  readonly metric: Line
}

function judged(
  document: AuditDocument,
  grid: Grid,
  statement: Statement,
  { word, first, second, metric }: Comparison,
): Fault | 'right' | null {
  const said = statement.text.slice(word.from, word.to)
  const open = [first, second].find(line => grid.cellAt(line, metric).pending && grid.cellAt(line, metric).text !== '-')
  if (open !== undefined) {
    const cell = grid.cellAt(open, metric)
    return {
      offset: statement.offsetOf(word.from),
      message: message('audit.named-pending', {
        words: said,
        column: metric.name,
        name: open.name,
        line: document.placeOf(cell.offset).line,
      }),
      found: said,
      expected: cell.text,
    }
  }
  const [a, b] = [grid.at(first, metric), grid.at(second, metric)]
  const sign = signOf(word, metric)
  if (a === null || b === null || sign === null || !sameUnit(a, b)) return null
  const isWrong = sign > 0 ? a.range.high <= b.range.low : a.range.low >= b.range.high
  if (!isWrong || a.value === b.value) return 'right'
  return {
    offset: statement.offsetOf(word.from),
    message: message('audit.named-comparison', {
      words: said,
      column: metric.name,
      name: first.name,
      first: printed(a),
      other: second.name,
      second: printed(b),
    }),
    found: said,
    expected: `${printed(a)}, ${printed(b)}`,
  }
}

/** Whether the first must have more; null where nobody can say what is better. */
function signOf({ means }: Word, { name }: Line): 1 | -1 | null {
  if (means === 'more' || means === 'less') return means === 'more' ? 1 : -1
  const goal = goalOf([name]) ?? (UNCLEAR.test(name) ? null : 'high')
  if (goal === null) return null
  return (goal === 'high') === (means === 'better') ? 1 : -1
}

const UNCLEAR =
  /kl|entropy|norm|length|tokens?|ratio|time|turns|cost|memory|hours?|latency|steps?|rate$|熵|长度|时间|时长|轮次|成本|显存|步数|比例|拒/i
