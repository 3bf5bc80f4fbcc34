import { describe, expect, it } from 'vitest'
import { webTexts } from './words.js'

describe('the words of the dashboard', () => {
  it.each(Object.entries(webTexts))('%s says the same in both languages', (_, { en, zh }) => {
    const blanks = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort()
    expect(zh.trim()).not.toBe('')
    expect(blanks(zh)).toEqual(blanks(en))
  })
})
