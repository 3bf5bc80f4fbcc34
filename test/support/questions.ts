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
