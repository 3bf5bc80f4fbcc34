import type { Verdict } from '../model/verdict.js'
import { canMeet } from '../stats/rounding.js'
import { message } from '../text/say.js'
import type { ClaimKind } from './claims.js'
import type { AuditDocument, Statement } from './document.js'
import { mentionsOf } from './mentions.js'
import { printedCurves } from './printed-curves.js'
import type { AuditRule, Fault } from './rule.js'
import type { PrintedSeries } from './table-view.js'

/**
 * A report against the logs it is about. A printed curve is recognised by its values, not by its name: it belongs to
 * the logged series that it agrees with at most of its steps. Then every other figure of it must agree too, and every
 * claim that a verdict can answer is answered from the logs.
 */
export interface LoggedSeries {
  readonly run: string
  readonly metric: string
  readonly valueAt: (step: number) => number | undefined
}

export interface Logs {
  readonly series: readonly LoggedSeries[]
  /** The verdicts of the comparison, where exactly two runs were given. */
  readonly verdicts: readonly Verdict[]
}

/** Derived: two figures may agree by chance; three of four with three decimals do not. */
const FEWEST_AGREEING = 3
const LEAST_SHARE = 0.6
const FEWEST_NAMED = 2

export function dataRules(logs: Logs): readonly AuditRule[] {
  return [valuesRule(logs), verdictRule(logs)]
}

function valuesRule({ series }: Logs): AuditRule {
  return {
    id: 'data-value',
    kind: 'data',
    severity: 'error',
    example: { faulty: '', sound: '' },
    *check(document) {
      for (const printed of printedCurves(document)) {
        const logged = bestMatch(printed, series)
        if (logged !== null) yield* disagreements(printed, logged)
      }
    },
  }
}

function agrees({ quantity }: PrintedSeries['points'][number], value: number): boolean {
  return canMeet(quantity.range, { low: value, high: value })
}

function bestMatch(printed: PrintedSeries, series: readonly LoggedSeries[]): LoggedSeries | null {
  const named = series.filter(({ run }) => mentionsOf(printed.subject, [run]).length > 0)
  const measured = printed.points.filter(({ quantity }) => quantity.hedge !== 'estimated')
  let best: { readonly logged: LoggedSeries; readonly agreeing: number } | null = null
  for (const logged of series) {
    const agreeing = measured.filter(point => {
      const value = logged.valueAt(point.step)
      return value !== undefined && agrees(point, value)
    }).length
    if (agreeing > (best?.agreeing ?? 0)) best = { logged, agreeing }
  }
  if (best === null || best.agreeing < LEAST_SHARE * measured.length) return null
  // A column with the run's name needs no more than that all it measured agrees.
  const isNamed = named.includes(best.logged) && best.agreeing >= FEWEST_NAMED && best.agreeing === measured.length
  return best.agreeing >= FEWEST_AGREEING || isNamed ? best.logged : null
}

function* disagreements(printed: PrintedSeries, logged: LoggedSeries): Generator<Fault> {
  for (const point of printed.points) {
    const value = logged.valueAt(point.step)
    if (value === undefined || agrees(point, value)) continue
    const { step, quantity, offset } = point
    const expected = String(Number(value.toPrecision(6)))
    const params = { step, found: String(quantity.value), expected, run: logged.run, metric: logged.metric }
    const fault = { offset, message: message('audit.data-value', params), found: String(quantity.value), expected }
    // A guess that was called one is no false figure; but the log knows better.
    yield quantity.hedge === null ? fault : { ...fault, severity: 'warning' }
  }
}

/** Which question of a comparison a claim is about. */
const QUESTIONS: { readonly [kind in ClaimKind]?: Verdict['question'] } = {
  same: 'level',
  better: 'level',
  worse: 'level',
  significant: 'level',
  sooner: 'speed',
  stabler: 'stability',
}

function verdictRule({ verdicts }: Logs): AuditRule {
  return {
    id: 'data-verdict',
    kind: 'data',
    severity: 'warning',
    example: { faulty: '', sound: '' },
    *check(document) {
      if (verdicts.length === 0) return
      for (const statement of compared(document)) yield* contradicted(statement, verdicts)
    },
  }
}

function compared({ statements }: AuditDocument): readonly Statement[] {
  return statements.filter(({ kind }) => kind !== 'heading' && kind !== 'code')
}

function* contradicted(statement: Statement, verdicts: readonly Verdict[]): Generator<Fault> {
  const seen = new Set<string>()
  for (const { kind, from, to, negated, hedged } of statement.claims) {
    const question = QUESTIONS[kind]
    if (question === undefined || negated || hedged || seen.has(question)) continue
    const verdict = verdicts.find(candidate => candidate.question === question)
    if (verdict === undefined || supports(verdict, { kind, subject: subjectOf(statement, from, verdict) })) continue
    seen.add(question)
    const [low, high] = verdict.interval?.map(end => Number(end.toPrecision(3))) ?? ['–', '–']
    const found = statement.text.slice(from, to)
    yield {
      offset: statement.offsetOf(from),
      message: message('audit.data-verdict', {
        found,
        low,
        high,
        baseline: verdict.baseline,
        other: verdict.other,
        answer: verdict.answer,
      }),
      found,
      expected: verdict.answer,
    }
  }
}

/** Whom a claim is about: the side that is named last before it; null where neither is. */
function subjectOf({ text }: Statement, from: number, { baseline, other }: Verdict): string | null {
  return mentionsOf(text, [baseline, other]).findLast(({ to }) => to <= from)?.name ?? null
}

function supports(
  { answer, baseline }: Verdict,
  { kind, subject }: { readonly kind: ClaimKind; readonly subject: string | null },
): boolean {
  if (kind === 'same') return answer === 'same' || answer === 'different-but-small'
  if (answer !== 'better' && answer !== 'worse') return answer !== 'undetermined' && answer !== 'same'
  if (subject === null || kind === 'significant') return true
  // The verdict is about the other side; what is better of one is worse of its baseline.
  const isPraise = kind !== 'worse'
  return isPraise === ((answer === 'better') === (subject !== baseline))
}
