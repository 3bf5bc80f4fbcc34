import type { Evidence, Finding, Severity } from '../../logs/model/finding.js'
import type { Template, Templates } from '../../text/language.js'
import type { Message } from '../../text/sentences.js'
import { sentences } from '../../text/sentences.js'
import {
  type CannotSay,
  cannotSay,
  type DeclaredRule,
  declareRule,
  type Limits,
  type Outcome,
  type RuleFacts,
  type RuleVoice,
  type Seen,
  type Thresholds,
  type Untreated,
} from './rule.js'
import type { Curve } from './signs/curve.js'
import type { Subject } from './subject.js'

export { type CannotSay, cannotSay, limitsOf, threshold } from './rule.js'

/** A rule about a run: a pathology, what it needs to be seen, and how it shows. It says what it sees and never guesses. */
export interface RunRule extends DeclaredRule {
  /** Canonical metrics without which nothing can be said; of a nested list any one will do. */
  readonly needs: readonly Need[]
  /** Canonical metrics that it looks at where they are there. */
  readonly uses: readonly string[]
  /** What it finds is no doing of the policy: the rules after it do not see those steps. */
  readonly spoilsSteps: boolean
  /** `before`: what the rules before it in the registry have found. */
  readonly check: (subject: Subject, before: readonly Finding[]) => readonly Symptom[] | CannotSay
}

export type Need = string | readonly string[]

/** One thing that a rule saw. */
export interface Symptom {
  /** Where it is milder or graver than the rule usually is. */
  readonly severity?: Severity
  readonly steps: readonly [number, number]
  readonly evidence: Evidence
  readonly message: Message
  readonly remedy: Message
}

/** A symptom for which the rule's usual remedy will do. */
export type UntreatedSymptom = Untreated<Symptom>

interface RunRuleFacts<Says extends Templates, Table extends Thresholds, Remedy extends Template | undefined>
  extends RuleFacts<Says, Table, Remedy> {
  readonly needs: readonly Need[]
  readonly uses?: readonly string[]
  readonly spoilsSteps?: true
  readonly check: (subject: Subject, means: CheckMeans<Says> & Limits<Table>) => Outcome<Seen<Symptom, Remedy>>
}

interface CheckMeans<Says extends Templates> extends Pick<RuleVoice<Says, Thresholds>, 'say'> {
  /** The best carrier of each of `needs`, in their order. */
  readonly needed: readonly Curve[]
  readonly before: readonly Finding[]
}

export function runRule<
  const Says extends Templates,
  Table extends Thresholds = Record<never, never>,
  const Remedy extends Template | undefined = undefined,
>(facts: RunRuleFacts<Says, Table, Remedy>): RunRule & RuleVoice<Says, Table> {
  const { needs, uses = [], spoilsSteps = false } = facts
  const declared = declareRule(facts)
  const { limits, say, treat } = declared
  const asked = needs.map(need => [need].flat())
  const nothing: Pick<CheckMeans<Says>, 'needed' | 'before'> = { needed: [], before: [] }
  // One object for every call: a check takes it apart at once, and to copy the limits costs more than many a check.
  const means = { ...limits, say, ...nothing }
  return {
    ...declared,
    needs,
    uses,
    spoilsSteps,
    check(subject, before) {
      const found = asked.map(metrics => bestCarrier(metrics, subject))
      const needed = found.filter(curve => curve !== undefined)
      if (needed.length < asked.length) return notLogged(asked.filter((_, i) => found[i] === undefined))
      return treat<UntreatedSymptom>(facts.check(subject, Object.assign(means, { needed, before })))
    },
  }
}

/** Of the first of these metrics that is logged. */
function bestCarrier(metrics: readonly string[], { curve }: Subject): Curve | undefined {
  for (const canonical of metrics) {
    const carrier = curve(canonical)
    if (carrier !== undefined) return carrier
  }
  return undefined
}

const explain = sentences({
  'diagnose.not-logged': { en: 'the run does not log {metrics}', zh: '该 run 没有记录 {metrics}' },
  'diagnose.too-short': {
    en: '{n} point{n||s} of {metric}; {needed} are needed',
    zh: '{metric} 只有 {n} 个点，至少需要 {needed} 个',
  },
  'diagnose.setting-unknown': { en: '{key} is unknown: no config was read', zh: '配置中没有 {key}' },
})

function notLogged(needs: readonly (readonly string[])[]): CannotSay {
  return cannotSay(explain('diagnose.not-logged', { metrics: needs.map(metrics => metrics.join(' | ')).join(', ') }))
}

export function tooShort({ metric, steps }: Curve, needed: number): CannotSay {
  return cannotSay(explain('diagnose.too-short', { n: steps.length, metric, needed }))
}

export function settingUnknown(key: string): CannotSay {
  return cannotSay(explain('diagnose.setting-unknown', { key }))
}
