import type { Section, Statement } from '../../document/document.js'
import { shortLines } from '../../document/matrix.js'
import { readTokens } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { held, kindest, missed, type Reading } from '../binding.js'
import type { Entry } from '../entries.js'
import { cited, type Evidence, goalOf, goalOfLine, isIn, pointName, topOf } from '../evidence.js'
import { refute } from '../fault.js'
import { has, source } from '../lexicon.js'
import { assertionIn, assertionInEntry, entryFigure, figureOf } from '../read.js'

/**
 * What a course is said to come to: a figure that is called final though it is the best, the largest swing from one
 * evaluation to the next, and in lists of entries a best that is worse than the last, or a last step before a checkpoint.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.best-below': { en: '“{key}” is {found}, but “{other}” is {expected}, which is better; one of the two is wrong', zh: '“{key}”是 {found}，而“{other}”是 {expected}，反而更好；两者必有一错' },
  'audit.final-is-best': { en: '“{quote}”: {found} is the best ({best}), not the last: {owner} has {expected}; write {expected}, or call it the best', zh: '“{quote}”：{found} 是最佳值（{best}），不是最终值：{owner} 是 {expected}；应写 {expected}，或称为最佳' },
  'audit.swing-omits-change': { en: '“{quote}”: the largest change of “{line}” is {expected}, from {from} ({first}) to {to} ({owner}); write {expected}', zh: '“{quote}”：“{line}”的最大变化是 {expected}，从 {from}（{first}）到 {to}（{owner}）；应写 {expected}' },
  'audit.beyond-last-step': { en: '“{key}: {found}”, but the same section has a checkpoint of step {expected}; one of the two is wrong', zh: '“{key}: {found}”，但同一节里有 step {expected} 的 checkpoint；两者必有一错' },
})

const SCORE = '(?:性能|表现|得分|分数|正确率|准确率|奖励|结果|score|reward|accuracy|performance|result)s?'
const FINAL = new RegExp(`${source('final')}\\s?${SCORE}(?![a-z])`, 'i')
const SWING =
  /最[大高](?:波动|起伏|变化|振幅|摆动)|(?:largest|biggest|maximum|max) (?:swing|fluctuation|jump|step change)/i

/** "Final performance (3.41)", "Largest swing ±14.1 %". */
function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  if (quantities.length === 0 || text.length > 600) return
  for (const [pattern, manner] of [[FINAL, 'last'] as const, [SWING, 'swing'] as const]) {
    const word = pattern.exec(text)
    const end = word === null ? 0 : word.index + word[0].length
    const stated = quantities.find(({ from, unit }) => from >= end && (manner === 'last' || unit === '%'))
    if (word === null || stated === undefined || stated.from - end > 26) continue
    if (/[,，;；。]|vs|→/.test(text.slice(end, stated.from))) continue
    const figures = [figureOf(statement, stated, 'value')]
    yield assertionIn(statement, 'course', { from: word.index, to: stated.to }, { figures, quantity: text, manner })
  }
}

/** What the best or the last is of: what is left of the key. */
const WHICH = new RegExp(
  `[(（].*[)）]|${source('best', 'final', 'mean', 'maximum')}|(?<![a-z])(?:the|at)(?![a-z])|[^\\p{L}]`,
  'giu',
)

/** "Final reward: 7.3" and "Best reward: 6.9" in one list: the best cannot be worse than the last. */
function* bests(entries: readonly Entry[]): Generator<Assertion> {
  for (const [i, entry] of entries.entries()) {
    const noun = has(entry.key, 'best', 'maximum') ? entry.key.replace(WHICH, '') : ''
    if (noun === '') continue
    const others = entries.slice(Math.max(0, i - 6), i + 7).filter(({ section, key }) => {
      return section === entry.section && has(key, 'final', 'mean') && key.replace(WHICH, '') === noun
    })
    const [own, ...more] = [entry, ...others.filter(other => other !== entry)].flatMap(one => {
      const [first] = one.quantities
      return first === undefined || first.from > 3 ? [] : [{ key: one.key, figure: entryFigure(one, first, 'value') }]
    })
    if (own?.key !== entry.key || more.length === 0) continue
    const goal = has(entry.key, 'maximum') ? 'max' : goalOf([noun, entry.key])
    yield assertionInEntry(entry, 'course', {
      subjects: [own, ...more].map(({ key }) => key),
      figures: [own, ...more].map(({ figure }) => figure),
      sense: goal === null ? null : goal === 'max' ? 'up' : 'down',
      manner: 'best',
    })
  }
}

const TOTAL = /^(?:total[_ ]?(?:training[_ ]?)?steps|max[_ ]?steps|总步数|总训练步数|训练步数)$/i
const CHECKPOINT = /(?:checkpoint|ckpt|global_step)[-_/](\d{1,7})(?!\d|\.\d)/gi
/** How many entries around one, and how far away, belong to its experiment at most. */
const WINDOW = 80
const FARTHEST = 6_000

/** "total_steps: 76" beside a final checkpoint-376 of the same experiment. */
function* totals(entries: readonly Entry[]): Generator<Assertion> {
  for (const [i, entry] of entries.entries()) {
    const [total] = TOTAL.test(entry.key.trim()) ? entry.quantities : []
    if (total === undefined) continue
    const home = topic(entry.section)
    const near = entries
      .slice(Math.max(0, i - WINDOW), i + WINDOW)
      .filter(
        ({ section, offset }) => section !== null && isIn(section, home) && Math.abs(offset - entry.offset) < FARTHEST,
      )
    const steps = near.flatMap(({ value, offset }) =>
      Array.from(value.matchAll(CHECKPOINT), ([, step = '']) => {
        const [quantity = total] = readTokens(step).quantities
        return { role: 'value', quantity, offset, text: step } as const
      }),
    )
    const figures = [entryFigure(entry, total, 'value'), ...steps]
    yield assertionInEntry(entry, 'course', { subjects: [entry.key], figures, sense: 'up', manner: 'total' })
  }
}

/** The experiment that a section is part of: the ancestor below the title. */
function topic(section: Section | null): Section | null {
  return section?.parent == null || section.parent.level <= 1 ? section : topic(section.parent)
}

/** What is the most of its kind is exceeded by none of the others. */
function checkMost({ figures: [most, ...others], subjects, sense, manner }: Assertion): Outcome {
  if (most === undefined || sense === null || others.length === 0) return UNCHECKED
  const isBeyond = ({ quantity: { range, value } }: Figure): boolean =>
    !meets(range, most.quantity.range) && (sense === 'up') === value > most.quantity.value
  const at = others.findIndex(isBeyond)
  const beyond = others[at]
  if (beyond === undefined) return confirmed(others[0]?.text ?? '')
  const [key = '', ...names] = subjects
  const params = { key, found: most.text, other: names[at] ?? '', expected: beyond.text }
  const [rule, sentence] =
    manner === 'best'
      ? (['final-is-best', 'audit.best-below'] as const)
      : (['beyond-last-step', 'audit.beyond-last-step'] as const)
  return refute(rule, most.offset, say(sentence, params), { also: [beyond.offset] })
}

/** What is called final must be the last of some line that holds it, not merely its best. */
function* lasts({ quote }: Assertion, { quantity, offset, text }: Figure, evidence: Evidence): Generator<Reading> {
  for (const { line, point } of evidence.holding(quantity)) {
    const last = line.points.at(-1)
    if (last === undefined || line.points.length < 4 || point.at.step === null) continue
    if (last === point) yield held(line.of.name)
    const isBest = topOf(line.points, goalOfLine(line) ?? 'max') === point
    const params = { quote, found: text, best: pointName(line, point), ...cited(line, last, evidence) }
    const also = [point.cell.offset, last.cell.offset]
    yield missed(isBest ? 1 : 0, () => refute('final-is-best', offset, say('audit.final-is-best', params), { also }))
  }
}

/** A swing that some line shows, but not as its largest. */
function* swings({ quote, offset }: Assertion, figure: Figure, evidence: Evidence): Generator<Reading> {
  const isStated = (percent: number, slack: number): boolean =>
    Math.abs(Math.abs(percent) - Math.abs(figure.quantity.value)) < slack
  for (const line of evidence.near(offset).flatMap(shortLines)) {
    if (line.points.length < 4 || line.points.some(({ at }) => at.step === null)) continue
    const moves = line.points.slice(1).map((to, i) => {
      const from = line.points[i] ?? to
      return { from, to, percent: 100 * (to.quantity.value / from.quantity.value - 1) }
    })
    const largest = moves.reduce((top, move) => (Math.abs(move.percent) > Math.abs(top.percent) ? move : top))
    if (isStated(largest.percent, 0.11)) yield held(line.of.name)
    yield missed(moves.some(({ percent }) => isStated(percent, 0.06)) ? 1 : 0, () => {
      const { from, to, percent } = largest
      const ends = { from: from.cell.text, first: pointName(line, from), to: to.cell.text }
      const params = { quote, ...cited(line, to, evidence), ...ends, expected: `${percent.toFixed(1)} %` }
      const more = { found: figure.text, also: [to.cell.offset] }
      return refute('swing-omits-change', figure.offset, say('audit.swing-omits-change', params), more)
    })
  }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [figure] = assertion.figures
  if (figure === undefined) return UNCHECKED
  if (assertion.manner === 'last') return kindest(lasts(assertion, figure, evidence))
  return assertion.manner === 'swing' ? kindest(swings(assertion, figure, evidence)) : checkMost(assertion)
}

export const course: Relation = {
  names: ['course'],
  inStatement,
  inEntries: entries => [...bests(entries), ...totals(entries)],
  check,
}
