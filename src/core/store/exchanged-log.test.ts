import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import type { SourceFile } from '../../logs/sources/source.js'
import { verlJsonl } from '../../logs/sources/verl/jsonl.js'
import { importLogs } from './ingest.js'
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

it('keeps nothing of a log that is rotated just before it is opened, and all of both at the next look', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'train.jsonl')
  const rows = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, i) => `{"step":${from + i},"data":{"loss":${1 / (from + i + 1)}}}\n`).join('')
  writeFileSync(path, rows(0, 40))
  const { read } = verlJsonl
  vi.spyOn(verlJsonl, 'read').mockImplementationOnce((file, request) => {
    renameSync(path, `${path}.1`)
    writeFileSync(path, rows(40, 64))
    return read(file, request)
  })
  const workspace = await temporaryWorkspace()
  await importLogs(workspace, [folder])
  const { runs } = await importLogs(workspace, [folder])
  expect(runs.map(({ segments, metrics }) => [segments, metrics.get('loss')?.n])).toEqual([
    [[{ firstStep: 0, lastStep: 63 }], 64],
  ])
})
