import { createEngine } from '../../src/lab/train/kernels/engine.js'
import { CHAT_MARKS, chatText, chatTokens } from '../../src/lab/train/lm/chat.js'
import { createLanguageModel, type LanguageModel } from '../../src/lab/train/lm/language-model.js'
import { type DecoderShape, initialiseDecoder } from '../../src/lab/train/lm/shape.js'
import type { Tokenizer } from '../../src/lab/train/lm/tokenizer/tokenizer.js'
import { trainTokenizer } from '../../src/lab/train/lm/tokenizer/train-tokenizer.js'
import { supervisedStep } from '../../src/lab/train/lm/update.js'
import { createAdamW } from '../../src/lab/train/optimiser/adamw.js'
import { seededRandom } from '../../src/stats/random.js'
import { dialogues } from './dialogues.js'

/** A model that has learned the made-up dialogues for a while: enough for its text to be more than noise. */
export interface LearnedModel {
  readonly model: LanguageModel
  readonly tokenizer: Tokenizer
  /** Of the last step. */
  readonly loss: number
}

const BATCH = 16
const LEARNING_RATE = 3e-3

export function learnedModel(
  decoder: Omit<DecoderShape, 'vocabulary'>,
  vocabulary: number,
  steps: number,
): LearnedModel {
  const texts = dialogues(200, 1)
  const tokenizer = trainTokenizer(
    texts.map(messages => chatText(messages)),
    { size: vocabulary, marks: CHAT_MARKS },
  )
  const shape = { ...decoder, vocabulary: tokenizer.size }
  const model = createLanguageModel(createEngine('float32'), shape)
  initialiseDecoder(model.parameters, shape, seededRandom(1))
  const optimiser = createAdamW(model.parameters)
  const sequences = texts.map(messages => chatTokens(tokenizer, messages))
  let loss = Number.NaN
  for (let step = 0; step < steps; step++) {
    const batch = Array.from({ length: BATCH }, (_, i) => sequences[(step * BATCH + i) % sequences.length])
    loss = supervisedStep(model, optimiser, batch, LEARNING_RATE).loss
  }
  return { model, tokenizer, loss }
}
