import { isDeepStrictEqual } from 'node:util'
import { loadRun, pointCount } from '../../src/core/store/catalogue.js'
import { readEvaluations } from '../../src/core/store/evaluations.js'
import { runIds } from '../../src/core/store/run-index.js'
import { readSamples } from '../../src/core/store/samples.js'
import { readSeries } from '../../src/core/store/series.js'
import type { Workspace } from '../../src/core/store/workspace.js'

export interface RunContents {
  readonly id: string
  /** Points on disk. */
  readonly stored: number
  readonly [more: string]: unknown
}

/** All that a store holds of its runs: what was read at once and what was read through any mishap must be the same. */
export async function contents(workspace: Workspace): Promise<RunContents[]> {
  const runs = await Promise.all((await runIds(workspace)).map(id => loadRun(workspace, id)))
  return Promise.all(
    runs
      .filter(run => run !== null)
      .map(async run => ({
        id: run.manifest.id,
        status: run.manifest.status,
        stored: pointCount(run.manifest),
        samples: await readSamples(run),
        evaluations: await readEvaluations(run),
        segments: run.manifest.segments,
        live: run.manifest.liveFolded,
        series: [...(await readSeries(run, [...run.manifest.metrics.keys()]))].sort(([a], [b]) => (a < b ? -1 : 1)),
      })),
  )
}

/** Where two stores differ first, for people; null where they do not. */
export function firstDifference(found: readonly object[], expected: readonly object[]): string | null {
  if (isDeepStrictEqual(found, expected)) return null
  if (found.length !== expected.length) return `${found.length} runs instead of ${expected.length}`
  for (const [i, run] of found.entries()) {
    for (const [member, value] of Object.entries(run)) {
      const wanted: unknown = Object.entries(expected[i]).find(([name]) => name === member)?.[1]
      if (!isDeepStrictEqual(value, wanted)) return `${member}: ${shown(value)} instead of ${shown(wanted)}`
    }
  }
  return 'the runs differ'
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 300)
}
