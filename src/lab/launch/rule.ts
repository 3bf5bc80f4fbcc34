import {
  type CannotSay,
  type DeclaredRule,
  declareRule,
  type Limits,
  type Outcome,
  type RuleFacts,
  type RuleVoice,
  type Seen,
  type Thresholds,
  type Untreated,
} from '../../core/diagnosis/rule.js'
import type { Severity } from '../../logs/model/finding.js'
import type { Template, Templates } from '../../text/language.js'
import type { Message } from '../../text/sentences.js'
import type { Detectable } from './detectable.js'
import type { Experiment } from './experiment.js'
import type { LaunchSetting } from './launch.js'

export { cannotSay, threshold } from '../../core/diagnosis/rule.js'

/**
 * Something about a launch that a person should know before it is started. A rule reads the effective experiment and
 * points at the line whose change would make it silent. Its sentences are named `launch.<id>`, for a pathology of runs
 * may have the same id.
 */
export interface LaunchRule extends DeclaredRule {
  readonly check: (subject: LaunchSubject) => readonly LaunchSymptom[] | CannotSay
}

interface LaunchRuleFacts<Says extends Templates, Table extends Thresholds, Remedy extends Template | undefined>
  extends RuleFacts<Says, Table, Remedy> {
  readonly check: (
    subject: LaunchSubject,
    means: Pick<RuleVoice<Says, Table>, 'say'> & Limits<Table>,
  ) => Outcome<Seen<LaunchSymptom, Remedy>>
}

export function launchRule<
  const Says extends Templates,
  Table extends Thresholds = Record<never, never>,
  const Remedy extends Template | undefined = undefined,
>(facts: LaunchRuleFacts<Says, Table, Remedy>): LaunchRule & RuleVoice<Says, Table> {
  const declared = declareRule(facts, 'launch.')
  const { say, limits, treat } = declared
  return {
    ...declared,
    check(subject) {
      return treat<UntreatedLaunchSymptom>(facts.check(subject, { ...limits, say }))
    },
  }
}

export interface LaunchSubject extends Experiment {
  readonly detectable: Detectable | null
  /** Evaluations beyond this step will not be compared; null: all that are planned will. */
  readonly until: number | null
  readonly simulator: SimulatorState | null
}

/** The service that plays the user, as the launch names it. */
export interface SimulatorState {
  readonly url: string
  readonly model: string | null
  readonly line: number
  /** `not-asked`: it is not on this machine, and nobody allowed to call it. */
  readonly state: 'reachable' | 'unreachable' | 'not-asked'
  /** Of the model that is asked for; null where the service does not list its models. */
  readonly serves: boolean | null
  /** Shares of a check, where one was asked for. */
  readonly fitness: {
    readonly recall: number | null
    readonly falseAlarms: number | null
    readonly failures: number
  } | null
}

export interface LaunchSymptom {
  readonly severity?: Severity
  /** The setting it is about; null where it is about the command. */
  readonly key: string | null
  readonly line: number
  readonly message: Message
  readonly remedy: Message
}

/** A symptom for which the rule's usual remedy will do. */
export type UntreatedLaunchSymptom = Untreated<LaunchSymptom>

/** Where a setting stands; what is only a default is changed by adding a word to the command. */
export function placeOf(
  subject: LaunchSubject,
  written: LaunchSetting | null,
  fallback: string,
): Pick<LaunchSymptom, 'key' | 'line'> {
  return written === null
    ? { key: fallback, line: subject.launch.program.line }
    : { key: written.key, line: written.line }
}

/** Whether a setting holds as it is: it is written down, or it is a default that no config of hydra's may have changed. */
export function isSettled({ launch, setting }: LaunchSubject, canonical: string): boolean {
  const { framework, isOwn } = launch.program
  return framework !== 'verl' || !isOwn || setting(canonical).written !== null
}
