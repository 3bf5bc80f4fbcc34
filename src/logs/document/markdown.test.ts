import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Block, cellsOf, markdownBlocks, type Span, type Table } from './markdown.js'
import { placesIn } from './places.js'

const blocksOf = (text: string): Block[] => [...markdownBlocks(text)]
const words = (text: string, { from, to }: Span): string => text.slice(from, to)
const tablesIn = (text: string): Table[] => blocksOf(text).filter(block => block.kind === 'table')
const rowsOf = (text: string, table: Table): string[][] =>
  [table.header, ...table.rows].map(row => cellsOf(text, row).map(cell => words(text, cell)))

describe('markdownBlocks', () => {
  it('finds headings of both styles with their level and bare words', () => {
    const text = '# One #\n\n###   二、**两** \n\nThree\n-----\n\n#no heading\n'
    const headings = blocksOf(text).flatMap(block => (block.kind === 'heading' ? [block] : []))
    expect(headings.map(heading => [heading.level, words(text, heading)])).toEqual([
      [1, 'One'],
      [3, '二、**两**'],
      [2, 'Three'],
    ])
  })

  it('says exactly where cells stand, also behind Chinese text, emoji and quote marks', () => {
    const text = '段落 😀\n\n> | 名称 | 值 |\n> |---|---|\n> | 😀 甲 | **1.5** |\n'
    const [table] = tablesIn(text)
    const positionOf = placesIn(text)
    const cells = cellsOf(text, table.rows[0])
    expect(cells.map(cell => words(text, cell))).toEqual(['😀 甲', '**1.5**'])
    expect(cells.map(cell => positionOf(cell.from))).toEqual([
      { line: 5, column: 5 },
      { line: 5, column: 11 },
    ])
  })

  it('splits rows as GitHub does: ragged, empty and escaped cells, with and without outer pipes', () => {
    const text = 'a | b | c\n--|:-:|--:\n1 | 2\n| 1 || 3 | 4 |\n| `x\\|y` | |\n'
    const [table] = tablesIn(text)
    expect(rowsOf(text, table)).toEqual([
      ['a', 'b', 'c'],
      ['1', '2'],
      ['1', '', '3', '4'],
      ['`x\\|y`', ''],
    ])
  })

  it('reads tables with Windows line ends', () => {
    const text = '# h\r\n\r\n| a | b |\r\n|---|---\r\n| 1 | 2 |\r\n\r\nend\r\n'
    const [table] = tablesIn(text)
    expect(rowsOf(text, table)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('does not look for tables in fences, indented code, HTML blocks and front matter', () => {
    const table = '| a | b |\n|---|---|\n| 1 | 2 |\n'
    const indented = table.replace(/^/gm, '    ')
    const text = `---\nx: 1\n${table}---\n\n\`\`\`md\n${table}\`\`\`\n\n~~~\n${table}~~~\n\n${indented}\n<div>\n${table}</div>\n`
    expect(blocksOf(text).map(({ kind }) => kind)).toEqual(['code', 'code'])
  })

  it('gives prose line by line, without list marks, quote marks and indentation', () => {
    const text = 'one\n  two\n\n- first\n  goes on\n  1. inner\n\n> quoted\n> again\n'
    const prose = blocksOf(text).flatMap(block => ('lines' in block ? [block] : []))
    expect(prose.map(({ kind, lines }) => [kind, ...lines.map(line => words(text, line))])).toEqual([
      ['paragraph', 'one', 'two'],
      ['item', 'first', 'goes on'],
      ['item', 'inner'],
      ['paragraph', 'quoted', 'again'],
    ])
  })

  it('finds in a long text what it finds in its parts', () => {
    const part = '## h\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\ntext\nmore\n\n- item\n\n```\n| c |\n```\n\n'
    const kinds = blocksOf(part).map(({ kind }) => kind)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.nat(200), (repeats, pad) => {
        const text = `${'x'.repeat(pad)}\n\n${part.repeat(repeats)}`
        const found = blocksOf(text).map(({ kind }) => kind)
        expect(found.length).toBe(kinds.length * repeats + (pad > 0 ? 1 : 0))
        expect(found.slice(-kinds.length)).toEqual(kinds)
      }),
      { numRuns: 10 },
    )
  })

  it('keeps a table, a fence and a paragraph together that are long', () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `| ${row} | ${row / 8} |`)
    const text = `| a | b |\n|---|---|\n${rows.join('\n')}\n\n\`\`\`\n${rows.join('\n\n')}\n\`\`\`\n\nafter\n`
    const [table, code, after, ...others] = blocksOf(text)
    expect(others).toEqual([])
    expect(table.kind === 'table' && table.rows.map(row => words(text, row))).toEqual(rows)
    expect(code.kind).toBe('code')
    expect(words(text, code).endsWith(`${rows.at(-1)}\n\`\`\``)).toBe(true)
    expect(words(text, after)).toBe('after')
  })

  it.each([
    ['list', (row: number) => `- item ${row}\n\n  | a | b |\n  |---|---|\n  | ${row} | 2 |\n\n      - inner\n`],
    ['quotation', (row: number) => `> text ${row}\n>\n> | a | b |\n> |---|---|\n> | ${row} | 2 |\n>\n`],
  ])('tears no table in a long %s', (_, part) => {
    const text = Array.from({ length: 3_000 }, (_, row) => part(row)).join('')
    const firstCells = tablesIn(text).map(table => rowsOf(text, table).map(([first]) => first))
    expect(firstCells).toEqual(Array.from({ length: 3_000 }, (_, row) => ['a', String(row)]))
  })

  it('keeps a header line with its row of dashes of forty thousand columns', () => {
    const columns = 40_000
    const text = `intro\n${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|1'.repeat(columns)}|\n`
    const [table] = tablesIn(text)
    expect(cellsOf(text, table.rows[0])).toHaveLength(columns)
  })

  it.each([
    ['pipes', '|'.repeat(300_000)],
    ['a table of 50,000 columns', `${'|a'.repeat(50_000)}\n${'|-'.repeat(50_000)}|\n${'|1|\n'.repeat(1_000)}`],
    ['nested quotations', `${'>'.repeat(300_000)} a\n`],
    ['nested lists on one line', `${'- '.repeat(150_000)}a\n`],
    ['nested lists', Array.from({ length: 600 }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('')],
    ['white space before a table', `text\na | b\n${' '.repeat(300_000)}x\n`],
    ['open comments', `<!--\n${'a\n'.repeat(100_000)}`],
    ['open brackets', '[a]('.repeat(75_000)],
    ['bullets', '-\n'.repeat(30_000)],
  ])('survives %s', (_, text) => {
    for (const { from, to } of blocksOf(text)) expect(0 <= from && from <= to && to <= text.length).toBe(true)
  })

  it('gives blocks in order and inside the text for any input', () => {
    const pieces = [
      '| a | b |\n',
      '|---|---|\n',
      '\n',
      '> ',
      '- ',
      '1. ',
      '```\n',
      '# h\n',
      '    ',
      'x',
      '\r',
      '<div>',
      '\t',
      '~~~',
    ]
    const markdown = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 60 })
    fc.assert(
      fc.property(markdown, parts => {
        const text = parts.join('')
        let last = 0
        for (const block of blocksOf(text)) {
          expect(block.from).toBeGreaterThanOrEqual(last)
          expect(block.to).toBeLessThanOrEqual(text.length)
          last = block.from
          if (block.kind !== 'table') continue
          for (const row of [block.header, ...block.rows]) {
            expect(words(text, row)).not.toContain('\n')
            for (const cell of cellsOf(text, row)) expect(words(text, cell)).toBe(words(text, cell).trim())
          }
        }
      }),
    )
  })
})

describe('placesIn', () => {
  it('counts lines and columns from 1, for every offset of any text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', '中', '😀', '\n', '\r\n')), parts => {
        const text = parts.join('')
        const positionOf = placesIn(text)
        for (let offset = 0; offset <= text.length; offset += 1) {
          const before = text.slice(0, offset).split('\n')
          expect(positionOf(offset)).toEqual({ line: before.length, column: [...(before.at(-1) ?? '')].length + 1 })
        }
      }),
    )
  })
})
