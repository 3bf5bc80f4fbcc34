import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHAT_MARKS, chatText, chatTokens, END, toolCallText } from '../chat.js'
import { parseTokenizerJson, tokenizerJson } from './tokenizer-json.js'
import { trainTokenizer } from './train-tokenizer.js'

const TEXTS = [
  'the theatre, the theme, the thesis and the thermometer',
  'What is this? That is what this is: 3 thistles, 14 thorns.',
  '他们说他们的他们，我们说我们的我们。',
  '<|user|>the end<|end|><|assistant|>the end of the end<|end|>',
]
const tokenizer = trainTokenizer(TEXTS, { size: 280, marks: CHAT_MARKS })

describe('a trained tokenizer', () => {
  it('is the same for the same texts', () => {
    expect(trainTokenizer(TEXTS, { size: 280, marks: CHAT_MARKS }).tokens).toEqual(tokenizer.tokens)
  })

  it('has marks first, then 256 bytes, then merges, most frequent pairs first', () => {
    expect(tokenizer.tokens.slice(0, CHAT_MARKS.length)).toEqual(CHAT_MARKS.map(({ text }) => text))
    expect(tokenizer.merges[0]).toEqual(['t', 'h'])
    expect(tokenizer.size).toBe(280)
    expect(tokenizer.encode('the').length).toBe(1)
  })

  it('stops when no pair occurs twice', () => {
    expect(trainTokenizer(['abc'], { size: 500, marks: [] }).size).toBe(256)
    const { merges } = trainTokenizer(['abab'], { size: 500, marks: [] })
    expect(merges).toEqual([['a', 'b']])
  })

  it('gives every text back, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
        expect(tokenizer.decode(tokenizer.encode(text))).toBe(text)
        expect(tokenizer.decode(tokenizer.encodePlain(text))).toBe(text)
      }),
      { numRuns: 500 },
    )
  })

  it('takes marks for marks only where it is told to', () => {
    const text = `x${END}y`
    expect(tokenizer.encode(text)).toContain(tokenizer.markId(END))
    expect(tokenizer.encodePlain(text)).not.toContain(tokenizer.markId(END))
    expect(tokenizer.decode(tokenizer.encode(text), { skipSpecial: true })).toBe('xy')
    expect(() => tokenizer.markId('<|nobody|>')).toThrow('no mark')
    expect(() => tokenizer.decode([280])).toThrow('no token 280')
  })

  it('refuses a mark that is a token anyway', () => {
    expect(() => trainTokenizer([], { size: 300, marks: [{ text: 'a', special: true }] })).toThrow('"a"')
  })

  it('survives as tokenizer.json, and one that cuts otherwise is not taken for it', () => {
    const json = tokenizerJson(tokenizer)
    const again = parseTokenizerJson(json)
    expect(again?.tokens).toEqual(tokenizer.tokens)
    expect(again?.marks).toEqual(tokenizer.marks)
    for (const text of TEXTS) expect(again?.encode(text)).toEqual(tokenizer.encode(text))
    expect(parseTokenizerJson(json.replace('"normalizer":null', '"normalizer":{"type":"NFC"}'))).toBeNull()
    expect(parseTokenizerJson(json.replace('\\\\p{N}', '\\\\d'))).toBeNull()
    expect(parseTokenizerJson('{')).toBeNull()
  })
})

describe('a dialogue as tokens', () => {
  const messages = [
    { role: 'user', content: `I say ${END} and mean it` },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ name: 'ask', arguments: { content: 'Why, "exactly"?', n: [1, null] } }],
    },
    { role: 'tool', content: '因为 I can' },
    { role: 'assistant', content: 'Good.' },
  ] as const

  it('scores what the assistant says and the end of it, nothing else', () => {
    const { tokens, scored } = chatTokens(tokenizer, messages)
    const own = tokens.filter((_, i) => scored[i] === 1)
    const call = toolCallText(messages[1].toolCalls[0])
    expect(tokenizer.decode(own)).toBe(`${call}${END}Good.${END}`)
    expect(call).toContain('{"name": "ask", "arguments": {"content": "Why, \\"exactly\\"?", "n": [1, null]}}')
  })

  it('is the chat as text, but for marks that others have written', () => {
    const { tokens } = chatTokens(tokenizer, messages, { isToBeAnswered: true })
    expect(tokenizer.decode(tokens)).toBe(chatText(messages, { isToBeAnswered: true }))
    expect(tokens.filter(token => token === tokenizer.markId(END)).length).toBe(4)
  })
})
