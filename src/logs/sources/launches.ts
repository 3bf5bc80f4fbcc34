import type { Config } from '../model/run.js'
import { differingSetting } from './differing-setting.js'
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

/** So much of a log is looked at: settings and the first rows stand at its beginning. */
const ROWS_READ = 500
const BATCHES_READ = 4

async function beginningOf({ file, source, run }: RunFile, hints: Hints): Promise<Beginning> {
  const begins = new Map<string, number>()
  let config: Config = {}
  let rows = 0
  let batches = 0
  for await (const events of source.read(file, { run, cursor: null, hints })) {
    for (const event of events) {
      if (event.type === 'config') config = { ...event.config, ...config }
      if (event.type !== 'row') continue
      rows += 1
      for (const metric of event.metrics) if (!begins.has(metric)) begins.set(metric, event.step)
    }
    batches += 1
    if (rows >= ROWS_READ || batches === BATCHES_READ) break
  }
  return { begins, config }
}
