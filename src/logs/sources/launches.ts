import type { Config } from '../model/run.js'
import { differingSetting } from './differing-setting.js'
import { readFirstRows } from './first-rows.js'
import type { RunFile } from './run-identity.js'
import type { Hints } from './source.js'

/**
 * Launches whose logs lie in one folder. A log that begins again where an earlier one began is of another training, and
 * so is one with other settings; one that begins later goes on from a checkpoint, and one that logs other metrics was
 * written beside it.
 */
export async function splitLaunches<File extends RunFile>(files: readonly File[], hints: Hints): Promise<File[][]> {
  const launches: { readonly files: File[]; begins: Map<string, number>; config: Config }[] = []
  for (const file of files) {
    const { begins, config } = await beginningOf(file, hints)
    const current = launches.at(-1)
    if (current === undefined || isAnother(current, { begins, config })) {
      launches.push({ files: [file], begins, config })
    } else {
      current.files.push(file)
      current.begins = new Map([...begins, ...current.begins])
      current.config = { ...config, ...current.config }
    }
  }
  return launches.map(({ files }) => files)
}

interface Beginning {
  /** The first step of each metric. */
  readonly begins: Map<string, number>
  readonly config: Config
}

function isAnother(before: Beginning, after: Beginning): boolean {
  const shared = [...after.begins].filter(([metric]) => before.begins.has(metric))
  if (shared.length === 0) return false
  const again = shared.filter(([metric, step]) => step <= (before.begins.get(metric) ?? step))
  return 2 * again.length > shared.length || differingSetting(before.config, after.config) !== null
}

async function beginningOf(file: RunFile, hints: Hints): Promise<Beginning> {
  const { rows, config } = await readFirstRows(file.source, [file], hints)
  const begins = new Map<string, number>()
  for (const { step, metrics } of rows) {
    for (const metric of metrics) if (!begins.has(metric)) begins.set(metric, step)
  }
  return { begins, config }
}
