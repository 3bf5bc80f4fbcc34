import type { KlPath } from '../../model/vocabulary/effective-kl.js'
import { type Curve, medianOf } from '../curve.js'
import type { Subject } from '../subject.js'

/** Which of the two KL terms a logged metric belongs to; their names say so, the canonical meaning does not. */
export function klPathOf({ metric }: Curve, { framework, kl }: Subject): KlPath {
  const inReward = framework === 'trl-ppo' || /reward_kl_penalty/.test(metric)
  return inReward ? kl.inReward : kl.inLoss
}

/** The coefficient that acted, as logged, else as configured; null when nothing tells. */
export function actingCoefficient(subject: Subject): number | null {
  const logged = subject.curve('kl.coef')
  if (logged !== undefined) return medianOf(logged)
  const { inLoss, inReward } = subject.kl
  return inLoss.on === true || inReward.on !== true ? inLoss.coefficient : inReward.coefficient
}

/** TRL's PPO sums the KL over the tokens of an answer, Lever-Plus and klens over the picks; all others average tokens. */
export function isKlPerSequence({ framework, manifest }: Subject): boolean {
  return framework === 'trl-ppo' || framework === 'lever-plus' || manifest.source === 'klens'
}
