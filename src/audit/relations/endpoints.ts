import type { Statement } from '../../document/document.js'
import type { Line, Point } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault, Rule } from '../assertion.js'
import { entriesOf } from '../entries.js'
import { type Evidence, isIn, pointName } from '../evidence.js'
import { fault } from '../fault.js'
import { masked } from '../read.js'

/**
 * Steps that cannot be: a change whose two figures stand at other steps than the sentence says ("step 60-90: from
 * 3.4 to 0"), or took another number of steps, and a checkpoint beyond the last step of its training.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.step-span': { en: '“{quote}”: {from} stands at {first} and {to} at {last} (“{line}”): {expected} steps, not {found}; write {expected}', zh: '“{quote}”：{from} 在 {first}，{to} 在 {last}（“{line}”），相隔 {expected} 步，不是 {found}；应写 {expected}' },
  'audit.step-value': { en: '“{quote}”: {found} stands at {first}, and {claimed} has {expected} (“{line}”); write {expected}', zh: '“{quote}”：{found} 在 {first}，而 {claimed} 是 {expected}（“{line}”）；应写 {expected}' },
  'audit.beyond-last-step': { en: '“{key}: {found}”, but the same section has a checkpoint of step {expected}; one of the two is wrong', zh: '“{key}: {found}”，但同一节里有 step {expected} 的 checkpoint；两者必有一错' },
})

function* check(evidence: Evidence): Generator<Fault> {
  for (const statement of evidence.document.statements) {
    if (statement.kind === 'code' || statement.quantities.length < 2 || statement.text.length > 240) continue
    yield* changes(statement, evidence)
  }
  yield* checkpoints(evidence)
}

const CHANGE =
  /^[^\d;；。]{0,12}?(?:→|->|降至|降到|升至|升到|增至|提升[至到]|提高到|下降[至到]|增加到|(?<![a-z])to(?![a-z]))[^\d;；。]{0,10}$/i

function* changes(statement: Statement, evidence: Evidence): Generator<Fault> {
  const { text, quantities, steps } = statement
  const words = masked(statement)
  for (const [i, a] of quantities.entries()) {
    const b = quantities[i + 1]
    if (b === undefined || !CHANGE.test(words.slice(a.to, b.from))) continue
    const lines = evidence.holding(a).flatMap(({ line, point }) => {
      const other = line.points.findLast(one => one.quantity.value === b.value && after(point, one))
      return other === undefined || point.at.step === null
        ? []
        : [{ line, from: point, to: firstAfter(line, point, other) }]
    })
    const [one] = lines
    if (one === undefined) continue
    const name = (point: Point): string => pointName(one.line, point)
    const count = quantities.find(
      ({ unit, from, bound, hedge }) =>
        unit === 'step' && from >= b.to && from - b.to < 8 && bound === null && hedge === null,
    )
    const gaps = lines.map(({ from, to }) => (to.at.step ?? 0) - (from.at.step ?? 0))
    const quote = text.slice(a.from, (count ?? b).to)
    if (count !== undefined && !gaps.some(gap => Math.abs(gap - count.value) <= 1)) {
      yield fault(
        'step-span',
        statement.offsetOf(count.from),
        say('audit.step-span', {
          quote,
          from: String(a.value),
          first: name(one.from),
          to: String(b.value),
          last: name(one.to),
          line: one.line.of.name,
          expected: gaps[0] ?? 0,
          found: count.value,
        }),
        {
          found: String(count.value),
          expected: String(gaps[0] ?? 0),
          also: [one.from.cell.offset, one.to.cell.offset],
        },
      )
    }
    const [range] = steps
    if (range === undefined || steps.length !== 1 || range.first >= range.last) continue
    const start = one.line.points.find(({ at }) => at.step === range.first)
    if (
      start === undefined ||
      lines.some(({ from }) => from.at.step === range.first) ||
      start.quantity.value === a.value
    )
      continue
    yield fault(
      'named-value',
      statement.offsetOf(a.from),
      say('audit.step-value', {
        quote: text.slice(range.from, b.to),
        found: text.slice(a.from, a.to),
        first: name(one.from),
        claimed: name(start),
        expected: start.cell.text,
        line: one.line.of.name,
      }),
      { also: [start.cell.offset] },
    )
  }
}

function after(point: Point, other: Point): boolean {
  return other !== point && (other.at.step ?? 0) > (point.at.step ?? 0)
}

/** The first point behind `from` with the value of `to`: a run may stay at zero for long. */
function firstAfter(line: Line, from: Point, to: Point): Point {
  return line.points.find(one => after(from, one) && one.quantity.value === to.quantity.value) ?? to
}

const LAST_CHECKPOINT = /(?:checkpoint|ckpt|global_step)[-_/](\d{1,7})(?!\d|\.\d)/gi

/** "total_steps: 76" beside a final checkpoint-376 of the same experiment. */
function* checkpoints(evidence: Evidence): Generator<Fault> {
  const entries = entriesOf(evidence)
  for (const [i, entry] of entries.entries()) {
    const [total] = entry.quantities
    if (
      total === undefined ||
      !/^(?:total[_ ]?(?:training[_ ]?)?steps|max[_ ]?steps|总步数|总训练步数|训练步数)$/i.test(entry.key.trim())
    )
      continue
    const home = topic(entry.section)
    for (const other of entries.slice(Math.max(0, i - WINDOW), i + WINDOW)) {
      if (other.section === null || !isIn(other.section, home) || Math.abs(other.offset - entry.offset) > 6_000)
        continue
      const beyond = [...other.value.matchAll(LAST_CHECKPOINT)]
        .map(match => Number(match[1]))
        .find(step => step > total.value)
      if (beyond === undefined) continue
      yield fault(
        'beyond-last-step',
        entry.offset,
        say('audit.beyond-last-step', { key: entry.key, found: total.value, expected: beyond }),
        { found: String(total.value), expected: String(beyond), also: [other.offset] },
      )
      break
    }
  }
}

/** How many entries around one belong to its experiment at most. */
const WINDOW = 80

/** The experiment that a section is part of: the ancestor below the title. */
function topic(section: Parameters<typeof isIn>[0]): Parameters<typeof isIn>[0] {
  let at = section
  while (at !== null && at.parent !== null && at.parent.level > 1) at = at.parent
  return at
}

export const endpoints: Rule = { check }
