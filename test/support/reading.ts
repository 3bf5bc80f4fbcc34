import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Row, RunEvent } from '../../src/logs/model/events.js'
import type { Json } from '../../src/logs/model/json.js'
import { HEAD_BYTES, type Source, type SourceFile } from '../../src/logs/sources/source.js'

/** Reading a source as the importer does, for tests. */

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../src/logs/sources/fixtures/${name}`, import.meta.url))
}

export async function sourceFile(path: string, modifiedMs?: number): Promise<SourceFile> {
  const { size, mtimeMs } = statSync(path)
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
    await file.read(head, 0, head.length, 0)
    return { path, size, modifiedMs: modifiedMs ?? mtimeMs, head }
  } finally {
    await file.close()
  }
}

export async function readEvents(
  source: Source,
  path: string,
  cursor: Json = null,
  modifiedMs?: number,
): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  const file = await sourceFile(path, modifiedMs)
  for await (const batch of source.read(file, { run: '', cursor, hints: {} })) events.push(...batch)
  return events
}

export function withFile<Result>(content: string | Uint8Array, use: (path: string) => Promise<Result>, name = 'x.log') {
  return withFolder(async folder => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return use(path)
  })
}

export async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'klens-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Events of a text, without the cursors. */
export async function eventsOf(source: Source, text: string | Uint8Array): Promise<RunEvent[]> {
  const events = await withFile(text, path => readEvents(source, path))
  return events.filter(event => event.type !== 'cursor')
}

export function rowsOf(events: readonly RunEvent[]): { step: number; [metric: string]: number }[] {
  return events.filter(isRow).map(row => ({ step: row.step, ...Object.fromEntries(pairs(row)) }))
}

export function isRow(event: RunEvent): event is Row {
  return event.type === 'row'
}

function pairs(row: Row): [string, number][] {
  return row.metrics.map((metric, i) => [metric, row.values[i]])
}

/**
 * What is said when a file is read up to a cut, then again from the cursor once it has grown. Tails and counts in
 * warnings are about a reading, not about the file, and are left out.
 */
export function readInTwoSteps(source: Source, content: Uint8Array, cut: number): Promise<RunEvent[]> {
  return withFile(content.subarray(0, cut), async path => {
    const before = await readEvents(source, path)
    const cursor = lastCursor(before)
    writeFileSync(path, content)
    const after = await readEvents(source, path, JSON.parse(JSON.stringify(cursor)))
    return aboutTheFile(cursor === null ? after : [...before, ...after])
  })
}

export function aboutTheFile(events: readonly RunEvent[]): RunEvent[] {
  return events.filter(({ type }) => type !== 'cursor' && type !== 'tail' && type !== 'warning')
}

export function lastCursor(events: readonly RunEvent[]): Json {
  const last = events.findLast(event => event.type === 'cursor')
  return last === undefined ? null : last.cursor
}
