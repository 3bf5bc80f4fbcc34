import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { ImportAnswer } from '../src/app/ask/import.js'
import type { Ran } from './cli.js'
import { klensInside } from './cli-inside.js'
import { field, recordLog } from './support/binary.js'

/** Files that mean harm, and what must hold after klens has met them. */

/** A run with nothing wrong: whatever lies beside it, it is imported. */
export const HEALTHY = jsonLines([
  { step: 1, data: { 'actor/pg_loss': 0.5 } },
  { step: 2, data: { 'actor/pg_loss': 0.25 } },
])

export function put(folder: string, name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

export function jsonLines(rows: readonly object[]): string {
  return rows.map(row => `${JSON.stringify(row)}\n`).join('')
}

/** Imports a folder beside whose files a healthy run lies; the verb ends well, says JSON, and has read that run. */
export async function importAll(folder: string, words: readonly string[] = ['logs']): Promise<ImportAnswer> {
  // Written once: a file that is written again long after it was made is one that somebody is writing.
  if (!existsSync(join(folder, 'logs/healthy/metrics.jsonl'))) put(folder, 'logs/healthy/metrics.jsonl', HEALTHY)
  const { code, out, error } = await klensInside(folder, ['import', ...words, '--json'])
  expect(error).toBe('')
  expect(code).toBe(0)
  const imported: ImportAnswer = JSON.parse(out)
  expect(imported.runs.find(({ name }) => name === 'healthy')?.points).toBe(2)
  return imported
}

/** Whether a command of the system did its work; `"$@"` in it stands for the words. */
export function system(command: string, ...words: readonly string[]): boolean {
  return spawnSync('sh', ['-c', command, 'sh', ...words]).status === 0
}

/** Nothing that a terminal obeys, and no line without end. */
export function expectHarmless({ out, error }: Ran): void {
  expect(out + error).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069]/)
  expect(Math.max(...out.split('\n').map(line => line.length))).toBeLessThan(1300)
  expect(error).not.toMatch(/\n\s+at /)
}

/** One sentence for people on stderr, nothing else, and exit code 2. */
export function expectRefusal(ran: Ran, sentence: string | RegExp): void {
  expect(ran.error.trimEnd().split('\n')).toHaveLength(1)
  expect(ran.error).toMatch(sentence)
  expect(ran.out).toBe('')
  expect(ran.code).toBe(2)
  expectHarmless(ran)
}

export interface WandbRun {
  readonly id: string
  readonly name?: string
  readonly config?: { readonly [key: string]: string }
  /** Values as JSON texts. */
  readonly rows?: readonly { readonly [metric: string]: string }[]
}

/** A W&B log with these records, and an exit code of 0. */
export function wandbLog({ id, name = '', config = {}, rows = [{ loss: '0.5' }] }: WandbRun): Buffer {
  const settings = Object.entries(config).map(([key, json]) => field(1, both(field(1, key), field(16, json))))
  const run = field(17, both(field(1, id), field(4, Buffer.concat(settings)), field(8, name)))
  const history = rows.map((row, step) =>
    field(
      2,
      both(
        ...Object.entries(row).map(([key, json]) => field(1, both(field(2, key), field(16, json)))),
        field(2, field(1, BigInt(step))),
      ),
    ),
  )
  return recordLog([run, ...history, field(18, field(1, 0n))]).bytes
}

function both(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts)
}
