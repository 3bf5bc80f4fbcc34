import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'

/** What klens reads in a folder of logs, by its command line alone: `import`, `show`, `export`. */
export interface KlensRun {
  readonly name: string
  readonly source: string
  readonly settings: Readonly<Record<string, unknown>>
  /** (step, value) pairs by metric, in the order of steps. */
  readonly points: ReadonlyMap<string, readonly (readonly [step: number, value: number])[]>
}

export interface KlensReading {
  readonly runs: readonly KlensRun[]
  readonly skipped: readonly string[]
}

const importedSchema = z.object({
  runs: z.array(z.object({ id: z.string(), name: z.string(), source: z.string() })),
  skipped: z.array(z.looseObject({ path: z.string(), reason: z.string() })),
})
const shownSchema = z.object({ run: z.object({ config: z.record(z.string(), z.unknown()) }) })
const pointSchema = z.object({
  metric: z.string(),
  step: z.number(),
  value: z.union([z.number(), z.string().transform(Number)]).nullable(),
})

export function klensReading(logs: string, home: string): KlensReading {
  const { runs, skipped } = importedSchema.parse(JSON.parse(klens(home, ['import', logs, '--json'])))
  return {
    runs: runs.map(({ id, name, source }) => ({
      name,
      source,
      settings: shownSchema.parse(JSON.parse(klens(home, ['show', id, '--all', '--json']))).run.config,
      points: pointsOf(home, id),
    })),
    skipped: skipped.map(({ path, reason }) => `${path}: ${reason}`),
  }
}

function pointsOf(home: string, id: string): KlensRun['points'] {
  const points = new Map<string, [number, number][]>()
  for (const line of klens(home, ['export', id, '--format', 'jsonl']).split('\n')) {
    if (line === '') continue
    const { metric, step, value } = pointSchema.parse(JSON.parse(line))
    const own = points.get(metric) ?? []
    points.set(metric, own)
    own.push([step, value ?? Number.NaN])
  }
  for (const own of points.values()) own.sort(([a], [b]) => a - b)
  return points
}

function klens(home: string, words: readonly string[]): string {
  const env = { ...process.env, KLENS_HOME: home, NO_COLOR: '1', LANG: 'C.UTF-8', LC_ALL: '' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(process.cwd(), 'bin', 'klens.js'), ...words], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  // 2: some of it could not be read, which the answer names.
  if (status !== 0 && status !== 2)
    throw new Error(`klens ${words[0]} ended with ${status}: ${(stderr || stdout).trim()}`)
  return stdout
}
