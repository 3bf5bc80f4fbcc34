import { expect, test } from 'vitest'
import { has, LEXICON, type Sense, words } from './lexicon.js'

const isSense = (name: string): name is Sense => name in LEXICON
const SENSES = Object.keys(LEXICON).filter(isSense)

/** What a pattern such as `surpass(?:es|ed)?` matches at its shortest, or nearly so. */
function shortest(pattern: string): string {
  return pattern
    .replace(/\(\?[<=!][^)]*\)/g, '')
    .replace(/\(\?:[^()]*\)\?|\w\?/g, '')
    .replace(/\(\?:([^()|]*)[^()]*\)/g, '$1')
    .replace(/\\s\?|\\/g, '')
}

test('a sense is heard in small and capital letters, exactly where its pattern finds it', () => {
  const texts = SENSES.flatMap(sense => [...LEXICON[sense].en, ...LEXICON[sense].zh].map(shortest))
  const asked = [
    ...texts.map(text => `${text.toUpperCase()}.`),
    ...texts.map(text => `so ${text}, 而${text}了`),
  ].flatMap(text => SENSES.map(sense => ({ text, sense })))
  const found = asked.filter(({ text, sense }) => has(text, sense))
  expect(found).toEqual(asked.filter(({ text, sense }) => words(sense).test(text)))
  expect(found.length).toBeGreaterThan(texts.length)
})
