import type { Statement } from '../../logs/document/document.js'
import { shortLines } from '../../logs/document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import type { ListEntry } from '../entries.js'
import { cited, goalOfLine, isIn, neighbours, pointName, type ReportEvidence, topOf } from '../evidence.js'
import { assertionIn, assertionInEntry, entryFigure, figureOf } from '../extract.js'
import { held, type Interpretation, kindest, missed } from '../interpretation.js'
import { has, source } from '../lexicon.js'

/**
 * What a course is said to come to: a figure that is called final though it is the best, the largest swing from one
 * evaluation to the next, and in lists of entries a last step before a checkpoint and a mean at the end of its own range.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.final-is-best': { en: '“{quote}”: {found} is the best ({best}), not the last: {owner} has {expected}; write {expected}, or call it the best', zh: '“{quote}”：{found} 是最佳值（{best}），不是最终值：{owner} 是 {expected}；应写 {expected}，或称为最佳' },
  'audit.swing-omits-change': { en: '“{quote}”: the largest change of “{line}” is {expected}, from {from} ({first}) to {to} ({owner}); write {expected}', zh: '“{quote}”：“{line}”的最大变化是 {expected}，从 {from}（{first}）到 {to}（{owner}）；应写 {expected}' },
  'audit.beyond-last-step': { en: '“{quote}”, but the same section has a checkpoint of step {expected}; one of the two is wrong', zh: '“{quote}”，但同一节里有 step {expected} 的 checkpoint；两者必有一错' },
  'audit.mean-impossible': { en: '“{quote}”: a mean of {found} cannot lie at or beyond the end of its own range {expected}', zh: '“{quote}”：平均值 {found} 不可能在自己的范围 {expected} 的端点或之外' },
})

const SCORE = '(?:性能|表现|得分|分数|正确率|准确率|奖励|结果|score|reward|accuracy|performance|result)s?'
const FINAL = new RegExp(`${source('final')}\\s?${SCORE}(?![a-z])`, 'i')
const SWING = /最[大高](?:波动|起伏|变化|振幅)|(?:largest|biggest|max(?:imum)?) (?:swing|fluctuation|jump)/i
const TOTAL = /^(?:total[_ ]?(?:training[_ ]?)?steps|max[_ ]?steps|总步数|总训练步数|训练步数)$/i
const CHECKPOINT = /(?:checkpoint|ckpt|global_step)[-_/](\d{1,7})(?!\d|\.\d)/gi
/** How many entries around one belong to its experiment at most. */
const WINDOW = 80

/** "Final performance (3.41)", "Largest swing ±14.1 %". */
function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  for (const [pattern, manner] of [[FINAL, 'last'] as const, [SWING, 'swing'] as const]) {
    const word = pattern.exec(text)
    const end = word === null ? 0 : word.index + word[0].length
    const stated = quantities.find(({ from }) => from >= end)
    if (word === null || stated === undefined || /[,;。]|vs|→|.{26}/.test(text.slice(end, stated.from))) continue
    const figures = [figureOf(statement, stated, 'value')]
    yield assertionIn(statement, 'course', { from: word.index, to: stated.to }, { figures, manner })
  }
}

function* inEntries(entries: readonly ListEntry[]): Generator<Assertion> {
  for (const [i, entry] of entries.entries()) {
    const { key, value, section, quantities } = entry
    const [first, second] = quantities
    if (first === undefined) continue
    // "Delay: 0.264 (mean, range 0.264-0.917)".
    if (second?.ends != null && second.ends[0] < second.ends[1] && has(value, 'mean') && /range|范围/i.test(value)) {
      const figures = [first, second].map(one => entryFigure(entry, one, 'value'))
      yield assertionInEntry(entry, 'course', { figures, manner: 'mean' })
    }
    // "total_steps: 76" beside a checkpoint-376 of the same experiment.
    if (!TOTAL.test(key.trim())) continue
    const home = (section?.parent?.level ?? 1) > 1 ? (section?.parent ?? null) : section
    const near = entries.slice(Math.max(0, i - WINDOW), i + WINDOW).filter(one => isIn(one.section, home))
    const steps = near.flatMap(one => Array.from(one.value.matchAll(CHECKPOINT), ([, step]) => Number(step)))
    const figures = [entryFigure(entry, first, 'value')]
    if (steps.length > 0) yield assertionInEntry(entry, 'course', { figures, manner: `${Math.max(...steps)}` })
  }
}

/** What is called final must be the last of some line that holds it, not merely its best. */
function* lasts({ quote, figures }: Assertion, evidence: ReportEvidence): Generator<Interpretation> {
  const [final] = figures
  if (final === undefined) return
  const { quantity, offset, text } = final
  for (const { line, point } of evidence.holding(quantity)) {
    const last = line.points.at(-1)
    if (last === undefined || point.at.step === null) continue
    if (last === point) yield held(line.of.name)
    const isBest = topOf(line.points, goalOfLine(line) ?? 'max') === point
    const params = { quote, found: text, best: pointName(line, point), ...cited(line, last, evidence) }
    const also = [point.cell.offset, last.cell.offset]
    yield missed(isBest ? 1 : 0, () => refute('final-is-best', offset, say('audit.final-is-best', params), { also }))
  }
}

/** A swing that some line shows, but not as its largest. */
function* swings({ quote, offset, figures }: Assertion, evidence: ReportEvidence): Generator<Interpretation> {
  const [stated] = figures
  if (stated === undefined) return
  const { quantity, text: found, offset: at } = stated
  const isStated = (percent: number): boolean => Math.abs(Math.abs(percent) - Math.abs(quantity.value)) < 0.1
  for (const line of evidence.near(offset).flatMap(shortLines)) {
    const moves = neighbours(line.points).map(([from, to]) => {
      return { from, to, percent: 100 * (to.quantity.value / from.quantity.value - 1) }
    })
    const [largest] = moves.toSorted((one, other) => Math.abs(other.percent) - Math.abs(one.percent))
    if (largest === undefined || line.points.some(({ at: { step } }) => step === null)) continue
    if (isStated(largest.percent)) yield held(line.of.name)
    const { from, to } = largest
    const ends = { from: from.cell.text, first: pointName(line, from), to: to.cell.text }
    const expected = `${largest.percent.toFixed(1)} %`
    const message = say('audit.swing-omits-change', { quote, ...cited(line, to, evidence), ...ends, expected })
    const tell = (): CheckOutcome => refute('swing-omits-change', at, message, { found, also: [to.cell.offset] })
    yield missed(moves.some(one => isStated(one.percent)) ? 1 : 0, tell)
  }
}

function check(assertion: Assertion, evidence: ReportEvidence): CheckOutcome {
  const { manner, quote, figures } = assertion
  if (manner === 'last') return kindest(lasts(assertion, evidence))
  if (manner === 'swing') return kindest(swings(assertion, evidence))
  const [stated, range] = figures
  if (stated === undefined) return UNCHECKED
  const { quantity, text: found, offset } = stated
  // Steps are whole; a mean is no end of its range.
  const [low, high] = range?.quantity.ends ?? [Number(manner) - 1, Infinity]
  const expected = range?.text ?? manner
  if (quantity.value > low && quantity.value < high) return confirmed(expected)
  const rule = range === undefined ? 'beyond-last-step' : 'mean-impossible'
  return refute(rule, offset, say(`audit.${rule}`, { quote, found, expected }))
}

export const course: Relation = { names: ['course'], inStatement, inEntries, check }
