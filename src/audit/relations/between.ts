import type { Statement } from '../../document/document.js'
import { type Axis, type Matrix, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import {
  type Assertion,
  confirmed,
  type Figure,
  type Outcome,
  type Relation,
  refuted,
  UNCHECKED,
} from '../assertion.js'
import { rowsWhere } from '../conditions.js'
import { type Evidence, goalOf, goalOfAxis, isAround } from '../evidence.js'
import { fault } from '../fault.js'
import { has, places, source } from '../lexicon.js'
import { type Clause, clauseOf, clausesOf, type Focus, focusOf, type Mention, mentionsIn } from '../mentions.js'
import { assertionIn, figureAs, figureOf } from '../read.js'
import { isDenied } from '../stance.js'
import { changeReadings } from './change.js'

/**
 * Two things of one table set against each other by name: "B is below A", "A gains 5.3 points over B", "between step 100
 * and 250 entropy fell by 0.13". The names say which two rows or columns, a third name which line they cross; what is
 * not named is left open, and every line that is left must contradict the sentence before it is refuted.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-order': { en: '“{quote}”: in “{line}” {left} has {found} and {right} has {expected} (line {at}); turn the word round, or name the exception', zh: '“{quote}”：“{line}”中 {left} 是 {found}，{right} 是 {expected}（第 {at} 行），正好相反；应改用词，或说明例外' },
  'audit.named-difference': { en: '“{quote}”: in “{line}” {left} has {leftValue} and {right} has {rightValue} (line {at}): {expected}, not {found}; write {expected}', zh: '“{quote}”：“{line}”中 {left} 是 {leftValue}，{right} 是 {rightValue}（第 {at} 行），相差 {expected}，不是 {found}；应写 {expected}' },
  'audit.figures-opposed': { en: '“{quote}”: {found} against {expected} is the other way round; change the word, or the figures', zh: '“{quote}”：{found} 与 {expected} 正好相反；应改用词，或改数字' },
  'audit.sign-and-word': { en: '“{quote}”: {found} says the opposite of “{word}”; change the word or the sign', zh: '“{quote}”：{found} 与“{word}”相反；应改用词或改正负号' },
})

const LONGEST = 600

function* read({ document }: Evidence): Generator<Assertion> {
  for (const statement of document.statements) {
    if (statement.kind === 'code' || statement.kind === 'heading' || statement.text.length > LONGEST) continue
    for (const clause of clausesOf(statement)) {
      yield* comparisons(clause)
      yield* differences(clause)
    }
  }
}

/** What stands right before the one that something is measured against. */
const BASE =
  /(?:比|较|相比于?|相对于?|对比|[高低大小多少优好差长短劣逊弱强]于|超[过越出]?|胜过|领先于?|落后于?|不如|不及|高出|(?<![A-Za-z])(?:than|over|vs\.?|versus|against|compared (?:to|with)|relative to|from|(?:out|under)performs?(?:ed)?|beats?|surpass(?:es|ed)?|exceed(?:s|ed)?|trails|behind|above|below|ahead of))\s*(?:了|当前|原来?的?|(?:the|its|our|all|both)\s)?\s*[`"'“‘]?\s*$/i

/** A clause without any of these compares with nothing that it names. */
const AGAINST =
  /比|较|相对|[高低大小多少优好差长短劣逊弱强]于|超[过越出]|胜过|领先|落后|不如|不及|高出|(?<![A-Za-z])(?:than|over|vs\.?|versus|against|compared|relative|(?:out|under)perform|beats?|surpass|exceed|trails|behind|above|below|ahead)/i

const WORDS = ['larger', 'smaller', 'better', 'worse', 'faster', 'slower'] as const
/** 比 Y 高: the bare adjective counts only behind 比. */
const BARE = /比[^,，。;；]{1,30}?(?<=[^最更])([高大多好低小少差])/

function* comparisons({ statement, from, to, text }: Clause): Generator<Assertion> {
  if (EXCEPT.test(statement.text) || !AGAINST.test(text)) return
  const bare = BARE.exec(text)
  const found = [...places(text, ...WORDS)]
  if (bare !== null && found.length === 0) {
    const at = bare.index + bare[0].length - 1
    found.push({ from: at, to: at + 1, text: bare[1] ?? '' })
  }
  for (const word of found) {
    if (isDenied(text, word.from) || /(?:或|(?<![a-z])or )\s?$/i.test(text.slice(0, word.from))) continue
    const isMore = has(word.text, 'larger', 'better', 'faster') || /[高大多好]/.test(word.text)
    const isGood =
      (has(word.text, 'better', 'worse') && !has(word.text, 'larger', 'smaller')) || /[好差]/.test(word.text)
    yield assertionIn(statement, 'comparison', {
      from,
      to,
      sense: isMore ? 'up' : 'down',
      quantity: text,
      figures: BASE.test(text.slice(0, word.to)) ? signedBehind(statement, from + word.to, to) : [],
      manner: `${has(word.text, 'faster', 'slower') ? 'speed' : isGood ? 'good' : 'plain'} ${from + word.from} ${from + word.to}`,
    })
  }
}

/** "Below A (−0.6 %)": the difference in brackets behind the one it is against. */
function signedBehind(statement: Statement, from: number, to: number): readonly Figure[] {
  const stated = statement.quantities.find(
    one =>
      one.from >= from &&
      one.from - from < 40 &&
      one.to <= to + 1 &&
      one.signed &&
      !one.plusMinus &&
      /^[^(（]*[(（]\s?(?:vs|仅|差|约)?\s?$/.test(statement.text.slice(from, one.from)),
  )
  return stated === undefined ? [] : [figureOf(statement, stated, 'value')]
}

/** The lines are what is quantified, not the things that are compared. */
const EVERYWHERE =
  /(?:在|于)(?:所有|全部|各|每)|条件下[都均]|数据[量集]?[上下][都均]|条数据下[都均]|全面|(?<![A-Za-z])(?:on|in|for|across|under|at|with) (?:all|every|each|both)(?![A-Za-z])|everywhere|always/i

const EXCEPT =
  /除[^,，。]{1,24}[外了]|部分|多数|大多|(?<![a-z])(?:except|apart from|other than|besides|most|mostly|some)(?![a-z])/i

/** A figure that says by how much: signed, in points, a multiple, or beside a word for a change. */
function* differences({ statement, from, to, text }: Clause): Generator<Assertion> {
  for (const quantity of statement.quantities) {
    if (quantity.from < from || quantity.to > to || quantity.plusMinus || quantity.ends !== null) continue
    if (quantity.unit !== null && !CHANGE_UNITS.has(quantity.unit)) continue
    const before = statement.text.slice(Math.max(from, quantity.from - 16), quantity.from)
    const behind = statement.text.slice(quantity.to, Math.min(to, quantity.to + 14))
    const isSure = quantity.signed || quantity.unit === 'points' || quantity.unit === 'times'
    if (!isSure && !AMOUNT.test(before) && !MORE_BEHIND.test(behind)) continue
    if (/(?:\/|vs\.?)\s?$/.test(before) || /^\s?(?:\/|vs)/.test(behind)) continue
    if (/(?:从|由|至|到|(?<![A-Za-z])(?:from|to))[\s`]*$/i.test(before)) continue
    if (/[=:：]\s*$/.test(before) && !has(before, 'change', 'up', 'down', 'better', 'worse')) continue
    yield assertionIn(statement, 'comparison', {
      from,
      to,
      figures: [figureOf(statement, quantity, 'result')],
      quantity: text,
      manner: 'by',
    })
  }
}

const CHANGE_UNITS: ReadonlySet<string> = new Set(['%', 'points', 'times'])
const MORE_BEHIND = new RegExp(`^\\s?(?:points?\\s)?${source('larger', 'smaller', 'better', 'worse')}`, 'i')
const AMOUNT =
  /(?:了|高|低|多|少|净[增降]|幅度?|差距?|相差|提升|提高|下降|降低|减少|增加|上升|领先|落后|(?<![A-Za-z])(?:by|gap|margin|difference|lead|gains?|gained|loses|lost|drop(?:s|ped)?|improvement|reduction|increase|decrease)(?: of| is| was| by)?)\s*[:：=]?\s*(?:约|仅|只|只有|仅有|about|only|just)?\s*[`(（]?\s*$/i

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const clause = clauseOf(assertion)
  if (
    clause === null ||
    assertion.stance === 'planned' ||
    assertion.stance === 'advised' ||
    assertion.stance === 'defined'
  )
    return UNCHECKED
  const figure = figureAs(assertion, 'result')
  const near = evidence.near(assertion.offset).slice(0, NEAREST)
  const outcome =
    figure === null
      ? checkOrder(assertion, clause, near, evidence)
      : checkAmount(assertion, clause, figure, near, evidence)
  return outcome
}

const NEAREST = 8

/** Two named things, the lines in which both have a value, and whether the sentence names the line. */
interface Pairing {
  readonly matrix: Matrix
  readonly isRow: boolean
  readonly left: Axis
  readonly right: Axis
  readonly crossing: readonly Axis[]
  readonly isNamed: boolean
  /** Conditions are named, and hold for all of the lines. */
  readonly isEvery: boolean
  readonly isWhole: boolean
  /** What is left open is told from the rest: against a named base, or in a line of its own. */
  readonly isTold: boolean
}

interface Compared {
  readonly pairing: Pairing
  readonly line: Axis
  readonly left: Quantity
  readonly right: Quantity
}

function valuesOf(pairing: Pairing): readonly Compared[] {
  const { matrix, isRow, left, right, crossing } = pairing
  return crossing.flatMap(line => {
    const value = (axis: Axis): Quantity | null =>
      isRow ? valueAt(matrix, axis.index, line.index) : valueAt(matrix, line.index, axis.index)
    const [a, b] = [value(left), value(right)]
    const isPlain = [left, right].every(axis => {
      const cell = isRow ? matrix.table.rows[axis.index]?.[line.index] : matrix.table.rows[line.index]?.[axis.index]
      return (cell?.quantities.length ?? 0) < 3
    })
    return a === null || b === null || a.ends !== null || b.ends !== null || !isPlain
      ? []
      : [{ pairing, line, left: a, right: b }]
  })
}

type Crossing = Pick<Pairing, 'crossing' | 'isNamed' | 'isEvery'>

/** Without a row of means, the mean over all lines. */
function meanOf(pairing: Pairing): readonly Compared[] {
  const values = valuesOf(pairing)
  const [first] = values
  if (first === undefined || values.length === 1) return values
  const mean = (list: readonly Quantity[]): Quantity => {
    const value = list.reduce((sum, one) => sum + one.value, 0) / list.length
    const half = Math.max(...list.map(({ range }) => (range.high - range.low) / 2))
    return { ...(list[0] ?? first.left), value, range: { low: value - half, high: value + half } }
  }
  return [{ ...first, left: mean(values.map(({ left }) => left)), right: mean(values.map(({ right }) => right)) }]
}

/** The lines that two rows or columns cross: those that are named, else those under the named conditions, else all. */
function crossingOf(focus: Focus, isRow: boolean, clause: Clause): Crossing {
  const { matrix } = focus
  const isGap = GAP.test(clause.text)
  const measured = ({ role }: Axis): boolean => (isGap ? role === 'difference' : role === 'value' || role === 'summary')
  const own = (isRow ? focus.columns : focus.rows).flatMap(({ axes }) => axes).filter(measured)
  const all = (isRow ? matrix.columns : matrix.rows).filter(axis => measured(axis) && (!isRow || axis.index > 0))
  const means = all.filter(({ role }) => role === 'summary')
  const where = isRow ? null : rowsWhere(matrix, [clause.statement.text.slice(0, clause.to)])
  if (where !== null) return { crossing: where, isNamed: where.length > 0, isEvery: true }
  if (own.length > 0) return { crossing: own, isNamed: true, isEvery: false }
  const inherited = focus.inherited
    .filter(one => one.isRow !== isRow)
    .flatMap(({ axes }) => axes)
    .filter(measured)
  if (inherited.length > 0) return { crossing: inherited, isNamed: true, isEvery: false }
  if (means.length > 0 && has(clause.statement.text.slice(0, clause.to), 'mean'))
    return { crossing: means, isNamed: true, isEvery: false }
  return { crossing: all.slice(0, MOST_CROSSING), isNamed: all.length === 1, isEvery: false }
}

/** Gains are compared, not scores. */
const GAP =
  /幅度|增益|差距|增量|(?<![A-Za-z])(?:gains?|improvements?|drops?|gaps?|margins?) (?:is|are|was|were|of|on|for)(?![A-Za-z])/i

const MOST_CROSSING = 40

function comparable(matrix: Matrix, isRow: boolean): boolean {
  return isRow ? matrix.alongColumns : matrix.alongRows
}

/** Subject and rival of a comparing word, in every way that the names allow. */
function rivalsOf(clause: Clause, focus: Focus, word: number): readonly Pairing[] {
  const { statement } = clause
  return [true, false].flatMap(isRow => {
    if (!comparable(focus.matrix, isRow)) return []
    const own = isRow ? focus.rows : focus.columns
    const isBase = ({ from }: Mention): boolean => BASE.test(statement.text.slice(Math.max(0, from - 24), from))
    const first = own.find(isBase)
    if (first === undefined) return []
    // "Below A, B and C": what follows the first rival is a rival too, unless the first stands before the word.
    const bases = own.filter(one => one === first || isBase(one) || (first.from > word && one.from > first.from))
    const others = own.filter(one => !bases.includes(one))
    const subjects = others.length > 0 ? others : subjectBefore(clause, focus, isRow, isBase)
    const crossing = crossingOf(focus, isRow, clause)
    return subjects.flatMap(subject =>
      subject.axes.flatMap(left =>
        bases.flatMap(base =>
          base.axes.flatMap(right =>
            left === right || !isMeasured(left) || !isMeasured(right)
              ? []
              : [
                  {
                    matrix: focus.matrix,
                    isRow,
                    left,
                    right,
                    ...crossing,
                    isWhole: subject.isWhole && base.isWhole,
                    isTold: true,
                  },
                ],
          ),
        ),
      ),
    )
  })
}

/** Who the sentence was about: the first name of the nearest clause before that does not begin with a rival. */
function subjectBefore(
  clause: Clause,
  focus: Focus,
  isRow: boolean,
  isBase: (one: Mention) => boolean,
): readonly Mention[] {
  const all = mentionsIn(clause.statement, focus.matrix).filter(one => one.isRow === isRow)
  for (const { from, to } of clausesOf(clause.statement)
    .filter(one => one.to <= clause.from)
    .reverse()) {
    const [first] = all.filter(one => one.from >= from && one.to <= to)
    if (first !== undefined && !isBase(first)) return [first]
  }
  return all.some(one => one.to <= clause.from) ? [] : focus.inherited.filter(one => one.isRow === isRow).slice(0, 1)
}

const isMeasured = ({ role }: Axis): boolean =>
  role === 'value' || role === 'summary' || role === 'step' || role === 'label'

function checkOrder(assertion: Assertion, clause: Clause, near: readonly Matrix[], evidence: Evidence): Outcome {
  const isUp = assertion.sense === 'up'
  const [manner = '', at = '0'] = assertion.manner.split(' ')
  const isGood = manner === 'good' || manner === 'speed'
  const isAll = EVERYWHERE.test(clause.text)
  const [signed] = assertion.figures
  if (signed !== undefined && isOpposed(assertion, clause, signed, isGood))
    return againstSign(assertion, clause, signed)
  const own = isGood || near.some(matrix => hasNumberNames(clause, matrix)) ? null : figuresCompared(clause, Number(at))
  if (own !== null) {
    const holds = own.left.value > own.right.value === isUp
    const text = (one: Quantity): string => clause.statement.text.slice(one.from, one.to)
    if (holds) return confirmed(`${text(own.left)}, ${text(own.right)}`)
    const params = { quote: assertion.quote, found: text(own.left), expected: text(own.right) }
    return refuted(
      fault('sign-contradicted', clause.statement.offsetOf(own.right.from), say('audit.figures-opposed', params), {
        expected: isUp ? '>' : '<',
      }),
    )
  }
  let miss: Compared | null = null
  const inside = near.filter(({ table }) => table.section === assertion.scope.section)
  const isInside = inside.some(matrix =>
    rivalsOf(clause, focusOf(clause, matrix), Number(at)).some(one => valuesOf(one).length > 0),
  )
  for (const matrix of isInside ? inside : near) {
    const compared = rivalsOf(clause, focusOf(clause, matrix), Number(at)).flatMap(valuesOf)
    const judged = compared.flatMap(one => {
      const wants = manner === 'speed' && !SPEED.test(one.line.name) ? null : wantedOf(one, isGood, isUp, clause)
      const holds = one.left.value > one.right.value === wants
      // What rounding may have made equal holds, and is held against nobody.
      return wants === null || (!holds && meets(one.left.range, one.right.range)) ? [] : [{ one, holds }]
    })
    if (judged.length === 0) {
      if (compared.length > 0 && !isGood && compared.every(one => meets(one.left.range, one.right.range)))
        return UNCHECKED
      continue
    }
    const isEvery = isAll || judged.every(({ one }) => one.pairing.isEvery)
    const holds = isEvery ? judged.every(one => one.holds) : judged.some(one => one.holds)
    if (holds) return confirmed(judged[0]?.one.line.name ?? '')
    if (!isAround(matrix.table.section, assertion.scope.section)) continue
    miss ??= judged.find(one => !one.holds)?.one ?? null
  }
  if (miss === null || assertion.stance !== 'said') return UNCHECKED
  return refuted(
    fault(
      'named-comparison',
      assertion.offset,
      say('audit.named-order', { quote: assertion.quote, ...described(miss, evidence) }),
      { severity: 'warning', also: offsetsOf(miss) },
    ),
  )
}

const ADVERBS =
  /^[\s)）,，`]*(?:(?:最终|甚至|仍然?|略微?|显著|明显|也|均|都|稍|远|大幅|大大|已|已经|which|is|are|was|still|slightly|significantly|well|far|much|just|also|clearly|and)\s*)*$/i

/** "0.59, slightly above the baseline's 0.57": both figures stand in the sentence. */
function figuresCompared(
  { statement, from, to }: Clause,
  word: number,
): { readonly left: Quantity; readonly right: Quantity } | null {
  const { quantities, text } = statement
  const left = quantities.filter(one => one.to <= word).at(-1)
  const right = quantities.find(one => one.from > word && one.from >= from && one.to <= to)
  if (left === undefined || right === undefined || left.unit !== right.unit || left.signed || right.signed) return null
  // "1.3 points above": that is by how much, not what.
  if (left.unit === 'points' || left.unit === 'times' || /^\s*$/.test(text.slice(left.to, word))) return null
  if (left.ends !== null || right.ends !== null || meets(left.range, right.range) || left.decimals !== right.decimals)
    return null
  return ADVERBS.test(text.slice(left.to, word)) ? { left, right } : null
}

/** "0.12 is below 0.15": figures that are the names of rows are no figures. */
function hasNumberNames({ statement, from, to }: Clause, matrix: Matrix): boolean {
  return mentionsIn(statement, matrix).some(
    one => one.from >= from && one.to <= to && /^[\d.]+$/.test(statement.text.slice(one.from, one.to)),
  )
}

/** The difference in brackets has the sign of the word, unless less is better or a size is printed. */
function isOpposed(
  { sense }: Assertion,
  { statement }: Clause,
  { quantity: { value, unit } }: Figure,
  isGood: boolean,
): boolean {
  if (value === 0 || Math.sign(value) === (sense === 'up' ? 1 : -1)) return false
  const isScore = unit === '%' || unit === 'points'
  return !isGood || (isScore && goalOf([statement.text, ...statement.leads]) !== 'min')
}

function againstSign(assertion: Assertion, { statement }: Clause, { offset, text: found }: Figure): Outcome {
  const [, from, to] = assertion.manner.split(' ').map(Number)
  const params = { quote: assertion.quote, found, word: statement.text.slice(from, to) }
  return refuted(
    fault('sign-contradicted', offset, say('audit.sign-and-word', params), {
      expected: assertion.sense === 'up' ? '+' : '−',
    }),
  )
}

const SPEED = /time|latency|(?<![a-z])(?:ms|s|sec)(?![a-z])|speed|throughput|tokens?\/s|fps|耗时|时间|延迟|吞吐|速度/i

function wantedOf({ pairing, line, left }: Compared, isGood: boolean, isUp: boolean, { text }: Clause): boolean | null {
  if (!isGood) return isUp
  const goal = goalOfAxis(pairing.matrix, line, pairing.isRow) ?? goalOf([text])
  if (goal === null && left.unit !== '%') return null
  return ((goal ?? 'max') === 'max') === isUp
}

function cellOf(
  { pairing: { matrix, isRow }, line }: Compared,
  axis: Axis,
): { readonly text: string; readonly offset: number } {
  const cell = isRow ? matrix.table.rows[axis.index]?.[line.index] : matrix.table.rows[line.index]?.[axis.index]
  return { text: cell?.text ?? '', offset: cell?.offset ?? matrix.table.offset }
}

function described(one: Compared, { document }: Evidence) {
  const { left, right } = one.pairing
  return {
    line: one.line.name,
    left: left.name,
    right: right.name,
    found: cellOf(one, left).text,
    expected: cellOf(one, right).text,
    at: document.placeOf(cellOf(one, left).offset).line,
  }
}

const offsetsOf = (one: Compared): readonly number[] => [
  cellOf(one, one.pairing.left).offset,
  cellOf(one, one.pairing.right).offset,
]

/** The pairs that an amount can be the difference of, and whether the names single them out. */
function pairsOf(clause: Clause, focus: Focus): readonly Pairing[] {
  const sides = [true, false].map(isRow => pairsAlong(clause, focus, isRow))
  const closed = sides.flat().filter(({ isOpen }) => !isOpen)
  return closed.length > 0 ? closed : sides.flat()
}

function pairsAlong(clause: Clause, focus: Focus, isRow: boolean): readonly (Pairing & { readonly isOpen: boolean })[] {
  const { matrix } = focus
  if (!comparable(matrix, isRow)) return []
  const own = isRow ? focus.rows : focus.columns
  const before = focus.inherited.filter(one => one.isRow === isRow)
  const isBase = ({ from }: Mention): boolean => BASE.test(clause.statement.text.slice(Math.max(0, from - 24), from))
  const subject = own.length > 0 && own.every(isBase) ? subjectBefore(clause, focus, isRow, isBase) : []
  const [first] = own
  // "1.3 points above A and 7.7 above B": each against who was spoken of, never against each other.
  const named =
    subject.length > 0
      ? subject
      : own.length === 1 && first !== undefined
        ? [...before.slice(0, 1), first]
        : own.length === 0 && before.length === 2
          ? before
          : own
  const rivals = subject.length > 0 ? own.flatMap(one => one.axes) : []
  const axes = [...new Set(named.flatMap(one => one.axes))].filter(isMeasured)
  const crossing = crossingOf(focus, isRow, clause)
  const ends = endsOf(clause, focus, isRow)
  const all = (isRow ? matrix.rows : matrix.columns.slice(1)).filter(({ role }) => role === 'value')
  const isOpen = ends.length === 0 && rivals.length === 0 && axes.length < 2
  // Who is meant is left open: any two in a line that is named, or any one against the one that is named.
  const isMeant =
    axes.length === 1
      ? own.some(({ from }) => BASE.test(clause.statement.text.slice(Math.max(0, from - 24), from)))
      : (isRow ? focus.columns : focus.rows).length > 0 && clause.statement.text.length < LONGEST_ENTRY
  if (isOpen && (!isMeant || all.length > MOST_OPEN)) return []
  const others = axes.length === 0 ? all : axes
  const pairs =
    rivals.length > 0
      ? axes.flatMap(left => rivals.map(right => [left, right] as const))
      : ends.length > 0
        ? ends
        : others.flatMap((left, i) =>
            (axes.length === 1 ? all : others.slice(i + 1)).map(right => [left, right] as const),
          )
  const isWhole = !isOpen && named.every(one => one.isWhole)
  return pairs
    .filter(([left, right]) => left !== right)
    .map(([left, right]) => ({ matrix, isRow, left, right, ...crossing, isWhole, isOpen, isTold: isOpen }))
}

const MOST_OPEN = 12
const LONGEST_ENTRY = 40
const MOST_READINGS = 90
/** So few lines can be checked one by one by whoever reads the finding. */
const MOST_CLEAR = 6
const FIRST =
  /初始|起始|起点|训练前|开始时?|(?<![A-Za-z])(?:initial|start|beginning|first evaluation|step 0|before training)(?![A-Za-z])/i
const LAST = /最终|最后|末尾?|结束|训练后|(?<![A-Za-z])(?:final|end|last evaluation|after training)(?![A-Za-z])/i
const HEAD = /前\s?(\d{1,6})\s?[步轮]|(?<![A-Za-z])first (\d{1,6}) (?:steps|epochs|iterations)/i
const TAIL = /后\s?(\d{1,6})\s?[步轮]|(?<![A-Za-z])last (\d{1,6}) (?:steps|epochs|iterations)/i
const BETWEEN = /(?<![A-Za-z])between (?:steps?|epochs?)?\s?(\d{1,6}) and (?:steps?|epochs?)?\s?(\d{1,6})(?![\d.%])/i

/** "From the start", "in the last 150 steps", "between step 100 and 250": two places on an axis of steps. */
function endsOf(
  { text, statement, from, to }: Clause,
  { matrix, rows, columns }: Focus,
  isRow: boolean,
): readonly (readonly [Axis, Axis])[] {
  const axes = (isRow ? matrix.rows : matrix.columns).filter(({ step }) => step !== null)
  const [first, last] = [axes[0], axes.at(-1)]
  if (first === undefined || last === undefined || axes.length < 3) return []
  const pair = (a: number, b: number): readonly (readonly [Axis, Axis])[] => {
    const [start, end] = [axes.find(({ step }) => step === a), axes.find(({ step }) => step === b)]
    return start === undefined || end === undefined ? [] : [[start, end]]
  }
  const [head, tail, both] = [HEAD.exec(text), TAIL.exec(text), BETWEEN.exec(text)]
  const range = statement.steps.find(one => one.from >= from && one.to <= to && one.first < one.last)
  if (head !== null) return pair(first.step ?? 0, Number(head[1] ?? head[2]))
  if (tail !== null) return pair((last.step ?? 0) - Number(tail[1] ?? tail[2]), last.step ?? 0)
  if (both !== null) return pair(Number(both[1]), Number(both[2]))
  if (range !== undefined) return pair(range.first, range.last)
  const named = (isRow ? rows : columns).flatMap(({ axes: own }) => own)
  if (named.length === 0 && FIRST.test(statement.text.slice(0, to))) return [[first, last]]
  const [only] = named
  return LAST.test(text) && named.length === 1 && only !== undefined && only.step !== null ? [[only, last]] : []
}

function checkAmount(
  assertion: Assertion,
  clause: Clause,
  figure: Figure,
  near: readonly Matrix[],
  evidence: Evidence,
): Outcome {
  const stated = figure.quantity
  let miss: { readonly one: Compared; readonly expected: number } | null = null
  for (const matrix of near) {
    if (holdsValue(matrix, stated)) return confirmed(matrix.table.header[0]?.text ?? '')
    const pairings = pairsOf(clause, focusOf(clause, matrix))
    const isMean = has(clause.text, 'mean')
    const compared = isMean ? pairings.flatMap(meanOf) : pairings.flatMap(valuesOf)
    for (const one of compared) {
      const readings = amounts(one, stated, clause)
      if (readings.some(range => meets(sizeOf(statedRange(stated)), range))) return confirmed(one.line.name)
    }
    const [first] = compared
    if (first === undefined || !isAround(matrix.table.section, assertion.scope.section)) continue
    // A mean over steps may be of a window that the table does not show.
    if (isMean && first.line.step !== null) continue
    if (!first.pairing.isWhole && (compared.length > MOST_READINGS || !first.pairing.isTold)) continue
    const isClear = first.pairing.isWhole && (first.pairing.isNamed || compared.length <= MOST_CLEAR)
    if (!isClear && anyOther(clause, matrix, stated)) return UNCHECKED
    const [reading] = amounts(first, stated, clause)
    const size = Math.sign(stated.value || 1)
    if (reading !== undefined && isMisprint(stated.value, middle(reading)))
      miss ??= { one: first, expected: size * middle(reading) }
  }
  // Two times or rates of the sentence itself are what its multiple is of.
  const own = clause.statement.quantities.filter(
    ({ unit }) => unit === 's' || unit === 'min' || unit === 'h' || unit === 'token/s',
  )
  if (miss === null || stated.hedge !== null || assertion.stance !== 'said' || own.length > 1) return UNCHECKED
  const params = described(miss.one, evidence)
  const expected = asPrinted(miss.expected, stated)
  return refuted(
    fault(
      'named-difference',
      figure.offset,
      say('audit.named-difference', {
        quote: assertion.quote,
        ...params,
        leftValue: params.found,
        rightValue: params.expected,
        found: figure.text,
        expected,
      }),
      { severity: 'warning', found: figure.text, expected, also: offsetsOf(miss.one) },
    ),
  )
}

function amounts(
  { left, right }: Compared,
  stated: Quantity,
  { text }: Pick<Clause, 'text'>,
): ReturnType<typeof changeReadings> {
  // A difference is not finer than what it is taken of.
  const finest = Math.max(left.decimals ?? 0, right.decimals ?? 0)
  if (stated.unit === null && (stated.decimals ?? 0) > finest + 1) return []
  // Of scores in percent the difference is meant, unless it is called relative.
  if (stated.unit === '%' && left.unit === '%' && right.unit === '%' && !RELATIVE.test(text))
    return [sizeOf(subtract(right.range, left.range))]
  return changeReadings(left.range, right.range, stated, {
    percents: left.unit === '%' || right.unit === '%' || left.value > 1.5,
    isShare: false,
  })
}

const RELATIVE =
  /相对|增长率|提升率|倍|(?<![A-Za-z])(?:relative|relatively|percent of|reduction|improvement|increase|decrease)(?![A-Za-z])/i

/** The amount itself stands in the table. */
function holdsValue({ table }: Matrix, { value, decimals }: Quantity): boolean {
  if ((decimals ?? 0) === 0 && Math.abs(value) < 10) return false
  return table.rows
    .slice(0, 200)
    .some(row => row.some(({ quantities }) => quantities.some(one => Math.abs(one.value) === Math.abs(value))))
}

/** Some other two cells, one of them in a row or column that the statement names, are so far apart. */
function anyOther({ statement, text }: Clause, matrix: Matrix, stated: Quantity): boolean {
  const whole: Clause = { statement, from: 0, to: statement.text.length, text }
  const focus = focusOf(whole, matrix)
  const size = sizeOf(statedRange(stated))
  return [true, false].some(isRow => {
    if (!comparable(matrix, isRow)) return false
    const axes = (isRow ? matrix.rows : matrix.columns).filter(isMeasured)
    if (axes.length > MOST_CROSSING) return false
    const named: readonly Mention[] = [
      ...(isRow ? focus.rows : focus.columns),
      ...focus.inherited.filter(one => one.isRow === isRow),
    ]
    const crossing = crossingOf(focus, isRow, whole)
    return named
      .flatMap(one => one.axes)
      .some(left =>
        axes.some(
          right =>
            left !== right &&
            valuesOf({ matrix, isRow, left, right, ...crossing, isWhole: false, isTold: false }).some(one =>
              amounts(one, stated, whole).some(range => meets(size, range)),
            ),
        ),
      )
  })
}

export const between: Relation = { name: 'comparison', read, check }
