import type { Statement } from '../document/document.js'
import { groupBy } from '../model/group-by.js'
import type { Verdict } from '../model/verdict.js'
import { sentences } from '../text/sentences.js'
import type { Fault } from './assertion.js'
import { type Evidence, mentionAt } from './evidence.js'
import { fault } from './fault.js'
import { places, type Sense } from './lexicon.js'
import type { LoggedRuns } from './log-index.js'
import { isDenied, stanceOf } from './stance.js'

/** What the logs behind a report say: every series, and with two sides the verdicts of their comparison. */
export interface Logs extends LoggedRuns {
  readonly verdicts: readonly Verdict[]
}

// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.data-verdict': { en: '“{found}” is not what the logs say: the verdict on {other} against {baseline} is {answer} (interval {low} … {high}; lines {lines})', zh: '日志不支持“{found}”：{other} 对 {baseline} 的判定是“{answer}”（区间 {low} … {high}；第 {lines} 行）' },
})

/** Which question of a comparison a claim is about. */
const QUESTIONS: readonly (readonly [Sense, Verdict['question']])[] = [
  ['same', 'level'],
  ['better', 'level'],
  ['worse', 'level'],
  ['significant', 'level'],
  ['faster', 'speed'],
  ['stable', 'stability'],
]

/** Claims that a verdict on the two logged sides answers otherwise, once for each question with all lines. */
export function* againstVerdicts(
  { document }: Evidence,
  verdicts: readonly Verdict[],
  isToldElsewhere: (offset: number) => boolean,
): Generator<Fault> {
  if (verdicts.length === 0) return
  const claims = document.statements
    .filter(({ kind }) => kind !== 'heading' && kind !== 'code')
    .flatMap(statement => contradicted(statement, verdicts))
    .filter(({ offset }) => !isToldElsewhere(offset))
  for (const [verdict, [first, ...more]] of groupBy(claims, claim => claim.verdict)) {
    const [low, high] = verdict.interval?.map(end => Number(end.toPrecision(3))) ?? ['–', '–']
    const lines = [...new Set([first, ...more].map(({ offset }) => document.placeOf(offset).line))]
    const { baseline, other, answer } = verdict
    yield fault(
      'data-verdict',
      first.offset,
      say('audit.data-verdict', { found: first.text, low, high, baseline, other, answer, lines: listed(lines) }),
      { expected: answer, also: more.map(({ offset }) => offset) },
    )
  }
}

const MOST_LINES = 8

function listed(lines: readonly number[]): string {
  return `${lines.slice(0, MOST_LINES).join(', ')}${lines.length > MOST_LINES ? ', …' : ''}`
}

interface Claim {
  readonly verdict: Verdict
  readonly offset: number
  readonly text: string
}

function contradicted(statement: Statement, verdicts: readonly Verdict[]): readonly Claim[] {
  const found = new Map<Verdict, Claim>()
  for (const [sense, question] of QUESTIONS) {
    const verdict = verdicts.find(candidate => candidate.question === question)
    const place = firstSaid(statement, sense)
    if (verdict === undefined || place === null || found.has(verdict)) continue
    const subject = subjectOf(statement.text.slice(0, place.from), verdict)
    if (!supports(verdict, sense, subject))
      found.set(verdict, { verdict, offset: statement.offsetOf(place.from), text: place.text })
  }
  return [...found.values()]
}

function firstSaid(statement: Statement, sense: Sense): { readonly from: number; readonly text: string } | null {
  for (const { from, to, text } of places(statement.text, sense)) {
    if (!isDenied(statement.text, from) && stanceOf(statement, from, to) === 'said') return { from, text }
  }
  return null
}

/** Whom a claim is about: the side that is named last before it; null where neither is. */
function subjectOf(before: string, { baseline, other }: Verdict): string | null {
  const [a, b] = [mentionAt(before, [baseline]), mentionAt(before, [other])]
  if (a < 0 && b < 0) return null
  return a > b ? baseline : other
}

function supports({ answer, baseline }: Verdict, sense: Sense, subject: string | null): boolean {
  if (sense === 'same') return answer === 'same' || answer === 'different-but-small'
  if (answer !== 'better' && answer !== 'worse') return answer !== 'undetermined' && answer !== 'same'
  if (subject === null || sense === 'significant') return true
  // The verdict is about the other side; what is better of one is worse of its baseline.
  const isPraise = sense !== 'worse'
  return isPraise === ((answer === 'better') === (subject !== baseline))
}
