import { describe, expect, it } from 'vitest'
import { speakerIn } from './speaker.js'
import { terminalLines } from './terminal.js'
import { wrapText } from './terminal-columns.js'
import { displayWidth } from './terminal-text.js'
import { textsBlock } from './texts.js'

function sideBySide(texts: readonly (string | null)[], width: number): readonly string[] {
  return terminalLines([textsBlock(['A', 'B'], texts, speakerIn('en'))], { paint: (_, text) => text, width })
}

describe('texts side by side', () => {
  it('leaves out what both begin and end with, but for a few words', () => {
    const [before, behind] = ['same words '.repeat(30), ' and the same end'.repeat(30)]
    const lines = sideBySide([`${before}LEFT${behind}`, `${before}RIGHT${behind}`], 100)
    const text = lines.join('\n')
    expect(text).toContain('LEFT')
    expect(text).toContain('RIGHT')
    expect(text).toMatch(/… 29\d identical characters …/)
    expect(lines.length).toBeLessThan(12)
  })

  it('never lets a text speak to the terminal, nor out of its column', () => {
    const hostile = `\u001b[2J\u202e${'宽'.repeat(80)}\u0007\n${'x'.repeat(300)}`
    for (const width of [40, 100]) {
      for (const line of sideBySide([hostile, null], width)) {
        expect(line).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/)
        expect(displayWidth(line)).toBeLessThanOrEqual(width)
      }
    }
  })

  it('says how much of a long text is not shown', () => {
    const lines = sideBySide(['word '.repeat(100_000), 'x'], 100)
    expect(lines.at(-1)).toMatch(/more characters/)
    expect(lines.length).toBeLessThan(20)
  })
})

it('breaks lines at blanks, and words only where they are too long', () => {
  expect(wrapText('one two three', 8)).toEqual(['one two', 'three'])
  expect(wrapText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij'])
  expect(wrapText('a\n\nb', 9)).toEqual(['a', '', 'b'])
})
