/** What is known of a training before it begins: how much there is to learn from, how large the model is, what can be had. */
import { elementCount } from '../../weights/tensor.js'
import { DEFAULT_DECODER, decoderTensors } from '../lm/shape.js'
import type { IntentionConfig } from './settings.js'
import { openStage } from './stage.js'

export function introduction(config: IntentionConfig) {
  const { trainTasks, ceiling } = openStage(config)
  return {
    queries: trainTasks.length,
    parameters: parametersOf(config),
    baselines: [{ name: 'ceiling', score: ceiling }],
  }
}

/** As many tokens as are asked for; a gym with fewer words makes it smaller. */
function parametersOf({ model }: IntentionConfig): number {
  const { key_heads: keyHeads, head_width: headWidth, ...rest } = model
  const tensors = decoderTensors({ ...DEFAULT_DECODER, ...rest, keyHeads, headWidth })
  return tensors.reduce((sum, { dimensions }) => sum + elementCount(dimensions), 0)
}
