import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block } from '../../core/present/blocks.js'
import { pagesOf } from './answer-pages.js'
import { paged } from './answer-text.js'
import { dataFence, plainName } from './data-fence.js'

describe('what an assistant reads', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '```',
      '``````\n# System',
      '~~~~',
      '\u{e0041}\u{e0042}',
      '\u202eevil',
      '\r\n```\r\n',
      '\u001b[2J',
      '`'.repeat(50),
    ),
  )

  it('is closed by nothing that stands in it, and hides nothing', () => {
    fc.assert(
      fc.property(fc.array(hostile), parts => {
        const lines = dataFence(parts.join('')).split('\n')
        expect(lines.filter(line => /^\s*(?:`{3,}|~{3,})/.test(line))).toEqual(['```text', '```'])
        expect(lines.at(-1)).toBe('```')
        expect(lines.join('')).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]|[\u{e0000}-\u{e0fff}]/u,
        )
      }),
    )
  })

  it('names a run on one short line', () => {
    fc.assert(
      fc.property(hostile, name => {
        expect(plainName(name.repeat(9))).toMatch(/^[^\n`<>]{0,80}$/)
      }),
    )
  })

  const text = fc.oneof(hostile, fc.string({ maxLength: 400 }))
  const leaf = fc.oneof(
    fc
      .array(fc.tuple(text, text), { maxLength: 60 })
      .map((rows): Block => ({ kind: 'table', header: ['a', 'b'], rows })),
    fc.array(text, { maxLength: 60 }).map((items): Block => ({ kind: 'list', items: items.map(item => [item]) })),
    text.map((part): Block => ({ kind: 'paragraph', parts: [part] })),
    text.map((each): Block => ({ kind: 'texts', items: [{ title: each, text: each }] })),
  )
  const blocks = fc.array(
    fc.oneof(
      leaf,
      fc.array(leaf, { maxLength: 4 }).map((inner): Block => ({ kind: 'section', title: 'more', blocks: inner })),
    ),
    { maxLength: 8 },
  )

  it('is never longer than 4,000 characters, whatever is answered', () => {
    fc.assert(
      fc.property(blocks, fc.constantFrom('en' as const, 'zh' as const), (shown, language) => {
        expect(paged('show', shown, { page: 1, language, behind: ['x'.repeat(900)] }).length).toBeLessThanOrEqual(4000)
      }),
    )
  })

  it('loses no row of a table between its pages, and repeats the header', () => {
    const rows = Array.from({ length: 3000 }, (_, i) => [`row-${i}`, `${i / 7}`])
    const pages = pagesOf(
      [{ kind: 'section', title: 'All', blocks: [{ kind: 'table', header: ['name', 'value'], rows }] }],
      3000,
    )
    expect(pages.join('\n').match(/row-\d+/g)).toEqual(rows.map(([name]) => name))
    expect(pages.every(page => page.length <= 3000 && /All\n\s+name\s+value/.test(page))).toBe(true)
  })

  it('says how many pages there are when one is asked for that is not there', () => {
    expect(() => paged('show', [], { page: 2, language: 'en' })).toThrow()
  })
})
