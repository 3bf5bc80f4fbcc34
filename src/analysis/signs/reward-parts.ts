import type { Curve } from '../curve.js'
import type { Subject } from '../subject.js'

/**
 * The parts that a reward is the sum of, where the log has them (TRL: `rewards/<function>/mean`). Some pay for how an
 * answer looks, the others for what it says; only their names tell which.
 */
export interface RewardPart {
  readonly curve: Curve
  /** Pays for the form of an answer: tags, length, language, steps of reasoning. */
  readonly ofForm: boolean
}

/**
 * The reward functions of open-r1 and of the tutorials that people copy: format, tag_count, xmlcount, soft_format, len,
 * reasoning_steps, repetition_penalty, soft_overlong_punishment, int (the answer is a number), language_consistency.
 */
const FORM =
  /format|tag|xml|len(?:gth)?(?![a-z])|short|long|brev|concis|think|reasoning|steps?(?![a-z])|repet|penal|punish|lang|style|(?<![a-z])int(?![a-z])/i

export function rewardParts({ curves }: Subject): readonly RewardPart[] {
  return curves('reward.part').map(curve => ({ curve, ofForm: FORM.test(curve.metric) }))
}

/**
 * Whether what is optimised is also all that the batch tells of the task: TRL logs the sum of the parts and nothing
 * else, and verl logs one number twice where nothing is taken from the score.
 */
export function isRewardTheScore({ curve }: Subject): boolean {
  const [score, reward] = [curve('score.mean'), curve('reward.mean')]
  if (score === undefined || reward === undefined || score.metric === reward.metric) return true
  return score.values.length === reward.values.length && score.values.every((value, i) => value === reward.values[i])
}
