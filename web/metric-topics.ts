/** Which panel a metric or a finding belongs to, and what a reader looks for first. Without words: the script that asks early needs it. */

export const TOPICS = ['reward', 'kl', 'entropy', 'length', 'optimisation', 'efficiency', 'other'] as const

export type Topic = (typeof TOPICS)[number]

const METRICS: readonly (readonly [RegExp, Topic])[] = [
  [/^(?:val|score|reward|group|return|eval)\b/, 'reward'],
  [/^kl\b/, 'kl'],
  [/^entropy\b/, 'entropy'],
  [/^(?:len|turns|tools)\b/, 'length'],
  [/^(?:loss|grad|lr|clip|adv|value|ratio|variance|vespo|rce)\b/, 'optimisation'],
  [/^(?:time|throughput|mfu|memory|rank|gpu|cpu|tokens|rollout)\b/, 'efficiency'],
]

export function topicOf(canonical: string | null): Topic {
  return METRICS.find(([pattern]) => pattern.test(canonical ?? ''))?.[1] ?? 'other'
}

const RULES: readonly (readonly [RegExp, Topic])[] = [
  [/^kl-/, 'kl'],
  [/^entropy-/, 'entropy'],
  [/^(?:length-|truncation)/, 'length'],
  [/^(?:grad-|lr-|clip-|loss-|advantage-|train-inference)/, 'optimisation'],
  [/^throughput-/, 'efficiency'],
]

/** What belongs to no curve in particular is shown where people look first. */
export function topicOfRule(rule: string): Topic {
  return RULES.find(([pattern]) => pattern.test(rule))?.[1] ?? 'reward'
}

/** What a reader looks for first; then what klens knows, then the rest. */
const FIRST = [
  ...['val.score', 'score.mean', 'reward.mean', 'val.loss', 'kl.ref', 'kl.coef', 'entropy', 'len.response'],
  ...['grad.norm', 'clip.frac', 'loss.policy'],
]

export function rankOf(canonical: string | null): number {
  if (canonical === null) return FIRST.length + TOPICS.length
  const at = FIRST.indexOf(canonical)
  return at < 0 ? FIRST.length + TOPICS.indexOf(topicOf(canonical)) : at
}
