import type { Severity } from '../../logs/model/finding.js'
import type { ParamsOf, Template, Templates } from '../../text/language.js'
import { type Message, type Say, sentences } from '../../text/sentences.js'

/**
 * A rule as data: one object with everything about it, whether it looks at a run (`runRule`) or at a launch
 * (`launchRule`). docs/diagnosis.md and the end of docs/verbs/preflight.md are made of these objects. Its sentences are
 * named after it: `<id>` and `<id>.<case>` are findings, names with `.remedy` are advice, and `<id>.cannot.<why>` says
 * why nothing can be said.
 */
export interface RuleFacts<
  Says extends Templates = Templates,
  Table extends Thresholds = Thresholds,
  Remedy extends Template | undefined = Template | undefined,
> {
  readonly id: string
  readonly severity: Severity
  /** What it looks for. */
  readonly about: Template
  readonly thresholds?: Table
  readonly says: Says
  /** What to do, unless the symptom says otherwise; it has no blanks. */
  readonly remedy?: Remedy & WithoutBlanks<Remedy>
}

type WithoutBlanks<Text> = Text extends Template ? ([ParamsOf<Text['en']>] extends [never] ? Text : never) : Text

/** A number that decides, and why: a source, or the word "derived" and the reasoning. */
export interface Threshold {
  readonly value: number
  readonly why: Template
}

export interface Thresholds {
  readonly [name: string]: Threshold
}

export function threshold(value: number, why: Template): Threshold {
  return { value, why }
}

/** The numbers alone, to compute with. */
export type Limits<Table extends Thresholds> = { readonly [Name in keyof Table]: number }

export function limitsOf<Table extends Thresholds>(table: Table | undefined): Limits<Table> {
  const values = Object.entries(table ?? {}).map(([name, { value }]) => [name, value])
  return Object.fromEntries(values)
}

/** A rule's own sentences and numbers, for the functions beside it; its check gets them as an argument. */
export interface RuleVoice<Says extends Templates, Table extends Thresholds> {
  readonly say: Say<Says>
  readonly limits: Limits<Table>
}

/** A rule to code that lists rules and explains them; its usual remedy is among what it says. */
export type DeclaredRule = Required<Omit<RuleFacts, 'remedy'>>

export type Outcome<Symptom> = Symptom | readonly Symptom[] | CannotSay | undefined

/** What a check needs is there, but this subject cannot be judged: too few points, a setting that nothing tells. */
export interface CannotSay {
  readonly cannotSay: Message
}

export function cannotSay(reason: Message): CannotSay {
  return { cannotSay: reason }
}

interface Treatable {
  readonly remedy: Message
}

/** A symptom for which the rule's usual remedy will do. */
export type Untreated<Symptom extends Treatable> = Omit<Symptom, 'remedy'> & Partial<Treatable>

/** What the check of a rule may return: with a remedy of its own, where the rule has no usual one. */
export type Seen<Symptom extends Treatable, Remedy> = Remedy extends Template ? Untreated<Symptom> : Symptom

/** `prefix`: what stands before the names of its sentences. */
export function declareRule<const Says extends Templates, Table extends Thresholds>(
  { id, severity, about, says, thresholds, remedy }: Omit<RuleFacts<Says, Table>, 'remedy'> & { remedy?: Template },
  prefix = '',
): DeclaredRule & RuleVoice<Says, Table> & Treatment {
  const key = `${prefix}${id}.remedy`
  const usual: Templates = remedy === undefined ? {} : { [key]: remedy }
  const advise = sentences(usual)
  return {
    id,
    severity,
    about,
    says: { ...usual, ...says },
    thresholds: thresholds ?? {},
    say: sentences(says),
    limits: limitsOf(thresholds),
    treat: outcome => {
      const seen = symptomsOf(outcome)
      if ('cannotSay' in seen) return seen
      return seen.map(symptom => ({ ...symptom, remedy: symptom.remedy ?? advise(key, {}) }))
    },
  }
}

/** What a check has seen as a list, each symptom with its own remedy or the rule's usual one. */
interface Treatment {
  readonly treat: <Symptom extends Partial<Treatable>>(
    outcome: Outcome<Symptom>,
  ) => readonly (Symptom & Treatable)[] | CannotSay
}

function symptomsOf<Symptom extends object>(outcome: Outcome<Symptom>): readonly Symptom[] | CannotSay {
  if (outcome === undefined) return []
  return 'cannotSay' in outcome || isSeveral(outcome) ? outcome : [outcome]
}

function isSeveral<Symptom>(outcome: Symptom | readonly Symptom[]): outcome is readonly Symptom[] {
  return Array.isArray(outcome)
}

/** Every rule on one subject: what was seen, which rules saw nothing, and which could not look. */
export interface Examination<Finding> {
  readonly findings: readonly Finding[]
  readonly passed: readonly string[]
  readonly notChecked: readonly NotChecked[]
}

export interface NotChecked {
  readonly rule: string
  readonly reason: Message
}

/** The findings are in the order of the rules; `examine` is asked for one rule after the other. */
export function examineBy<Rule extends DeclaredRule, Finding>(
  rules: readonly Rule[],
  examine: (rule: Rule, before: readonly Finding[]) => readonly Finding[] | CannotSay,
): Examination<Finding> {
  const findings: Finding[] = []
  const passed: string[] = []
  const notChecked: NotChecked[] = []
  for (const rule of rules) {
    const found = examine(rule, findings)
    if ('cannotSay' in found) notChecked.push({ rule: rule.id, reason: found.cannotSay })
    else if (found.length === 0) passed.push(rule.id)
    else findings.push(...found)
  }
  return { findings, passed, notChecked }
}

const GRAVITY: { readonly [severity in Severity]: number } = { error: 0, warning: 1, note: 2 }

export function byGravity(a: { readonly severity: Severity }, b: { readonly severity: Severity }): number {
  return GRAVITY[a.severity] - GRAVITY[b.severity]
}
