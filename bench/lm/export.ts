import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChatMessage, chatText, chatTokens, END } from '../../src/lab/train/lm/chat.js'
import { saveModel } from '../../src/lab/train/lm/checkpoint/model-folder.js'
import { speak } from '../../src/lab/train/lm/generate.js'
import { openSlots } from '../../src/lab/train/lm/slots.js'
import { seededRandom } from '../../src/stats/random.js'
import { dialogues } from './dialogues.js'
import type { LearnedModel } from './learned-model.js'

/**
 * A checkpoint as somebody else gets it, and questions to put to it: dialogues to go on with greedily, and texts to cut
 * into tokens. checkpoint.py puts the same questions to Hugging Face's library.
 */
export interface ExportQuestions {
  readonly prompts: readonly (readonly ChatMessage[])[]
  readonly texts: readonly string[]
  /** Tokens of a continuation at most. */
  readonly limit: number
}

export interface ExportAnswers {
  /** Of each prompt: as the chat template writes it, and what the model then says. */
  readonly chats: readonly string[]
  readonly continuations: readonly { readonly tokens: readonly number[]; readonly text: string }[]
  /** Of each text: its tokens, and what these are decoded to. */
  readonly tokens: readonly (readonly number[])[]
  readonly decoded: readonly string[]
}

const LIMIT = 40

/** Beside ordinary text, what tokenizers stumble over: blanks of all kinds, marks, emoji, accents, a byte order mark. */
const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '   two  blanks\tand\t\ttabs \n\n new lines\r\n  end ',
  "it's 12,345.67 €, isn't it?",
  '混合 mixed 文字 and numbers ４２ ٣٤ Ⅷ ²',
  'e\u0301 \u00e9 \u200b\u00a0\u3000x\u2028y\u0085z\ufeffw',
  '👩‍👩‍👧‍👦🇩🇪 ✅',
  '<|user|>hello<|end|><|assistant|><tool_call>{"name": "ask"}</tool_call><|end|>',
  '<|end|><|end|> <|end|>\n<|nobody|><tool_call',
  '\u0000\u0001\u007f tail',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
]

export function exportQuestions(promptCount: number): ExportQuestions {
  const random = seededRandom(9)
  const prompts = dialogues(promptCount, 2).map(messages => {
    // Cut before something that the assistant says.
    const turns = messages.flatMap(({ role }, i) => (role === 'assistant' ? [i] : []))
    return messages.slice(0, turns[random.below(turns.length)])
  })
  const texts = [...ODD_TEXTS, ...dialogues(20, 3).map(messages => chatText(messages))]
  return { prompts, texts, limit: LIMIT }
}

/** What klens answers. */
export function exportAnswers({ model, tokenizer }: LearnedModel, questions: ExportQuestions): ExportAnswers {
  const { prompts, texts, limit } = questions
  const slots = openSlots(model, { count: prompts.length, capacity: model.shape.positions })
  prompts.forEach((messages, slot) => {
    slots.append(slot, chatTokens(tokenizer, messages, { isToBeAnswered: true }).tokens)
  })
  const speakers = prompts.map((_, slot) => ({ slot, random: seededRandom(slot), limit }))
  const stop = [tokenizer.markId(END)]
  const turns = speak(model, slots, speakers, { decoding: { kind: 'greedy' }, stop })
  const tokens = texts.map(text => tokenizer.encode(text))
  return {
    chats: prompts.map(messages => chatText(messages, { isToBeAnswered: true })),
    continuations: turns.map(turn => ({ tokens: turn.tokens, text: tokenizer.decode(turn.tokens) })),
    tokens,
    decoded: tokens.map(each => tokenizer.decode(each)),
  }
}

export async function writeExport(folder: string, learned: LearnedModel, questions: ExportQuestions): Promise<void> {
  const { model, tokenizer } = learned
  await saveModel(folder, { shape: model.shape, parameters: model.parameters, tokenizer }, {})
  writeFileSync(join(folder, 'questions.json'), JSON.stringify(questions))
}
