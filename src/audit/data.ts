import type { Statement } from '../document/document.js'
import type { Verdict } from '../model/verdict.js'
import { sentences } from '../text/sentences.js'
import type { Fault } from './assertion.js'
import { type Evidence, mentionAt } from './evidence.js'
import { fault } from './fault.js'
import { places, type Sense } from './lexicon.js'
import type { LoggedSeries } from './log-index.js'
import { isDenied, stanceOf } from './stance.js'

/** What the logs behind a report say: every series, and with two sides the verdicts of their comparison. */
export interface Logs {
  readonly series: readonly LoggedSeries[]
  readonly verdicts: readonly Verdict[]
}

// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.data-verdict': { en: '“{found}” is not what the logs say: the verdict on {other} against {baseline} is {answer} (interval {low} … {high})', zh: '日志不支持“{found}”：{other} 对 {baseline} 的判定是“{answer}”（区间 {low} … {high}）' },
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

/** Claims that a verdict on the two logged sides answers otherwise. */
export function* againstVerdicts({ document }: Evidence, verdicts: readonly Verdict[]): Generator<Fault> {
  if (verdicts.length === 0) return
  for (const statement of document.statements) {
    if (statement.kind === 'heading' || statement.kind === 'code') continue
    yield* contradicted(statement, verdicts)
  }
}

function* contradicted(statement: Statement, verdicts: readonly Verdict[]): Generator<Fault> {
  const seen = new Set<string>()
  for (const [sense, question] of QUESTIONS) {
    const verdict = verdicts.find(candidate => candidate.question === question)
    const place = firstSaid(statement, sense)
    if (verdict === undefined || place === null || seen.has(question)) continue
    const subject = subjectOf(statement.text.slice(0, place.from), verdict)
    if (supports(verdict, sense, subject)) continue
    seen.add(question)
    const [low, high] = verdict.interval?.map(end => Number(end.toPrecision(3))) ?? ['–', '–']
    yield fault(
      'data-verdict',
      statement.offsetOf(place.from),
      say('audit.data-verdict', {
        found: place.text,
        low,
        high,
        baseline: verdict.baseline,
        other: verdict.other,
        answer: verdict.answer,
      }),
      { expected: verdict.answer },
    )
  }
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
