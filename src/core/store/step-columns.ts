import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { FoundRun } from '../../logs/sources/run-identity.js'
import type { Hints } from '../../logs/sources/source.js'
import type { Workspace } from './workspace.js'

/**
 * The step columns that were named for files with `--step`: a table that does not say itself what counts its steps is
 * known by what was said of it once.
 */

const columnsSchema = z.record(z.string(), z.string())

function columnsPath({ root }: Workspace): string {
  return join(root, 'step-columns.json')
}

async function readColumns(workspace: Workspace): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(columnsPath(workspace), 'utf8').catch(() => '{}')
  try {
    return columnsSchema.parse(JSON.parse(text))
  } catch {
    return {}
  }
}

export async function withStepColumns(workspace: Workspace, hints: Hints): Promise<Hints> {
  return { ...hints, steps: new Map(Object.entries(await readColumns(workspace))) }
}

export async function keepStepColumns(workspace: Workspace, { step }: Hints, runs: readonly FoundRun[]): Promise<void> {
  if (step === undefined) return
  const tables = runs.flatMap(({ logs }) => logs.filter(({ source }) => TABLES.has(source.role)))
  const before = await readColumns(workspace)
  const named = Object.fromEntries(tables.map(({ file }) => [file.path, step]))
  const path = columnsPath(workspace)
  await writeFile(`${path}.tmp`, JSON.stringify({ ...before, ...named }, null, 1))
  await rename(`${path}.tmp`, path)
}

const TABLES = new Set(['table', 'steps'])
