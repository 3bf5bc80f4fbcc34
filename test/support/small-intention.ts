import { type IntentionConfig, intentionSchema } from '../../src/lab/train/config/language-settings.js'

/**
 * A language model so small, and so little taught, that a run takes a second: it earns nothing and still moves, by its
 * entropy bonus.
 */
export const SMALL_INTENTION = {
  task: 'intention',
  model: { vocabulary: 400, width: 32, layers: 1, heads: 2, key_heads: 1, head_width: 16, inner: 48 },
  start: { steps: 8, habits: 2, batch: 4 },
  gym: { max_turns: 4, turn_tokens: 24 },
  steps: 7,
  batch: { prompts: 2 },
  group: { size: 3 },
  entropy: { coef: 0.01 },
  eval: { every: 2, samples: 6 },
  save: { every: 4 },
}

export function smallIntention(settings: object = {}): IntentionConfig {
  return intentionSchema().parse({ ...SMALL_INTENTION, ...settings })
}
