import type { Statement } from '../../document/document.js'
import { type Line, type Point, shortLines } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
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
import { type Evidence, goalOf, goalOfLine, type Held, mentionAt, namesOf, significantDigits } from '../evidence.js'
import { fault } from '../fault.js'
import { has, places } from '../lexicon.js'
import { assertionIn, figureOf } from '../read.js'

/**
 * "Peak 3.41 at step 90", "lowest loss 6.02 in epoch 4": a printed figure is called the highest or the lowest. It is
 * bound to every line that holds the figure; refuted only if it is the extremum of none of them, or of another step.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.extremum-contradicted': { en: '“{quote}”: {found} is not the {which} of “{line}”: {owner} has {expected}; write {expected}', zh: '“{quote}”：{found} 不是“{line}”的{which}：{owner} 是 {expected}；应写 {expected}' },
  'audit.named-extremum': { en: '“{quote}”: {found} belongs to {owner}, not to {claimed} (“{line}”); write {owner}', zh: '“{quote}”：{found} 属于 {owner}，不是 {claimed}（“{line}”）；应写 {owner}' },
  'audit.best-below': { en: '“{key}” is {found}, but “{other}” is {expected}, which is better; one of the two is wrong', zh: '“{key}”是 {found}，而“{other}”是 {expected}，反而更好；两者必有一错' },
  'audit.final-is-best': { en: '“{quote}”: {found} is the best ({owner}), not the last: {last} has {expected}; write {expected}, or call it the best', zh: '“{quote}”：{found} 是最佳值（{owner}），不是最终值：{last} 是 {expected}；应写 {expected}，或称为最佳' },
  'audit.swing-omits-change': { en: '“{quote}”: the largest change of “{line}” is {expected}, from {from} ({first}) to {to} ({last}); write {expected}', zh: '“{quote}”：“{line}”的最大变化是 {expected}，从 {from}（{first}）到 {to}（{last}）；应写 {expected}' },
})

/** Longer lines are logs; nobody speaks of their cells. */
const MOST_POINTS = 400

/** "The late peak", "second best": an extremum of something that the sentence does not print. */
const QUALIFIED =
  /后期|前期|早期|局部|次[优佳高低]|第[二三四]|此前|之前|历史|当时|(?<![a-z])(?:late|later|local|second|third|so far|previous|earlier|then|initial|near|close to|among|one of|candidate|top[- ]?\d+)(?![a-z])|接近|之一|区间|范围|上限|下限|top\s?\d/i

function* read(evidence: Evidence): Generator<Assertion> {
  for (const statement of evidence.document.statements) {
    if (statement.kind === 'code' || statement.quantities.length === 0 || statement.text.length > 400) continue
    for (const { from, to, text } of places(statement.text, 'maximum', 'minimum', 'best', 'worst')) {
      const figure = figureBeside(statement, from, to)
      if (figure === null) continue
      const sense = has(text, 'maximum') ? 'up' : has(text, 'minimum') ? 'down' : null
      const start = Math.min(from, figure.quantity.from)
      const end = Math.max(to, figure.quantity.to)
      yield assertionIn(statement, 'extremum', {
        from: start,
        to: end,
        figures: [figure],
        quantity: statement.text,
        sense,
        manner: has(text, 'worst') ? 'worst' : sense === null ? 'best' : 'extremum',
      })
      break
    }
    yield* lasts(statement)
    yield* swings(statement)
  }
  yield* bestEntries(evidence)
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
  if (figure === undefined) return UNCHECKED
  if (assertion.manner.startsWith('entry ')) return checkEntries(assertion, figure, other)
  if (assertion.manner === 'swing') return checkSwing(assertion, figure, evidence)
  if (assertion.manner === 'last') return checkLast(assertion, figure, evidence)
  if (assertion.stance === 'planned' || assertion.stance === 'defined') return UNCHECKED
  if (significantDigits(figure.quantity) < 3) return UNCHECKED
  const held = evidence
    .holding(figure.quantity)
    .filter(({ line }) => line.points.length > 2 && line.points.length <= MOST_POINTS)
  if (held.length === 0) return UNCHECKED
  const { steps } = assertion.scope
  const range = steps !== null && steps[0] < steps[1] ? steps : null
  if (QUALIFIED.test(assertion.quantity ?? '') && range === null) return UNCHECKED
  const named = evidence.near(assertion.offset).length > 0 ? held.filter(one => isAbout(assertion, one.line)) : []
  const bound = named.length > 0 ? named : held
  const judged = held.map(one => ({ ...one, ...extremumOf(assertion, one, range) }))
  const step = steps !== null && steps[0] === steps[1] ? steps[0] : null
  const right = judged.filter(one => one.isExtremum)
  const owned = right.filter(one => step === null || ownsStep(one, step) !== false)
  if (owned.length > 0) return confirmed(owned[0]?.line.of.name ?? '')
  const best = judged.find(one => bound.some(({ point }) => point === one.point))
  if (best === undefined || best.top === null) return UNCHECKED
  const params = { quote: assertion.quote, found: figure.text, line: best.line.of.name }
  const rival = rivalBehind(assertion, figure, evidence, best.line)
  const isSure = (named.length > 0 && assertion.stance !== 'hedged') || rival
  if (right.length > 0) {
    const [one] = right
    if (one === undefined || one.point.at.step === null) return UNCHECKED
    return refuted(
      fault(
        'named-extremum',
        figure.offset,
        say('audit.named-extremum', {
          ...params,
          line: one.line.of.name,
          owner: ownerName(one.line, one.point),
          claimed: String(step),
        }),
        {
          severity: isSure ? 'error' : 'warning',
          found: String(step),
          expected: ownerName(one.line, one.point),
          also: [one.point.cell.offset],
        },
      ),
    )
  }
  if (!isSure && range === null) return UNCHECKED
  if (range === null && !rival && hasRivalScope(assertion, best.line)) return UNCHECKED
  return refuted(
    fault(
      rival ? 'stale-best' : 'extremum-contradicted',
      figure.offset,
      say('audit.extremum-contradicted', {
        ...params,
        which: best.wants === 'max' ? '↑' : '↓',
        owner: ownerName(best.line, best.top),
        expected: best.top.cell.text,
      }),
      { severity: range === null && isSure ? 'error' : 'warning', also: [best.top.cell.offset] },
    ),
  )
}

/** A row or column of the table is named, so that the extremum may be meant within that alone. */
function hasRivalScope({ quantity }: Assertion, { matrix, isColumn, of }: Line): boolean {
  const across = isColumn ? matrix.rows : matrix.columns
  const along = isColumn ? matrix.columns : matrix.rows
  const text = quantity ?? ''
  return (
    across.some(axis => mentionAt(text, namesOf(matrix, axis, isColumn)) >= 0) ||
    along.some(axis => axis !== of && mentionAt(text, namesOf(matrix, axis, !isColumn)) >= 0)
  )
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

/** Does the sentence name the line, or what its table is about? */
function isAbout({ quantity, scope }: Assertion, { matrix, of, isColumn }: Line): boolean {
  const text = [quantity ?? '', ...(scope.statement?.leads ?? []), scope.section?.title ?? ''].join(' ')
  return mentionAt(text, namesOf(matrix, of, !isColumn)) >= 0
}

function extremumOf(
  { sense, manner }: Assertion,
  { line, point }: Held,
  range: readonly [number, number] | null,
): { readonly isExtremum: boolean; readonly top: Point | null; readonly wants: 'max' | 'min' } {
  const inScope =
    range === null
      ? line.points
      : line.points.filter(({ at }) => at.step !== null && at.step >= range[0] && at.step <= range[1])
  const goal = goalOfLine(line)
  const good = goal === null ? null : manner === 'worst' ? (goal === 'max' ? 'min' : 'max') : goal
  const wants = sense === 'up' ? 'max' : sense === 'down' ? 'min' : good
  const isTop = (which: 'max' | 'min'): boolean => {
    const top = topOf(inScope, which)
    return top === null || meets(top.quantity.range, point.quantity.range)
  }
  if (wants === null) return { isExtremum: isTop('max') || isTop('min'), top: topOf(inScope, 'max'), wants: 'max' }
  return { isExtremum: isTop(wants), top: topOf(inScope, wants), wants }
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

/** Whether the figure stands at the step that the sentence names; null where the line has no steps. */
function ownsStep({ line, point }: Held, step: number): boolean | null {
  if (point.at.step === null) return null
  if (point.at.step === step) return true
  return line.points.some(({ at, quantity }) => at.step === step && meets(quantity.range, point.quantity.range))
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
