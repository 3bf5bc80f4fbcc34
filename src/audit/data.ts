import type { Statement } from '../logs/document/document.js'
import type { Verdict } from '../logs/model/verdict.js'
import { sentences } from '../text/sentences.js'
import type { Fault } from './assertion.js'
import type { ReportEvidence } from './evidence.js'
import { type Hit, once, saidIn } from './judgement/hits.js'
import type { Sense } from './lexicon.js'
import { type LoggedRuns, runFinder } from './log-index.js'

/** What the logs behind a report say: every series, and with two sides the verdicts of their comparison. */
export interface Logs extends LoggedRuns {
  readonly verdicts: readonly Verdict[]
}

// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.data-verdict': { en: '“{found}” is not what the logs say: the verdict on {other} against {baseline} is {expected} (interval {low} … {high}; lines {lines})', zh: '日志不支持“{found}”：{other} 对 {baseline} 的判定是“{expected}”（区间 {low} … {high}；第 {lines} 行）' },
})

/** Which question of a comparison a claim is about. */
const QUESTIONS: ReadonlyMap<Verdict['question'], readonly Sense[]> = new Map([
  ['level', ['same', 'better', 'worse', 'significant']],
  ['speed', ['faster']],
  ['stability', ['stable']],
])

/** Claims that a verdict on the two logged sides answers otherwise, once for each question with all lines. */
export function* againstVerdicts(
  evidence: ReportEvidence,
  verdicts: readonly Verdict[],
  isToldElsewhere: (offset: number) => boolean,
): Generator<Fault> {
  const statements = evidence.document.statements.filter(({ kind }) => kind !== 'heading')
  for (const [question, senses] of QUESTIONS) {
    const verdict = verdicts.find(candidate => candidate.question === question)
    if (verdict === undefined) continue
    const claims = statements
      .flatMap(statement => contradicted(statement, verdict, senses))
      .filter(({ offset }) => !isToldElsewhere(offset))
    const { baseline, other, answer: expected, interval } = verdict
    const [low = '–', high = '–'] = interval?.map(end => Number(end.toPrecision(3))) ?? []
    const words = { low, high, baseline, other, expected }
    yield* once(evidence, 'data-verdict', claims, ({ quote: found, lines }) =>
      say('audit.data-verdict', { ...words, found, lines }),
    )
  }
}

/** The first words of a statement that the verdict does not support, said of the side that is named last before them. */
function contradicted(statement: Statement, verdict: Verdict, senses: readonly Sense[]): readonly Hit[] {
  const { text, offsetOf } = statement
  const sides = runFinder([verdict.baseline, verdict.other])
  return senses
    .flatMap(sense => {
      const said = saidIn(statement, sense)
      const isTrue = said === undefined || supports(verdict, sense, sides(text.slice(0, said.from)).at(-1)?.run ?? null)
      return isTrue ? [] : [said]
    })
    .slice(0, 1)
    .map(({ from, text: quote }) => ({ offset: offsetOf(from), quote }))
}

function supports({ answer, baseline }: Verdict, sense: Sense, subject: string | null): boolean {
  if (sense === 'same') return answer === 'same' || answer === 'different-but-small'
  if (answer !== 'better' && answer !== 'worse') return answer !== 'undetermined' && answer !== 'same'
  if (subject === null || sense === 'significant') return true
  // The verdict is about the other side; what is better of one is worse of its baseline.
  const isPraise = sense !== 'worse'
  return isPraise === ((answer === 'better') === (subject !== baseline))
}
