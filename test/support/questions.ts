import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../workspace.js'
import type { ChatReply, ChatRequest } from './chat-server.js'

/** A folder with `items.jsonl`: so many questions about numbers, the first ones to train on where a number is given. */
export function questionsFolder(count: number, toTrain: number | null = null): string {
  const folder = temporaryFolder()
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      id: `q${i}`,
      text: `what is ${i}?`,
      answers: [`number ${i}`],
      ...(toTrain !== null && { split: i < toTrain ? 'train' : 'test' }),
    }),
  )
  writeFileSync(join(folder, 'items.jsonl'), lines.join('\n'))
  return folder
}

/** The numbers in a prompt: those of its examples, then the one that is asked. */
export const asked = ({ messages }: ChatRequest): readonly number[] =>
  [...JSON.stringify(messages).matchAll(/what is (\d+)\?/g)].map(match => Number(match[1]))

/** Right where the first example shown is even. */
export function answer(request: ChatRequest): ChatReply {
  const numbers = asked(request)
  return { answer: `number ${numbers[0] % 2 === 0 ? numbers.at(-1) : 99}` }
}

export const embed = (text: string): readonly number[] => {
  const value = Number(/\d+/.exec(text)?.[0])
  return [Math.cos(value), Math.sin(value), (value % 2) - 0.5]
}

/** The settings of a small selector that is trained on such questions; returns their file. */
export function selectorSettings(folder: string, url: string): string {
  const config = {
    task: 'llm',
    data: {
      train: 'items.jsonl',
      query_embeddings: 'items.safetensors',
      candidates: 6,
      test_share: 0,
      val_share: 0.25,
    },
    llm: { url, model: 'tiny', attempts: 2, timeout: 0.4 },
    group: { proposals: { beams: 2, temperatures: [1], samples: 1, random: 1, retrieval: 1 } },
    policy: { hidden: 4 },
    epochs: { rce: 1, grpo: 1 },
  }
  const path = join(folder, 'config.yaml')
  writeFileSync(path, JSON.stringify(config))
  return path
}
