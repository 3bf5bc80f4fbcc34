import { numberOf } from '../../model/vocabulary/config-value.js'
import type { Curve } from '../curve.js'
import type { Subject } from '../subject.js'

/**
 * How often the policy is updated between two rows of the log; null when the config does not tell. TRL logs each update
 * as a step of its own. Of verl the number of mini-batches is known when both batch sizes are.
 */
export function updatesPerStep({ framework, settings }: Subject): number | null {
  if (framework === 'trl' || framework === 'trl-ppo') return 1
  const [prompts, mini, inner] = ['batch.prompts', 'batch.mini', 'epochs.inner'].map(key =>
    numberOf(settings.get(key)?.effective ?? undefined),
  )
  if (framework !== 'verl' || prompts === null || mini === null) return null
  return Math.ceil(prompts / mini) * (inner ?? 1)
}

/** From 0.7 on verl logs the sum of the KL over all updates of a step instead of their mean. */
export function timesKlIsSummed(kl: Curve, subject: Subject): number {
  if (subject.framework !== 'verl' || !/(?:^|\/)kl_loss$/.test(kl.metric)) return 1
  const [, major, minor] = /(\d+)\.(\d+)/.exec(subject.manifest.about.versions?.verl ?? '') ?? []
  const isEarlier = Number(major) === 0 && Number(minor) < 7
  return isEarlier ? 1 : (updatesPerStep(subject) ?? 1)
}
