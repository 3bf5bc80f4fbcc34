import { describe, expect, it } from 'vitest'
import { alignTable, displayWidth, printable, shortNumber, wrapped } from './style.js'

describe('printing', () => {
  it('makes terminal escapes, bidi marks and newlines in a name visible instead of obeying them', () => {
    expect(printable('a\u001b[31mred\u202eeverse\nb')).toBe('a\\u001b[31mred\\u202eeverse\\u000ab')
  })

  it('cuts a name of ten thousand characters, and never through a character', () => {
    expect(printable('好'.repeat(10_000), 10, 80)).toBe(`${'好'.repeat(9)}…`)
    expect(printable('📉'.repeat(20), 4, 80)).toBe('📉📉📉…')
  })

  it('cuts nothing in a pipe but what is absurdly long', () => {
    const reason = 'because '.repeat(40).trim()
    expect(printable(reason, 200, null)).toBe(reason)
    expect(printable('x'.repeat(100_000), 80, null)).toHaveLength(400)
  })

  it('breaks lines between words at the width of the terminal, and only there', () => {
    const line = '      the validation score fell by 0.1 after step 250, and the KL to the reference policy ran away'
    const lines = wrapped(line, 40).split('\n')
    for (const each of lines) expect(displayWidth(each)).toBeLessThanOrEqual(40)
    expect(lines.map(each => each.trim()).join(' ')).toBe(line.trim())
    expect(wrapped(line, null)).toBe(line)
    const chinese = wrapped(
      '验证得分在第 250 步之后下降了 0.1，与参考策略的 KL 持续上升，请回到更早的 checkpoint。',
      40,
    )
    for (const each of chinese.split('\n')) expect(displayWidth(each)).toBeLessThanOrEqual(41)
    expect(chinese).not.toMatch(/check\n|\n *[，。]/)
  })

  it('cuts columns of text, never numbers, where the terminal is narrow', () => {
    const rows = [['a-very-long-name-of-a-run-that-nobody-can-read', 'jsonl', '123456789']]
    const [narrow] = alignTable(rows, new Set([2]), 40)
    expect(displayWidth(narrow)).toBeLessThanOrEqual(40)
    expect(narrow).toMatch(/… {2}jsonl {2}123456789$/)
    expect(alignTable(rows, new Set([2]), null)[0]).toContain('nobody-can-read')
  })

  it('aligns Chinese and English cells in the same columns', () => {
    const lines = alignTable(
      [
        ['名称', '12', 'x'],
        ['name', '3', 'y'],
      ],
      new Set([1]),
    )
    expect(lines).toEqual(['名称  12  x', 'name   3  y'])
    expect(displayWidth('名称')).toBe(4)
  })

  it('rounds numbers to four digits and keeps whole steps whole', () => {
    const said = [
      0,
      400,
      0.5,
      0.123456,
      -0.00012345,
      1.8180000000000001,
      1e-6,
      123456.7,
      12_345_678,
      Number.NaN,
      -Infinity,
    ]
    expect(said.map(shortNumber)).toEqual([
      '0',
      '400',
      '0.5',
      '0.1235',
      '−1.23e−4',
      '1.818',
      '1e−6',
      '123457',
      '1.23e7',
      'NaN',
      '−∞',
    ])
  })
})
