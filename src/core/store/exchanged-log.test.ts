import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/workspace.js'
import type { SourceFile } from '../../logs/sources/source.js'
import { isExchanged } from './log-file.js'

const BANNER = `# ${'the same words '.repeat(500)}\n`

function look(path: string): SourceFile {
  const bytes = readFileSync(path)
  return { path, size: bytes.length, modifiedMs: 0, head: bytes, tail: bytes.subarray(-4096) }
}

it('tells a log that was rotated after it was looked at from one that has grown', async () => {
  const path = join(temporaryFolder(), 'train.jsonl')
  writeFileSync(path, `${BANNER}{"step":0,"loss":1}\n`)
  const seen = look(path)
  expect(await isExchanged(seen)).toBe(false)
  appendFileSync(path, '{"step":1,"loss":1}\n')
  expect(await isExchanged(seen)).toBe(false)
  renameSync(path, `${path}.1`)
  writeFileSync(path, `${BANNER}{"step":2,"loss":1}\n{"step":3,"loss":1}\n`)
  expect(await isExchanged(seen)).toBe(true)
})

it('leaves a log that is gone to its reader', async () => {
  const path = join(temporaryFolder(), 'train.jsonl')
  writeFileSync(path, '{"step":0}\n')
  const seen = look(path)
  renameSync(path, `${path}.1`)
  expect(await isExchanged(seen)).toBe(false)
})
