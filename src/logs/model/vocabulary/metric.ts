import type { Condition } from '../evaluation.js'
import type { Message } from '../run.js'
import type { Aliases } from './framework.js'

/** Whether more or less of a metric is better. Most training metrics have no such direction. */
export type Goal = 'max' | 'min'

/** What a raw metric name stands for. */
export interface MetricMeaning {
  /** Null: no metric that klens knows. */
  readonly canonical: string | null
  readonly unit: string | null
  readonly goal: Goal | null
  /** Measured on held-out prompts rather than on the training batch. */
  readonly validation: boolean
  /** What the name itself says about how it was measured. */
  readonly condition: Condition
  /** In what this number differs from the usual one, such as a KL summed per sequence. */
  readonly notes: readonly Message[]
}

/** One line of the metric table. */
export interface MetricRow extends Aliases {
  readonly canonical: string
  readonly unit: string | null
  readonly goal: Goal | null
  /** Names that first of all mean another row, but say this as well: TRL's `reward` is also the raw score. */
  readonly also?: Aliases
}

/**
 * The direction of a metric that no table knows, guessed from its name. A name with words of both kinds goes by
 * the last one, the head of the phrase: `reward_model_loss` is a loss. A spread has no direction.
 */
export function goalByName(name: string): Goal | null {
  const lower = name.toLowerCase().replace(OTHER_WORDS, '')
  if (SPREAD.test(lower)) return null
  const higher = lastIndexOfAny(lower, HIGHER)
  const lesser = lastIndexOfAny(lower, LOWER)
  if (higher === lesser) return null
  return higher > lesser ? 'max' : 'min'
}

const HIGHER = ['reward', 'score', 'acc', 'exact', 'pass', 'win', '奖励', '得分', '分数', '准确率', '通过率', '胜率']
const LOWER = ['loss', 'error', 'perplexity', '损失', '误差', '错误率', '困惑度']
/** Words that merely contain one of the above. */
const OTHER_WORDS = /wind|winter|twin|acc(?:um|ept|ess|ent|ord|ount|id)|(?:by|com|sur)pass|passage/g
const SPREAD = /(?:^|[^a-z])(?:std|stdev|stddev|stderr|sem|var|variance)(?:@\d+)?$|标准差$|方差$/

function lastIndexOfAny(text: string, words: readonly string[]): number {
  return Math.max(...words.map(word => text.lastIndexOf(word)))
}
