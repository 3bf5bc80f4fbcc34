import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isCompletionsFolder } from '../sources/completions/place.js'
import { discover, type FoundRun } from '../sources/discover.js'
import type { Hints } from '../sources/source.js'

/**
 * Files of samples that appear while a run is followed: verl and TRL write one for each step. Names are listed at every
 * look, which is cheap; only when there is a new one is the folder searched again.
 */

/** A file that was just written may not be whole yet. */
const SETTLED_MS = 2_000

/** The run with its new files of samples, or null when there are none. */
export async function withNewSamples(found: FoundRun, hints: Hints): Promise<FoundRun | null> {
  const known = new Set([...found.logs, ...found.tables].map(({ file }) => file.path))
  const there = await sampleFiles(found.folder)
  if (there.every(path => known.has(path))) return null
  const { runs } = await discover([found.folder], hints)
  const again = runs.find(({ id }) => id === found.id)
  if (again === undefined) return null
  const isNew = ({ file, source }: FoundRun['logs'][number]): boolean =>
    source.role === 'samples' && !known.has(file.path) && Date.now() - file.modifiedMs > SETTLED_MS
  const [logs, tables] = [again.logs.filter(isNew), again.tables.filter(isNew)]
  if (logs.length + tables.length === 0) return null
  return { ...found, logs: [...found.logs, ...logs], tables: [...found.tables, ...tables] }
}

/** Names that may be of samples: in the run's own folder those of steps, and all in folders made for them. */
async function sampleFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const own = entries.filter(entry => entry.isFile() && /^\d+\.jsonl$/.test(entry.name)).map(({ name }) => name)
  const below = entries.filter(entry => entry.isDirectory() && isCompletionsFolder(entry.name))
  const lists = await Promise.all(
    below.map(async ({ name }) => {
      const names = await readdir(join(folder, name)).catch(() => [])
      return names.filter(file => /\.(?:jsonl|parquet)$/.test(file)).map(file => join(name, file))
    }),
  )
  return [...own, ...lists.flat()].map(name => join(folder, name))
}
