import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { listRuns, loadRun } from '../../src/core/store/catalogue.js'
import { readSeries } from '../../src/core/store/series.js'
import { workspaceAt } from '../../src/core/store/workspace.js'
import { temporaryFolder } from '../workspace.js'
import { SMALL_INTENTION } from './small-intention.js'

/** Small trainings of the language model by `klens train`, and what they leave. */

export function folderWithConfig(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'small.yaml'), stringify({ ...SMALL_INTENTION, name: 'small' }))
  return folder
}

/** Of all runs in the folder, by name, but for how long they took. */
export async function numbersIn(folder: string) {
  const workspace = workspaceAt(join(folder, '.klens'))
  const { entries } = await listRuns(workspace)
  const numbers: unknown[] = []
  for (const { id, name, status } of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const run = await loadRun(workspace, id)
    if (run === null) throw new Error(`no run ${id}`)
    const names = [...run.manifest.metrics.keys()].filter(each => !/^(?:time|throughput)\./.test(each)).sort()
    const series = await readSeries(run, names)
    const points = names.map(each => [
      each,
      [...(series.get(each)?.steps ?? [])],
      [...(series.get(each)?.values ?? [])],
    ])
    numbers.push([name, status, points, run.manifest.evaluations, run.manifest.samples])
  }
  return numbers
}

/** When it has told of so many steps, or has ended. */
export function afterSteps(child: ChildProcess, steps: number): Promise<void> {
  return new Promise(resolve => {
    let told = 0
    child.stdout?.on('data', (piece: Buffer) => {
      told += piece.toString().split('\n').length - 1
      if (told >= steps) resolve()
    })
    child.once('exit', () => resolve())
  })
}
