import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordAssembler, sniffDelimiter, splitFields } from './csv-records.js'

function assemble(text: string, delimiter = ',') {
  const records: (readonly [number, readonly string[]])[] = []
  const broken: number[] = []
  const assembler = recordAssembler(delimiter, {
    onRecord: (fields, line) => records.push([line, fields]),
    onBroken: line => broken.push(line),
  })
  text.split('\n').forEach((line, index) => {
    assembler.take(line, index + 1)
  })
  assembler.finish()
  return { records, broken }
}

/** As RFC 4180 writes it. */
function write(rows: readonly (readonly string[])[], delimiter: string): string {
  const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`
  const field = (text: string) => (/["\n]/.test(text) || text.includes(delimiter) ? quoted(text) : text)
  return rows.map(row => row.map(field).join(delimiter)).join('\n')
}

describe('splitFields', () => {
  it('takes quotes off and doubled quotes apart', () => {
    expect(splitFields('1,"a, b","say ""hi""",', ',')).toEqual(['1', 'a, b', 'say "hi"', ''])
  })

  it('takes a quote inside a field as it is', () => {
    expect(splitFields('5" screen,2', ',')).toEqual(['5" screen', '2'])
  })

  it('accepts blanks before a quote, and keeps what follows a closing one', () => {
    expect(splitFields('1, "a,b",2', ',')).toEqual(['1', 'a,b', '2'])
    expect(splitFields('"a"b,2', ',')).toEqual(['ab', '2'])
  })

  it('says when a quoted field is still open', () => {
    expect(splitFields('1,"a', ',')).toBeNull()
    expect(splitFields('1,"a""', ',')).toBeNull()
  })
})

describe('recordAssembler', () => {
  it('reads back every table that is written by the rules, line ends in fields included', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '1', ' b', '"', ',', ';', '\t', '\n', '') })
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }))
    fc.assert(
      fc.property(table, fc.constantFrom(',', '\t', ';'), (rows, delimiter) => {
        const { records, broken } = assemble(write(rows, delimiter), delimiter)
        expect(records.map(([, fields]) => fields)).toEqual(rows)
        expect(broken).toEqual([])
      }),
    )
  })

  it('numbers a record by its first line', () => {
    expect(assemble('a,b\n"x\ny",1\n2,3').records.map(([line]) => line)).toEqual([1, 2, 4])
  })

  it('loses one line to a quote that is never closed, not the rest of the file', () => {
    const { records, broken } = assemble('1,"a\n2,b\n3,c')
    expect(broken).toEqual([1])
    expect(records.map(([, fields]) => fields)).toEqual([
      ['2', 'b'],
      ['3', 'c'],
    ])
  })

  it('gives an open quote up after a megabyte', () => {
    const { records, broken } = assemble(`0,"a\n${'1,2\n'.repeat(400_000)}3,"b"`)
    expect(broken).toEqual([1])
    expect(records).toHaveLength(400_001)
  })

  it('does not slow down on quotes that open and close on every line', () => {
    expect(assemble('"a","b\n'.repeat(300_000)).records.length).toBeGreaterThan(0)
  })
})

describe('sniffDelimiter', () => {
  it.each([
    [['step,loss', '1,0.5'], ','],
    [['step\tloss, mean', '1\t0.5', '2\t0.25'], '\t'],
    [['step;loss', '1;0,5', '2;0,25'], ';'],
    [['"a;b",step', '"c;d",1'], ','],
  ])('finds what stands between the fields of %j', (lines, delimiter) => {
    expect(sniffDelimiter(lines)).toBe(delimiter)
  })

  it('finds none in a single column', () => {
    expect(sniffDelimiter(['loss', '0.5'])).toBeNull()
    expect(sniffDelimiter([])).toBeNull()
  })
})
