/** `tokenizer.json` as Hugging Face's `tokenizers` writes and reads it. */

import { z } from 'zod'
import { parseBoundedJson } from '../../../weights/weights-file.js'
import { createTokenizer, PIECE_PATTERN, type Tokenizer } from './tokenizer.js'

const BYTE_LEVEL = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false } as const

export function tokenizerJson({ marks, merges, tokens }: Tokenizer): string {
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: marks.map(({ text, special }, id) => ({
      ...{ id, content: text, single_word: false, lstrip: false, rstrip: false, normalized: false, special },
    })),
    normalizer: null,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: PIECE_PATTERN }, behavior: 'Isolated', invert: false },
        BYTE_LEVEL,
      ],
    },
    post_processor: null,
    decoder: BYTE_LEVEL,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges,
    },
  })
}

/** Only what klens writes: another pre-tokenizer or normalizer would cut texts in another way without a word. */
const fileSchema = z.object({
  added_tokens: z.array(z.object({ id: z.int(), content: z.string(), special: z.boolean() })),
  normalizer: z.null(),
  pre_tokenizer: z.object({
    pretokenizers: z.tuple([
      z.object({ type: z.literal('Split'), pattern: z.object({ Regex: z.literal(PIECE_PATTERN) }) }),
      z.object({ type: z.literal('ByteLevel') }),
    ]),
  }),
  model: z.object({
    type: z.literal('BPE'),
    vocab: z.record(z.string(), z.int()),
    merges: z.array(z.tuple([z.string(), z.string()])),
  }),
})

/** Null where the file is no tokenizer of klens. */
export function parseTokenizerJson(text: string): Tokenizer | null {
  const parsed = fileSchema.safeParse(parseBoundedJson(text))
  if (!parsed.success) return null
  const { added_tokens, model } = parsed.data
  const marks = added_tokens.toSorted((a, b) => a.id - b.id).map(({ content, special }) => ({ text: content, special }))
  const tokenizer = createTokenizer({ marks, merges: model.merges })
  const isSame = tokenizer.tokens.every((token, id) => model.vocab[token] === id)
  return isSame && Object.keys(model.vocab).length === tokenizer.size ? tokenizer : null
}
