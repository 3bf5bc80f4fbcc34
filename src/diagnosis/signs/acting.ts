import { numberOf } from '../../model/vocabulary/config-value.js'
import type { KlPath } from '../../model/vocabulary/effective-kl.js'
import type { Subject } from '../subject.js'
import { type Curve, medianOf } from './curve.js'

/**
 * What really acted on the policy: the learning rate, the KL coefficient, the updates between two rows of the log. The
 * log is believed before the config; null or undefined where neither tells.
 */

/** verl before 0.4 logged the rate in units of 1e-4 and said so in the name. */
export function loggedRate({ curve }: Subject): Curve | undefined {
  const logged = curve('lr')
  if (logged === undefined || !logged.metric.includes('(1e-4)')) return logged
  return { ...logged, values: logged.values.map(rate => rate * 1e-4) }
}

export function configuredRate(subject: Subject): number | null {
  return settingOf(subject, 'lr')
}

/** A setting as a number; null where nothing tells it, or it is none. */
export function settingOf({ settings }: Subject, key: string): number | null {
  return numberOf(settings.get(key)?.effective ?? undefined)
}

/** Which of the two KL terms a logged metric belongs to; their names say so, the canonical meaning does not. */
export function klPathOf({ metric }: Curve, { framework, kl }: Subject): KlPath {
  const inReward = framework === 'trl-ppo' || /reward_kl_penalty/.test(metric)
  return inReward ? kl.inReward : kl.inLoss
}

export function actingCoefficient(subject: Subject): number | null {
  const logged = subject.curve('kl.coef')
  if (logged !== undefined) return medianOf(logged)
  const { inLoss, inReward } = subject.kl
  return inLoss.on === true || inReward.on !== true ? inLoss.coefficient : inReward.coefficient
}

/** The last checkpoint on disk up to a step, where the config tells how often one is saved; else the step itself. */
export function savedUpTo(subject: Subject, step: number): number {
  const every = settingOf(subject, 'save.every')
  return every === null || every < 1 ? step : Math.floor(step / every) * every
}

/**
 * TRL's PPO sums the KL over the tokens of an answer, Lever-Plus and klens's selector over the picks; all others average
 * tokens, and so does klens's language model, which logs under verl's names.
 */
export function isKlPerSequence({ framework, manifest }: Subject): boolean {
  return framework === 'trl-ppo' || framework === 'lever-plus' || (manifest.source === 'klens' && framework !== 'verl')
}

/**
 * How often the policy is updated between two rows of the log. TRL logs each update as a step of its own. Of verl the
 * number of mini-batches is known when both batch sizes are.
 */
export function updatesPerStep(subject: Subject): number | null {
  const { framework } = subject
  if (framework === 'trl' || framework === 'trl-ppo') return 1
  const [prompts, mini] = [settingOf(subject, 'batch.prompts'), settingOf(subject, 'batch.mini')]
  if (framework !== 'verl' || prompts === null || mini === null) return null
  return Math.ceil(prompts / mini) * (settingOf(subject, 'epochs.inner') ?? 1)
}

/** From 0.7 on verl logs the sum of the KL over all updates of a step instead of their mean. */
export function timesKlIsSummed(kl: Curve, subject: Subject): number {
  if (subject.framework !== 'verl' || !/(?:^|\/)kl_loss$/.test(kl.metric)) return 1
  const [, major, minor] = /(\d+)\.(\d+)/.exec(subject.manifest.about.versions?.verl ?? '') ?? []
  const isEarlier = Number(major) === 0 && Number(minor) < 7
  return isEarlier ? 1 : (updatesPerStep(subject) ?? 1)
}
