import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/workspace.js'
import { decodeText, readTextLines } from './encoding.js'

async function read(
  path: string,
  from = 0,
  ends = {},
): Promise<{ lines: string[]; rest: string; end: number; overlong: number }> {
  const lines: string[] = []
  let last = { rest: '', end: from }
  let overlong = 0
  for await (const batch of readTextLines({ path, head: readFileSync(path).subarray(0, 65_536) }, from, ends)) {
    lines.push(...batch.lines)
    overlong += batch.overlong
    last = batch
  }
  return { lines, rest: last.rest, end: last.end, overlong }
}

it('gives every whole line and keeps the rest apart, wherever the chunks are cut', async () => {
  const path = join(temporaryFolder(), 'log')
  const line = fc.oneof(fc.constant(''), fc.string({ unit: 'binary', maxLength: 9 }), fc.constant('x'.repeat(700_000)))
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), async raw => {
      const texts = raw.map(text => text.replace(/[\r\n\0\uFEFF]/g, ' '))
      writeFileSync(path, texts.join('\n'))
      const { lines, rest, end } = await read(path)
      expect([...lines, rest]).toEqual(texts.length === 0 ? [''] : texts)
      expect((await read(path, end)).rest).toBe(rest)
    }),
    { numRuns: 60 },
  )
})

it('leaves out a line of 17 MiB, says so, and goes on behind it', async () => {
  const path = join(temporaryFolder(), 'log')
  for (const after of ['', 'next\n', 'next\nlast']) {
    writeFileSync(path, `first\n${'x'.repeat(17 << 20)}\n${after}`)
    const { lines, rest, overlong } = await read(path)
    expect([...lines, rest].filter(text => text !== '')).toEqual([
      'first',
      ...after.split('\n').filter(text => text !== ''),
    ])
    expect(overlong).toBe(1)
  }
})

it('takes a carriage return for an end where it is told to, and can go on behind it', async () => {
  const path = join(temporaryFolder(), 'log')
  const screen = 'bar 1\rbar 2\r\nline\n'
  writeFileSync(path, `${screen}bar 3`)
  const first = await read(path, 0, { returns: true })
  expect(first.lines.filter(line => line !== '')).toEqual(['bar 1', 'bar 2', 'line'])
  expect(first).toMatchObject({ end: screen.length, rest: 'bar 3' })
  writeFileSync(path, `${screen}bar 3\r`)
  expect((await read(path, first.end, { returns: true })).lines).toEqual(['bar 3'])
})

/** Words of Chinese logs as GBK writes them. */
const WORDS = new Map([
  ['奖励', 'bdb1c0f8'],
  ['策略', 'b2dfc2d4'],
  ['长度', 'b3a4b6c8'],
  ['优势', 'd3c5cac6'],
  ['样本', 'd1f9b1be'],
])

function inGbk(text: string): Buffer {
  return Buffer.concat(
    text.split(/(奖励|策略|长度|优势|样本)/).map(part => {
      const hex = WORDS.get(part)
      return hex === undefined ? Buffer.from(part) : Buffer.from(hex, 'hex')
    }),
  )
}

const CONSOLE = [...WORDS.keys()].map((word, i) => `step:${i} - ${word}/mean:0.5 - 奖励/max:1.0`).join('\n')

it('reads GBK, in a whole file, in some lines of it, and where the beginning of a file is cut', async () => {
  const path = join(temporaryFolder(), 'log')
  expect(decodeText(inGbk(CONSOLE))).toBe(CONSOLE)
  expect(decodeText(inGbk(CONSOLE).subarray(0, 12))).toBe('step:0 - 奖')
  writeFileSync(path, Buffer.concat([Buffer.from('UTF-8 from here: 奖励 ✓\n'), inGbk(CONSOLE), Buffer.from('\n末尾')]))
  const { lines, rest, end } = await read(path)
  expect([...lines, rest]).toEqual(['UTF-8 from here: 奖励 ✓', ...CONSOLE.split('\n'), '末尾'])
  expect((await read(path, end)).rest).toBe('末尾')
})

it('keeps different bytes different where it knows no encoding', () => {
  const [one, other] = ['ff80ff81', 'ff82ff83'].map(hex => decodeText(Buffer.from(`61${hex}`, 'hex')))
  expect(one).not.toBe(other)
})

it('leaves a damaged character in a UTF-8 line a damaged character', () => {
  const line = Buffer.from('奖励/策略/长度:0.5')
  line[1] = 0x41
  expect(decodeText(line)).toMatch(/策略\/长度:0\.5$/)
})

it.each(['\uFEFF', ''])('reads UTF-16 as PowerShell writes it, with the mark "%s"', async mark => {
  const path = join(temporaryFolder(), 'log')
  const text = `step:1 - actor/pg_loss:0.5 - actor/entropy:1.5\r\nstep:2 - 奖励:0.25\r\nstep:3`
  writeFileSync(path, Buffer.from(mark + text, 'utf16le'))
  expect(await read(path)).toMatchObject({ lines: text.split('\r\n').slice(0, 2), rest: 'step:3' })
})
