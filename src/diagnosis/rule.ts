import type { Evidence, Finding, Severity } from '../model/finding.js'
import type { Message } from '../model/run.js'
import type { Template } from '../text/language.js'
import { sentences } from '../text/sentences.js'
import type { Curve } from './signs/curve.js'
import type { Subject } from './subject.js'
import type { Thresholds } from './threshold.js'

/**
 * What a pathology is to klens: what it needs to be seen, how it shows, and the words for it. A rule reads one run and
 * says what it sees; it never guesses. Everything about it stands in its own file, and docs/diagnosis.md is made of
 * that. Its sentences are named after it: `<id>` and `<id>.<case>` are findings, names with `.remedy` are advice, and
 * `<id>.cannot.<why>` says why nothing can be said.
 */
export interface Rule {
  readonly id: string
  readonly severity: Severity
  readonly about: Template
  readonly thresholds?: Thresholds
  /** Canonical metrics without which nothing can be said; of a nested list any one will do. */
  readonly needs: readonly (string | readonly string[])[]
  /** Canonical metrics that it looks at where they are there. */
  readonly uses?: readonly string[]
  /** What it finds is no doing of the policy: the rules after it do not see those steps. */
  readonly spoilsSteps?: true
  /** `findings`: what the rules before it in the registry have found. */
  readonly detect: (
    subject: Subject,
    findings: readonly Finding[],
  ) => Symptom | readonly Symptom[] | CannotSay | undefined
}

/** One thing that a rule saw. */
export interface Symptom {
  /** Where it is milder or graver than the rule usually is. */
  readonly severity?: Severity
  readonly steps: readonly [number, number]
  readonly evidence: Evidence
  readonly message: Message
  readonly remedy: Message
}

/** The metrics are there, but this run cannot be judged: too few points, a setting that nothing tells. */
export interface CannotSay {
  readonly cannotSay: Message
}

export function cannotSay(reason: Message): CannotSay {
  return { cannotSay: reason }
}

const say = sentences({
  'diagnose.not-logged': { en: 'the run does not log {metrics}', zh: '该 run 没有记录 {metrics}' },
  'diagnose.too-short': {
    en: '{n} points of {metric}; {needed} are needed',
    zh: '{metric} 只有 {n} 个点，至少需要 {needed} 个',
  },
  'diagnose.setting-unknown': { en: 'no config tells {key}', zh: '配置中没有 {key}' },
})

export function notLogged(needs: Rule['needs']): CannotSay {
  return cannotSay(say('diagnose.not-logged', { metrics: needs.map(need => [need].flat().join(' | ')).join(', ') }))
}

export function tooShort({ metric, steps }: Curve, needed: number): CannotSay {
  return cannotSay(say('diagnose.too-short', { n: steps.length, metric, needed }))
}

export function settingUnknown(key: string): CannotSay {
  return cannotSay(say('diagnose.setting-unknown', { key }))
}
