/**
 * A checkpoint of a language model as a policy for any gym: it reads the request and what its calls brought, as it did in
 * training. Each message is generated from the whole dialogue so far, so that many dialogues can go on side by side with
 * the memory of one; what it says is the same to the bit as in lock-step.
 */
import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../../logs/model/json.js'
import { type Random, seededRandom } from '../../../stats/random.js'
import { type Policy, saidBy } from '../../gym/policy.js'
import { intentionDefaults } from '../config/language-settings.js'
import { createEngine } from '../kernels/engine.js'
import { chatTokens, END } from '../lm/chat.js'
import { loadModel } from '../lm/checkpoint/model-folder.js'
import { type Decoding, speak } from '../lm/generate.js'
import { createLanguageModel } from '../lm/language-model.js'
import { openSlots } from '../lm/slots.js'
import { requestMessage, toolMessage } from './speech.js'

interface CheckpointUse {
  /** As it stands in tables. */
  readonly label: string
  /** 0: greedy. */
  readonly temperature: number
}

/** The settings of its training, so that checkpoints of several seeds are replicates of each other here too. */
function trainedBy({ config, step }: JsonObject, label: string): JsonObject {
  return isJsonObject(config) ? { ...config, checkpoint_step: step ?? null } : { policy: label }
}

/** 0: greedy. */
export function decodingAt(temperature: number): Decoding {
  return temperature > 0 ? { kind: 'sample', temperature, topP: 1 } : { kind: 'greedy' }
}

/** What is drawn in an attempt at a task, whichever others are played beside it. */
export function taskRandom({ id }: { readonly id: string }, repeat: number): Random {
  return seededRandom(createHash('sha256').update(`${id}\n${repeat}`).digest().readUInt32LE(0))
}

export async function checkpointPolicy<Task extends { readonly id: string }>(
  folder: string,
  { label, temperature }: CheckpointUse,
): Promise<Policy<Task>> {
  const { shape, values, tokenizer, about, contentHash } = await loadModel(folder)
  const model = createLanguageModel(createEngine('float32'), shape, { trainable: false })
  model.parameters.load(values)
  const slots = openSlots(model, { count: 1, capacity: shape.positions })
  const decoding = decodingAt(temperature)
  const stop = [tokenizer.markId(END)]
  return {
    label,
    settings: { ...trainedBy(about, label), weights_id: contentHash, temperature },
    open({ task, prompts, repeat }) {
      const random = taskRandom(task, repeat)
      let tokens: readonly number[] = chatTokens(tokenizer, [requestMessage(prompts)], { isToBeAnswered: true }).tokens
      return {
        next(heard) {
          if (heard.length > 0) {
            const replies = chatTokens(tokenizer, heard.map(toolMessage), { isToBeAnswered: true })
            tokens = [...tokens, ...replies.tokens]
          }
          // A dialogue that is as long as the model can read has nothing more to say, which ends it.
          if (tokens.length >= slots.capacity) return saidBy('')
          slots.clear()
          slots.append(0, tokens)
          const [said] = speak(model, slots, [{ slot: 0, random, limit: intentionDefaults().gym.turn_tokens }], {
            decoding,
            stop,
          })
          tokens = [...slots.tokens(0), ...(said.ended === 'stop' ? [] : stop)]
          return saidBy(tokenizer.decode(said.tokens, { skipSpecial: true }))
        },
      }
    },
  }
}
