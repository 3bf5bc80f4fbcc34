import { type Statement, titlesAbove } from '../../document/document.js'
import { type Axis, type Line, type Matrix, type Point, shortLines } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { isMisprint, meets } from '../arithmetic.js'
import {
  type Assertion,
  confirmed,
  type Figure,
  type Outcome,
  type Relation,
  refuted,
  UNCHECKED,
} from '../assertion.js'
import { type Entry, entriesOf } from '../entries.js'
import { type Evidence, goalOf, goalOfLine, isAround, namesOf, significantDigits } from '../evidence.js'
import { fault } from '../fault.js'
import { has, places } from '../lexicon.js'
import { type Clause, clauseOf, clausesOf, focusOf, type Mention, mentionsIn, mentionsInText } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'

/**
 * "Peak 3.41 at step 90", "lowest loss 6.02 in epoch 4": a printed figure is called the highest or the lowest. It is
 * bound to every line that holds the figure; refuted only if it is the extremum of none of them, or of another step.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.extremum-contradicted': { en: '“{quote}”: {found} is not the {which} of “{line}”: {owner} has {expected} (line {at}); write {expected}', zh: '“{quote}”：{found} 不是“{line}”的{which}：{owner} 是 {expected}（第 {at} 行）；应写 {expected}' },
  'audit.named-extremum': { en: '“{quote}”: in “{line}” that is {owner} with {found} (line {at}), not {claimed}; write {owner}', zh: '“{quote}”：“{line}”中那是 {owner} 的 {found}（第 {at} 行），不是 {claimed}；应写 {owner}' },
  'audit.best-below': { en: '“{key}” is {found}, but “{other}” is {expected}, which is better; one of the two is wrong', zh: '“{key}”是 {found}，而“{other}”是 {expected}，反而更好；两者必有一错' },
  'audit.final-is-best': { en: '“{quote}”: {found} is the best ({owner}), not the last: {last} has {expected}; write {expected}, or call it the best', zh: '“{quote}”：{found} 是最佳值（{owner}），不是最终值：{last} 是 {expected}；应写 {expected}，或称为最佳' },
  'audit.swing-omits-change': { en: '“{quote}”: the largest change of “{line}” is {expected}, from {from} ({first}) to {to} ({last}); write {expected}', zh: '“{quote}”：“{line}”的最大变化是 {expected}，从 {from}（{first}）到 {to}（{last}）；应写 {expected}' },
})

/** Longer lines are logs; nobody speaks of their cells. */
const MOST_POINTS = 400

/** "The late peak", "second best": an extremum of something that the sentence does not print. */
const QUALIFIED =
  /后期|前期|早期|局部|次[优佳高低]|第[二三四]|此前|之前|历史|当时|(?<![a-z])(?:late|later|local|second|third|so far|previous|earlier|then|initial|near|close to|among|one of|candidate|top[- ]?\d+)(?![a-z])|(?<![a-z])of (?:the|its|their|all) (?:best|maximum|highest|lowest|largest)|接近|之一|区间|范围|上限|下限|top\s?\d/i

function* read(evidence: Evidence): Generator<Assertion> {
  for (const statement of evidence.document.statements) {
    const { kind, text } = statement
    if (kind === 'code' || kind === 'heading' || text.length > LONGEST) continue
    for (const clause of clausesOf(statement)) yield* superlatives(clause)
    if (statement.quantities.length === 0) continue
    yield* lasts(statement)
    yield* swings(statement)
  }
  yield* bestEntries(evidence)
}

const LONGEST = 600

/** A superlative with the figure or the name that it is said of; which names are meant is seen when it is checked. */
function* superlatives({ statement, from, to, text }: Clause): Generator<Assertion> {
  const words = [...places(text, 'maximum', 'minimum', 'best', 'worst', 'most')].map(word => ({
    ...word,
    figure: figureBeside(statement, from + word.from, from + word.to),
  }))
  const [first] = words
  for (const word of words) {
    const { figure } = word
    if (figure === null && word !== first) continue
    const sense = has(word.text, 'maximum') ? 'up' : has(word.text, 'minimum') ? 'down' : null
    const kind = has(word.text, 'worst')
      ? 'worst'
      : has(word.text, 'most')
        ? 'most'
        : sense === null
          ? 'best'
          : 'extremum'
    yield assertionIn(statement, 'extremum', {
      from: Math.min(from, figure?.quantity.from ?? from),
      to: Math.max(to, figure?.quantity.to ?? to),
      figures: figure === null ? [] : [figure],
      quantity: statement.text,
      sense,
      manner: `${kind} ${from + word.from}`,
    })
  }
}

const FINAL =
  /最终性能|最终得分|最终分数|最终正确率|最终准确率|最终奖励|(?<![a-z])final (?:score|reward|accuracy|performance|result)s?(?![a-z])/i

/** "Final performance (3.41)". */
function* lasts(statement: Statement): Generator<Assertion> {
  const word = FINAL.exec(statement.text)
  if (word === null) return
  const figure = figureBeside(statement, word.index, word.index + word[0].length)
  if (figure === null) return
  yield assertionIn(statement, 'extremum', {
    from: word.index,
    to: figure.quantity.to,
    figures: [figure],
    quantity: statement.text,
    manner: 'last',
  })
}

const SWING = /最大(?:波动|起伏|变化|振幅|摆动)|(?:largest|biggest|maximum|max) (?:swing|fluctuation|jump|step change)/i

/** "Largest swing ±14.1 %": of the changes from one evaluation to the next. */
function* swings(statement: Statement): Generator<Assertion> {
  const word = SWING.exec(statement.text)
  if (word === null) return
  const percent = statement.quantities.find(({ from, unit }) => unit === '%' && from >= word.index + word[0].length)
  if (percent === undefined || percent.from - word.index > 24) return
  yield assertionIn(statement, 'extremum', {
    from: word.index,
    to: percent.to,
    figures: [figureOf(statement, percent, 'value')],
    quantity: statement.text,
    manner: 'swing',
  })
}

/** The figure that an extremum is about: behind its word, or in the brackets before it. */
function figureBeside(statement: Statement, from: number, to: number): Figure | null {
  const { text, quantities } = statement
  const clean = quantities.filter(
    one =>
      one.ends === null &&
      !one.plusMinus &&
      one.bound === null &&
      one.hedge === null &&
      one.unit !== 'step' &&
      one.unit !== 'epoch',
  )
  const behind = clean.find(one => one.from >= to)
  if (behind !== undefined && behind.from - to <= 26 && !/[,，;；。]|vs|→/.test(text.slice(to, behind.from))) {
    return figureOf(statement, behind, 'value')
  }
  const before = clean.filter(one => one.to <= from).at(-1)
  if (before === undefined || from - before.to > 12 || /[;；。→]/.test(text.slice(before.to, from))) return null
  return figureOf(statement, before, 'value')
}

/** "Final reward: 7.3" and "Best reward: 6.9" in one list: the best cannot be worse than the last. */
function* bestEntries(evidence: Evidence): Generator<Assertion> {
  const entries = entriesOf(evidence)
  for (const [i, entry] of entries.entries()) {
    const [stated] = entry.quantities
    if (stated === undefined || stated.from > 3 || !has(entry.key, 'best', 'maximum') || QUALIFIED.test(entry.key))
      continue
    const noun = nounOf(entry.key)
    if (noun === '') continue
    const others = entries
      .slice(Math.max(0, i - 6), i + 7)
      .filter(
        other =>
          other.section === entry.section &&
          other !== entry &&
          nounOf(other.key) === noun &&
          LAST.test(other.key) &&
          (other.quantities[0]?.from ?? 9) <= 3,
      )
    if (others.length === 0) continue
    yield {
      relation: 'extremum',
      stance: 'said',
      quote: `${entry.key}: ${entry.value}`,
      offset: entry.offset,
      subjects: others.map(({ key }) => key),
      quantity: noun,
      figures: [entryFigure(entry), ...others.map(entryFigure)],
      sense: has(entry.key, 'maximum') ? 'up' : null,
      scope: { section: entry.section, table: entry.table, steps: null, statement: entry.statement, stretch: null },
      manner: `entry ${entry.key}`,
    }
  }
}

const LAST = /(?<![a-z])(?:final|last|mean|average|current|end)(?![a-z])|最终|最后|末|平均|当前/i

function nounOf(key: string): string {
  return key
    .toLowerCase()
    .replace(/[(（].*[)）]/g, '')
    .replace(
      /(?<![a-z])(?:best|final|last|mean|average|max(?:imum)?|highest|peak|current|end|the|at)(?![a-z])|最佳|最终|最后|最高|最大|平均|当前|峰值/g,
      '',
    )
    .replace(/[^\p{L}]/gu, '')
}

function entryFigure({ value, quantities, offset }: Entry): Figure {
  const [quantity] = quantities
  if (quantity === undefined) throw new Error('an entry without a figure')
  return { role: 'value', quantity, offset, text: value.slice(quantity.from, quantity.to) }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [figure, other] = assertion.figures
  if (figure !== undefined) {
    if (assertion.manner.startsWith('entry ')) return checkEntries(assertion, figure, other)
    if (assertion.manner === 'swing') return checkSwing(assertion, figure, evidence)
    if (assertion.manner === 'last') return checkLast(assertion, figure, evidence)
  }
  const isMeasured = assertion.stance !== 'planned' && assertion.stance !== 'defined'
  if (!isMeasured || (assertion.stance === 'advised' && figure === undefined)) return UNCHECKED
  return checkSuperlative(assertion, figure ?? null, evidence)
}

/** One line of a table that the superlative may be about. */
interface Reading {
  readonly line: Line
  /** The best of the line within the steps that are named. */
  readonly top: Point
  readonly wants: 'max' | 'min'
  /** The line itself is named. */
  readonly isNamed: boolean
  /** The rows or columns that are named as owners; empty where none is. */
  readonly owners: readonly Axis[]
  /** By their whole names, and near the superlative. */
  readonly isWhole: boolean
  /** The cell that prints the figure of the sentence. */
  readonly held: Point | null
  /** The step that the clause gives, where the line goes along steps and has none of that number. */
  readonly step: number | null
}

function checkSuperlative(assertion: Assertion, beside: Figure | null, evidence: Evidence): Outcome {
  const clause = clauseOf(assertion)
  if (clause === null) return UNCHECKED
  const { steps } = assertion.scope
  const range = steps !== null && steps[0] < steps[1] ? steps : null
  const isQualified = QUALIFIED.test(clause.text) && range === null
  const figure = measured(beside, clause, evidence)
  const byColumn = checkBestStep(assertion, clause, evidence)
  if (byColumn !== null) return byColumn
  // Where the goal of one line is known, a line of which nobody knows what is good does not save the word.
  const isPraise = assertion.sense === null && !assertion.manner.startsWith('most')
  const isKnown = ({ line }: Reading): boolean => !isPraise || goalOfLine(line) !== null
  const fits = ({ top, owners, line, wants, step }: Reading): boolean =>
    (figure === null ||
      (meets(top.quantity.range, figure.quantity.range) && isNoFiner(figure.quantity, top.quantity))) &&
    (owners.length === 0 || owners.some(axis => ownsTop(line, axis, top, wants))) &&
    (step === null || top.at.step === step)
  const every: Reading[] = []
  for (const matrix of matricesFor(assertion, figure, evidence)) {
    for (const reading of readingsIn(assertion, clause, figure, matrix, range)) {
      if (isKnown(reading) && fits(reading)) return confirmed(reading.line.of.name)
      every.push(reading)
    }
  }
  const known = every.filter(isKnown)
  const readings = known.length > 0 ? known : every
  const right = readings.find(fits)
  if (right !== undefined) return confirmed(right.line.of.name)
  if (isQualified || assertion.stance === 'hedged') return UNCHECKED
  const [miss] = [...readings]
    .filter(one => isTold(one, figure, assertion, evidence, range !== null))
    .sort((a, b) => weight(b) - weight(a))
  if (miss === undefined) return UNCHECKED
  return told(assertion, figure, miss, evidence, range !== null)
}

const BEST_STEP = /(?:best|最[佳优])[\s_]*(?:step|epoch|ckpt|checkpoint)|(?:step|epoch)[\s_]*(?:of|at)[\s_]*best/i

/** "A peaks at step 160", where the table has a column of best steps. */
function checkBestStep(assertion: Assertion, clause: Clause, evidence: Evidence): Outcome | null {
  const [mark, more] = clause.statement.steps.filter(one => one.from >= clause.from && one.to <= clause.to)
  if (mark === undefined || more !== undefined || mark.first !== mark.last || assertion.stance !== 'said') return null
  for (const matrix of evidence.near(assertion.offset).slice(0, NEAREST)) {
    const columns = matrix.columns.filter(({ name }) => BEST_STEP.test(name))
    const [row, other] = focusOf(clause, matrix).rows.filter(({ isWhole, axes }) => isWhole && axes.length === 1)
    const [column] = columns
    const axis = row?.axes[0]
    if (axis === undefined || other !== undefined || column === undefined || columns.length !== 1) continue
    const cell = matrix.table.rows[axis.index]?.[column.index]
    const step = cell?.steps[0]?.first ?? cell?.quantities[0]?.value
    if (cell === undefined || step === undefined) continue
    if (step === mark.first) return confirmed(column.name)
    const at = evidence.document.placeOf(cell.offset).line
    const params = {
      quote: assertion.quote,
      line: column.name,
      owner: cell.text,
      at,
      found: axis.name,
      claimed: String(mark.first),
    }
    return refuted(
      fault('named-extremum', clause.statement.offsetOf(mark.from), say('audit.named-extremum', params), {
        found: params.claimed,
        expected: cell.text,
        also: [cell.offset],
      }),
    )
  }
  return null
}

/** A number that is part of a name, as in "session 10", is no figure; the next one may be. */
function measured(figure: Figure | null, { statement, to }: Clause, { near }: Evidence): Figure | null {
  if (figure === null) return null
  const names = near(figure.offset)
    .slice(0, NEAREST)
    .flatMap(matrix => mentionsIn(statement, matrix))
  const isName = (one: Quantity): boolean => names.some(({ from, to: end }) => from <= one.from && end >= one.from + 1)
  if (!isName(figure.quantity)) return figure
  const next = statement.quantities.find(one => one.from > figure.quantity.from && one.to <= to && !isName(one))
  return next === undefined || next.from - figure.quantity.to > 12 ? null : figureOf(statement, next, 'value')
}

/** A learning rate and a score have no maximum between them. */
function isOneScale({ points }: Line): boolean {
  const decimals = points.map(({ quantity }) => quantity.decimals ?? 0)
  return Math.max(...decimals) - Math.min(...decimals) <= 3
}

/** Nobody quotes more digits than the table has. */
function isNoFiner(stated: Quantity, cell: Quantity): boolean {
  return (stated.decimals ?? 0) <= (cell.decimals ?? 0) || stated.value === cell.value
}

function weight({ isNamed, owners, held }: Reading): number {
  return (isNamed ? 2 : 0) + (owners.length > 0 ? 1 : 0) + (held !== null ? 1 : 0)
}

/** Enough is named to hold the miss against the sentence. */
function isTold(
  { line, isNamed, owners, held, top, step, isWhole }: Reading,
  figure: Figure | null,
  assertion: Assertion,
  evidence: Evidence,
  isStretch: boolean,
): boolean {
  const isNear = isAround(line.matrix.table.section, assertion.scope.section)
  const isQuoted = held !== null && significantDigits(held.quantity) > 2 && isNamed
  const units = new Set(line.points.map(({ quantity }) => quantity.unit))
  const isHere =
    (isNear || isQuoted || isStretch) && line.matrix.layout !== 'settings' && units.size === 1 && isOneScale(line)
  const isPlain = assertion.manner.startsWith('best') || assertion.manner.startsWith('worst')
  const isKnown = isPlain && goalOfLine(line) !== null && line.of.role === 'value'
  if (figure === null) return isHere && isWhole && (isNamed || isKnown) && owners.length === 1 && line.points.length > 2
  const isFigure = significantDigits(figure.quantity) > 1 && Math.abs(figure.quantity.value) !== 1
  if (held !== null && ((owners.length > 0 && isWhole) || step !== null)) return isHere && isFigure
  if (held !== null) {
    const isRival = rivalBehind(assertion, figure, evidence, line)
    return (
      isHere &&
      significantDigits(figure.quantity) > 2 &&
      (isNamed || isRival || isStretch) &&
      (isRival || isStretch || !hasRivalScope(assertion, line))
    )
  }
  const isLike = figure.quantity.unit === top.quantity.unit && figure.quantity.decimals === top.quantity.decimals
  return (
    isNamed &&
    owners.length === 1 &&
    owners[0] === top.at &&
    isLike &&
    isMisprint(figure.quantity.value, top.quantity.value)
  )
}

function told(
  assertion: Assertion,
  figure: Figure | null,
  miss: Reading,
  evidence: Evidence,
  isStretch: boolean,
): Outcome {
  const { line, top, owners, held, isNamed } = miss
  const at = evidence.document.placeOf(top.cell.offset).line
  const owner = ownerName(line, top)
  const found = figure?.text ?? owners.map(({ name }) => name).join(', ')
  const params = { quote: assertion.quote, line: line.of.name, owner, at }
  const also = [top.cell.offset]
  const offset = figure?.offset ?? assertion.offset
  const isOwner = held !== null && meets(held.quantity.range, top.quantity.range)
  if (figure === null || isOwner) {
    const claimed = miss.step === null ? owners.map(({ name }) => name).join(', ') : String(miss.step)
    const message = say('audit.named-extremum', { ...params, found: top.cell.text, claimed })
    const isSure = isNamed && figure !== null && (owners.length === 1 || miss.step !== null)
    return refuted(
      fault('named-extremum', offset, message, {
        severity: isSure ? 'error' : 'warning',
        found: claimed,
        expected: owner,
        also,
      }),
    )
  }
  const isRival = rivalBehind(assertion, figure, evidence, line)
  const message = say('audit.extremum-contradicted', {
    ...params,
    found,
    which: miss.wants === 'max' ? '↑' : '↓',
    expected: top.cell.text,
  })
  return refuted(
    fault(isRival ? 'stale-best' : 'extremum-contradicted', offset, message, {
      severity: !isStretch && (isNamed || isRival) ? 'error' : 'warning',
      also,
    }),
  )
}

const NEAREST = 8
/** The owner of a superlative stands near it. */
const FARTHEST_OWNER = 32

/** The tables near by, and those that print the figure. */
function matricesFor({ offset }: Assertion, figure: Figure | null, evidence: Evidence): readonly Matrix[] {
  const held = figure === null ? [] : evidence.holding(figure.quantity).map(({ line }) => line.matrix)
  return [...new Set([...evidence.near(offset).slice(0, NEAREST), ...held])]
}

function* readingsIn(
  assertion: Assertion,
  clause: Clause,
  figure: Figure | null,
  matrix: Matrix,
  range: readonly [number, number] | null,
): Generator<Reading> {
  const focus = focusOf(clause, matrix)
  const [, word] = assertion.manner.split(' ').map(Number)
  // "Max Distance" is the name of a column.
  const isName = [...focus.rows, ...focus.columns].some(({ from, to, isWhole }) => isWhole && from <= word && to > word)
  if (isName) return
  const isNear = isAround(matrix.table.section, assertion.scope.section)
  const isGain = GAIN.test(clause.text)
  const gains = shortLines(matrix).filter(({ of, isColumn }) => isColumn && of.role === 'difference')
  if (focus.rows.length === 0 && focus.columns.length === 0 && !holds(matrix, figure)) return
  const above = [...clause.statement.leads, ...titlesAbove(clause.statement.section).slice(0, 1)]
  const around = [...focus.inherited, ...above.flatMap(text => mentionsInText(text, matrix))]
  for (const line of shortLines(matrix)) {
    if (line.points.length < 2 || (isGain && figure === null && line.of.role !== 'difference')) continue
    const across = line.isColumn ? focus.rows : focus.columns
    const along = line.isColumn ? focus.columns : focus.rows
    const held =
      figure === null ? null : (line.points.find(({ quantity }) => quantity.value === figure.quantity.value) ?? null)
    const owners = isGain || assertion.manner.startsWith('most') ? axesOf(across) : ownersOf(clause, across, along)
    if (held === null && owners.length === 0) continue
    const isNamed =
      (isGain && gains.length === 1 && gains[0] === line) ||
      along.some(one => one.axes.includes(line.of) && (one.isWhole || isNear)) ||
      (along.length === 0 && around.some(one => one.isRow !== line.isColumn && one.axes.includes(line.of)))
    if (along.length > 0 && !isNamed && !isGain) continue
    const inScope =
      range === null
        ? line.points
        : line.points.filter(({ at: { step } }) => step !== null && step >= range[0] && step <= range[1])
    const isWhole = across.every(
      one =>
        !one.axes.some(axis => owners.includes(axis)) ||
        (one.isWhole && Math.min(Math.abs(one.from - word), Math.abs(one.to - word)) <= FARTHEST_OWNER),
    )
    const [mark, more] = clause.statement.steps.filter(one => one.from >= clause.from && one.to <= clause.to)
    const isSingle = mark !== undefined && more === undefined && mark.first === mark.last && owners.length === 0
    const step = isSingle && held !== null && line.points.every(({ at }) => at.step !== null) ? mark.first : null
    for (const wants of wantsOf(assertion, line)) {
      const top = topOf(inScope, wants)
      if (top !== null) yield { line, top, wants, isNamed, owners, isWhole, held, step }
    }
  }
}

/** Whether some cell prints the figure; without it, a table that the clause names nothing of is not meant. */
function holds({ table }: Matrix, figure: Figure | null): boolean {
  return (
    figure !== null &&
    table.rows.some(row => row.some(({ quantities: [first] }) => first?.value === figure.quantity.value))
  )
}

/** Gains and losses are compared, not scores. */
const GAIN =
  /提升|涨幅|降幅|增益|幅度|下降|(?<![A-Za-z])(?:gains?|drops?|improvement|loses|loss of|declines?|increase|decrease|reduction)(?![A-Za-z])/i
const SCOPE = /(?:在|于|(?<![A-Za-z])(?:on|in|at|for|under|with|of))\s*(?:the\s)?[`"“]?\s*$/i

/** "X is best on Y": Y says where; without such a word either may be meant. */
function ownersOf({ statement }: Clause, across: readonly Mention[], along: readonly Mention[]): readonly Axis[] {
  const isScope = ({ from, axes }: Mention): boolean =>
    axes.every(({ step }) => step === null) && SCOPE.test(statement.text.slice(Math.max(0, from - 12), from))
  const isOther = along.some(one => !isScope(one))
  const meant = isOther ? across.filter(one => !isScope(one)) : across
  return axesOf(meant)
}

const axesOf = (mentions: readonly Mention[]): readonly Axis[] =>
  [...new Set(mentions.flatMap(({ axes }) => axes))].filter(({ role }) => role === 'value')

/** Which end of a line the words ask for; both where nobody knows what is good. */
function wantsOf({ sense, manner, quote }: Assertion, line: Line): readonly ('max' | 'min')[] {
  // The largest drop is the least of the differences.
  if (GAIN.test(quote) && line.of.role === 'difference') return ['max', 'min']
  if (sense !== null) return [sense === 'up' ? 'max' : 'min']
  const goal = manner.startsWith('most') ? null : goalOfLine(line)
  if (goal === null) return ['max', 'min']
  return [manner.startsWith('worst') ? (goal === 'max' ? 'min' : 'max') : goal]
}

function ownsTop(line: Line, axis: Axis, top: Point, wants: 'max' | 'min'): boolean {
  const own = line.points.find(({ at }) => at === axis)
  if (own === undefined) return false
  return (
    own === top ||
    meets(own.quantity.range, top.quantity.range) ||
    (wants === 'max' && own.quantity.value > top.quantity.value)
  )
}

/** A row or column of the table is named, so that the extremum may be meant within that alone. */
function hasRivalScope({ scope: { statement } }: Assertion, { matrix, isColumn, of }: Line): boolean {
  if (statement === null) return false
  return mentionsIn(statement, matrix).some(one => one.isRow === isColumn || !one.axes.includes(of))
}

/** "Best 3.1 vs 3.6": the other figure is the best of its own line in the same table, so this one should be too. */
function rivalBehind(
  { scope }: Assertion,
  { quantity }: Figure,
  evidence: Evidence,
  { matrix, isColumn }: Line,
): boolean {
  const { statement } = scope
  if (statement === null) return false
  const other = statement.quantities.find(
    one =>
      one.from >= quantity.to && /^\s?(?:vs\.?|对比)\s?[^\d]{0,10}$/.test(statement.text.slice(quantity.to, one.from)),
  )
  if (other === undefined) return false
  return evidence.holding(other).some(({ line, point }) => {
    if (line.matrix !== matrix || line.isColumn !== isColumn || line.points.length < 3) return false
    const goal = goalOfLine(line) ?? 'max'
    return topOf(line.points, goal)?.quantity.value === point.quantity.value
  })
}

/** What is called final must be the last of some line that holds it, not merely its best. */
function checkLast(assertion: Assertion, figure: Figure, evidence: Evidence): Outcome {
  if (significantDigits(figure.quantity) < 3) return UNCHECKED
  const held = evidence
    .holding(figure.quantity)
    .filter(({ line, point }) => line.points.length > 3 && line.points.length <= MOST_POINTS && point.at.step !== null)
  if (held.length === 0) return UNCHECKED
  if (held.some(({ line, point }) => line.points.at(-1) === point)) return confirmed(held[0]?.line.of.name ?? '')
  const best = held.find(({ line, point }) => topOf(line.points, goalOfLine(line) ?? 'max') === point)
  const last = best?.line.points.at(-1)
  if (best === undefined || last === undefined) return UNCHECKED
  return refuted(
    fault(
      'final-is-best',
      figure.offset,
      say('audit.final-is-best', {
        quote: assertion.quote,
        found: figure.text,
        owner: ownerName(best.line, best.point),
        last: ownerName(best.line, last),
        expected: last.cell.text,
      }),
      { also: [best.point.cell.offset, last.cell.offset] },
    ),
  )
}

/** A swing that some line shows, but not as its largest. */
function checkSwing(assertion: Assertion, figure: Figure, evidence: Evidence): Outcome {
  const stated = Math.abs(figure.quantity.value)
  let miss: { line: Line; from: Point; to: Point; percent: number } | null = null
  for (const matrix of evidence.near(assertion.offset)) {
    for (const line of shortLines(matrix)) {
      if (line.points.length < 4 || !line.points.every(({ at }) => at.step !== null)) continue
      const moves = line.points.slice(1).map((to, i) => {
        const from = line.points[i] ?? to
        return { line, from, to, percent: 100 * (to.quantity.value / from.quantity.value - 1) }
      })
      const largest = moves.reduce((top, move) => (Math.abs(move.percent) > Math.abs(top.percent) ? move : top))
      const isShown = moves.some(({ percent }) => Math.abs(Math.abs(percent) - stated) < 0.06)
      if (Math.abs(Math.abs(largest.percent) - stated) < 0.11) return confirmed(line.of.name)
      if (isShown) miss ??= largest
    }
  }
  if (miss === null) return UNCHECKED
  return refuted(
    fault(
      'swing-omits-change',
      figure.offset,
      say('audit.swing-omits-change', {
        quote: assertion.quote,
        line: miss.line.of.name,
        from: miss.from.cell.text,
        first: ownerName(miss.line, miss.from),
        to: miss.to.cell.text,
        last: ownerName(miss.line, miss.to),
        expected: `${miss.percent.toFixed(1)} %`,
      }),
      { found: figure.text, also: [miss.to.cell.offset] },
    ),
  )
}

function ownerName({ matrix, isColumn }: Line, { at }: Point): string {
  return namesOf(matrix, at, isColumn)[0] ?? at.name
}

export function topOf(points: readonly Point[], which: 'max' | 'min'): Point | null {
  let top: Point | null = null
  for (const point of points) {
    if (
      top === null ||
      (which === 'max' ? point.quantity.value > top.quantity.value : point.quantity.value < top.quantity.value)
    )
      top = point
  }
  return top
}

function checkEntries(assertion: Assertion, figure: Figure, other: Figure | undefined): Outcome {
  const key = assertion.manner.slice(6)
  const goal = assertion.sense === 'up' ? 'max' : goalOf([assertion.quantity ?? '', key])
  if (goal === null) return UNCHECKED
  const rival = assertion.figures
    .slice(1)
    .find(
      ({ quantity }) =>
        !meets(quantity.range, figure.quantity.range) && (goal === 'max') === quantity.value > figure.quantity.value,
    )
  if (rival === undefined) return confirmed(other?.text ?? '')
  const name = assertion.subjects[assertion.figures.indexOf(rival) - 1] ?? ''
  return refuted(
    fault(
      'final-is-best',
      figure.offset,
      say('audit.best-below', { key, found: figure.text, other: name, expected: rival.text }),
      { also: [rival.offset] },
    ),
  )
}

export const extremum: Relation = { name: 'extremum', read, check }
