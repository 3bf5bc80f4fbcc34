import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'

/**
 * Real GRPO runs with known truth, of two labs (test/data/labs/README.md). What the pack holds as columns comes back as
 * the files that the labs wrote, so that tests go the way of a user: a folder with a log, a config and scores.
 */

export type LabName = 'addition' | 'sorting'

const Column = z.object({ steps: z.union([z.string(), z.array(z.number())]), values: z.array(z.number().nullable()) })
const Run = z.object({
  group: z.string(),
  seed: z.string(),
  whole: z.boolean(),
  config: z.record(z.string(), z.unknown()),
  metrics: z.record(z.string(), Column),
  samples: z.record(z.string(), z.object({ header: z.string(), rows: z.array(z.string()) })),
  truth: z.string(),
})
type PackedRun = z.infer<typeof Run>

export interface LabRun {
  readonly group: string
  readonly seed: string
  /** Whether the training log is there, or its evaluations alone. */
  readonly whole: boolean
  readonly config: { readonly [key: string]: unknown }
  readonly metrics: ReadonlyMap<string, LabSeries>
  /** By file: `val_exact`, or `val_short`, `val_medium`, `val_long`. */
  readonly samples: ReadonlyMap<
    string,
    { readonly prompts: readonly string[]; readonly byStep: Map<number, Float64Array> }
  >
  /** What thousands of fresh prompts said, by validation set (`addition` has one, called `all`). */
  readonly truth: ReadonlyMap<string, readonly LabTruth[]>
}

export interface LabSeries {
  readonly steps: readonly number[]
  readonly values: readonly number[]
}

export interface LabTruth {
  readonly step: number
  readonly reward: number
  readonly exact: number
}

/** A run whose group begins so was made sick on purpose. */
export const isSick = ({ group }: { readonly group: string }): boolean => group.startsWith('sick-')

/** A half of each lab's runs, by a hash of their names: rules that are tuned on runs are tuned on the other. */
export function heldOut(lab: LabName, { group, seed }: { readonly group: string; readonly seed: string }): boolean {
  let hash = 0x811c9dc5
  for (const character of `${lab}/${group}/${seed}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return ((hash ^ (hash >>> 16)) & 1) === 1
}

const packs = new Map<LabName, readonly PackedRun[]>()

export function readLab(name: LabName): readonly LabRun[] {
  return unpack(name).map(labRun)
}

/** A pack that was read elsewhere. */
export function labRunsIn(pack: Uint8Array): readonly LabRun[] {
  return packedRuns(pack).map(labRun)
}

function labRun(run: PackedRun): LabRun {
  return {
    group: run.group,
    seed: run.seed,
    whole: run.whole,
    config: run.config,
    metrics: new Map(
      Object.entries(run.metrics).map(([metric, { steps, values }]) => [
        metric,
        { steps: stepsFrom(steps), values: values.map(value => value ?? Number.NaN) },
      ]),
    ),
    samples: new Map(
      Object.entries(run.samples).map(([file, { header, rows }]) => [
        file,
        {
          prompts: header.split(',').slice(1),
          byStep: new Map(rows.map(row => [stepOf(row), Float64Array.from(scoresOf(row))])),
        },
      ]),
    ),
    truth: truthOf(run.truth),
  }
}

/** Writes runs as `<folder>/<group>/<seed>/{metrics.jsonl,config.json,val_*.csv,truth.csv}`. */
export function writeLab(
  folder: string,
  name: LabName,
  choose: (run: { readonly group: string; readonly seed: string; readonly whole: boolean }) => boolean = () => true,
): void {
  for (const run of unpack(name).filter(choose)) {
    const place = join(folder, run.group, run.seed)
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'metrics.jsonl'), logOf(run))
    writeFileSync(join(place, 'config.json'), JSON.stringify(run.config, null, 1))
    writeFileSync(join(place, 'truth.csv'), `${run.truth}\n`)
    for (const [file, { header, rows }] of Object.entries(run.samples)) {
      const lines = rows.map(row => [stepOf(row), ...scoresOf(row)].join(','))
      writeFileSync(join(place, `${file}.csv`), `${[header, ...lines].join('\n')}\n`)
    }
  }
}

function unpack(name: LabName): readonly PackedRun[] {
  const known = packs.get(name)
  if (known !== undefined) return known
  const runs = packedRuns(readFileSync(new URL(`../data/labs/${name}.json.br`, import.meta.url)))
  packs.set(name, runs)
  return runs
}

function packedRuns(pack: Uint8Array): readonly PackedRun[] {
  return z.array(Run).parse(JSON.parse(brotliDecompressSync(pack).toString('utf8')))
}

function stepsFrom(steps: string | readonly number[]): readonly number[] {
  if (typeof steps !== 'string') return steps
  const [first, last, every] = steps.split(':').map(Number)
  return Array.from({ length: Math.round((last - first) / every) + 1 }, (_, i) => first + i * every)
}

const stepOf = (row: string): number => Number(row.split(' ')[0])

const scoresOf = (row: string): readonly number[] => [...row.split(' ')[1]].map(digit => Number(digit) / 4)

function logOf({ metrics }: PackedRun): string {
  const rows = new Map<number, { [metric: string]: number | null }>()
  for (const [metric, { steps, values }] of Object.entries(metrics)) {
    for (const [i, step] of stepsFrom(steps).entries()) {
      const row = rows.get(step) ?? {}
      row[metric] = values[i]
      rows.set(step, row)
    }
  }
  const lines = [...rows].sort(([a], [b]) => a - b).map(([step, data]) => JSON.stringify({ step, data }))
  return `${lines.join('\n')}\n`
}

function truthOf(text: string): ReadonlyMap<string, readonly LabTruth[]> {
  const [header, ...lines] = text.split('\n')
  const hasSets = header.split(',')[1] === 'set'
  const sets = new Map<string, LabTruth[]>()
  for (const line of lines) {
    const cells = line.split(',')
    const [reward, exact] = cells.slice(-2).map(Number)
    const set = hasSets ? cells[1] : 'all'
    sets.set(set, [...(sets.get(set) ?? []), { step: Number(cells[0]), reward, exact }])
  }
  return sets
}
