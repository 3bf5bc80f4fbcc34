import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../test/workspace.js'
import { readLines } from './files.js'

async function read(
  path: string,
  from = 0,
  ends = {},
): Promise<{ lines: string[]; rest: string; end: number; overlong: number }> {
  const lines: string[] = []
  let last = { rest: '', end: from }
  let overlong = 0
  for await (const batch of readLines(path, from, ends)) {
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
      const texts = raw.map(text => text.replace(/[\r\n]/g, ' '))
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
