import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parsePythonJson } from '../../logs/sources/python-json.js'
import type { FoundRun } from '../../logs/sources/run-identity.js'
import type { Hints } from '../../logs/sources/source.js'
import { writeFileAtomically } from './atomic.js'
import type { Workspace } from './workspace.js'

/**
 * The step columns that were named for files with `--step`: a table that does not say itself what counts its steps is
 * known by what was said of it once.
 */

const columnsSchema = z.record(z.string(), z.string()).catch({})

const columnsPath = ({ root }: Workspace): string => join(root, 'step-columns.json')

export async function withStepColumns(workspace: Workspace, hints: Hints): Promise<Hints> {
  const text = await readFile(columnsPath(workspace), 'utf8').catch(() => '{}')
  return { ...hints, steps: new Map(Object.entries(columnsSchema.parse(parsePythonJson(text)))) }
}

/** Keeps the column that was named for these tables; the hints are those of the import. */
export async function keepStepColumns(workspace: Workspace, hints: Hints, runs: readonly FoundRun[]): Promise<void> {
  const { step, steps = new Map() } = hints
  if (step === undefined) return
  const tables = runs.flatMap(({ logs }) => logs.filter(({ source: { role } }) => role === 'table' || role === 'steps'))
  const named = tables.map(({ file }) => [file.path, step] as const)
  await writeFileAtomically(columnsPath(workspace), JSON.stringify(Object.fromEntries([...steps, ...named]), null, 1))
}
