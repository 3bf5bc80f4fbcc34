import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { discover } from '../src/logs/sources/discover.js'
import type { Figures } from './benchmark.js'
import { klens } from './child.js'
import { DATA, type GeneratedLog } from './generate.js'
import { measure, type Spent } from './measure.js'

/** The two ways in which a log is timed. Both count the points that come out, and they must be all that went in. */

/** The reader alone: what it costs to understand the file. */
export async function readAlone(log: GeneratedLog): Promise<Spent> {
  const { result, ...spent } = await measure(async () => {
    let points = 0
    const { runs } = await discover([log.path])
    for (const { file, source, run } of runs.flatMap(({ logs }) => logs)) {
      for await (const events of source.read(file, { run, cursor: null, hints: {} })) {
        for (const event of events) if (event.type === 'row') points += event.values.length
      }
    }
    return points
  })
  checkPoints(result, log)
  return spent
}

/** All the way, in a process of its own: the start of Node and of DuckDB is part of what people wait for. */
export async function intoStore(log: GeneratedLog): Promise<Spent & { readonly peakBytes: number }> {
  const home = join(DATA, `import-${process.pid}`)
  try {
    const { seconds, cpuSeconds, peakBytes, output } = await klens(home, ['import', log.path, '--json'])
    checkPoints(JSON.parse(output).runs[0]?.points, log)
    return { seconds, cpuSeconds, peakBytes }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function checkPoints(found: unknown, { path, counts }: GeneratedLog): void {
  if (found !== counts.points) throw new Error(`${path}: ${found} points came out, ${counts.points} were written`)
}

export function throughput(what: string, { counts }: GeneratedLog, { seconds, cpuSeconds }: Spent): Figures {
  return {
    what,
    MB: counts.bytes / 1e6,
    'M points': counts.points / 1e6,
    seconds,
    'CPU seconds': cpuSeconds,
    'MB/s': counts.bytes / 1e6 / seconds,
    'M points/s': counts.points / 1e6 / seconds,
  }
}
