import { describe, expect, it } from 'vitest'
import { createContext } from '../context.js'
import { sideBySide, wrap } from './side-by-side.js'
import { displayWidth } from './style.js'

const context = createContext('en')

describe('texts side by side', () => {
  it('leaves out what both begin and end with, but for a few words', () => {
    const [before, behind] = ['same words '.repeat(30), ' and the same end'.repeat(30)]
    const lines = sideBySide(context, ['A', 'B'], [`${before}LEFT${behind}`, `${before}RIGHT${behind}`], 100)
    const text = lines.join('\n')
    expect(text).toContain('LEFT')
    expect(text).toContain('RIGHT')
    expect(text).toMatch(/… 29\d characters alike …/)
    expect(lines.length).toBeLessThan(12)
  })

  it('never lets a text speak to the terminal, nor out of its column', () => {
    const hostile = `\u001b[2J\u202e${'宽'.repeat(80)}\u0007\n${'x'.repeat(300)}`
    for (const width of [40, 100]) {
      for (const line of sideBySide(context, ['A', 'B'], [hostile, null], width)) {
        expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/)
        expect(displayWidth(line)).toBeLessThanOrEqual(width)
      }
    }
  })

  it('says how much of a long text is not shown', () => {
    const lines = sideBySide(context, ['A', 'B'], ['word '.repeat(100_000), 'x'], 100)
    expect(lines.at(-1)).toMatch(/characters more/)
    expect(lines.length).toBeLessThan(20)
  })
})

it('breaks lines at blanks, and words only where they are too long', () => {
  expect(wrap('one two three', 8, 9).lines).toEqual(['one two', 'three'])
  expect(wrap('abcdefghij', 4, 9).lines).toEqual(['abcd', 'efgh', 'ij'])
  expect(wrap('a\n\nb', 9, 9)).toEqual({ lines: ['a', '', 'b'], rest: 0 })
})
