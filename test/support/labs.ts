import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'

/**
 * Real GRPO runs with known truth, of two labs (test/data/labs/README.md). What the pack holds as columns comes back as
 * the files that the labs wrote, so that tests go the way of a user: a folder with a log, a config and scores.
 */

export type LabName = 'addition' | 'sorting'

/** Labs whose reward is a model of the true score. */
export type LearnedLab = 'letters' | 'vowels'

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

const packs = new Map<string, readonly PackedRun[]>()

export function readLab(name: LabName | LearnedLab): readonly LabRun[] {
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

/** How a lab with a learned reward logs: as TRL does, with no name that tells which score is true, or as verl does. */
export type Dialect = 'trl' | 'renamed' | 'verl'

const VERL_NAMES: { readonly [trl: string]: string } = {
  reward: 'critic/rewards/mean',
  kl: 'actor/kl_loss',
  eval_reward: 'val-aux/letters/reward/mean@2',
  'eval_rewards/gold/mean': 'val-core/letters/acc/mean@2',
}

/** Writes runs of a lab with a learned reward as `<folder>/<group>/<seed>/…`. */
export function writeLearnedLab(
  folder: string,
  name: LearnedLab,
  dialect: Dialect,
  choose: (run: { readonly group: string; readonly seed: string }) => boolean,
): void {
  for (const run of unpack(name).filter(choose)) {
    const place = join(folder, run.group, run.seed)
    mkdirSync(place, { recursive: true })
    if (dialect === 'verl') writeVerl(place, run)
    else writeTrl(place, run, dialect === 'renamed')
  }
}

function writeTrl(place: string, run: PackedRun, isRenamed: boolean): void {
  const named = (metric: string): string => (isRenamed ? metric.replace('/gold/', '/quality/') : metric)
  const rows = rowsOf(run).map(([step, data]) => {
    const entries = Object.entries(data).map(([metric, value]) => [named(metric), value])
    return { step, epoch: step / 400, ...Object.fromEntries(entries) }
  })
  // TRL writes a row for a step of training and another for its evaluation.
  const isEvaluation = (name: string): boolean => name.startsWith('eval_') || name === 'step' || name === 'epoch'
  const only = (row: object, keep: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => keep(name)))
  const history = rows.flatMap(row => {
    const trained = only(row, name => !name.startsWith('eval_'))
    const evaluated = only(row, isEvaluation)
    return [trained, evaluated].filter(part => Object.keys(part).length > 2)
  })
  mkdirSync(join(place, 'checkpoint-400'))
  const state = { global_step: 400, max_steps: 400, eval_steps: 25, logging_steps: 10, log_history: history }
  writeFileSync(join(place, 'checkpoint-400', 'trainer_state.json'), JSON.stringify(state))
  const { beta, lr, seed } = settingsOf(run)
  writeFileSync(join(place, 'config.yaml'), JSON.stringify({ beta, learning_rate: lr, seed }))
}

function settingsOf({ config }: PackedRun) {
  return z.object({ beta: z.number(), lr: z.number(), seed: z.number() }).parse(config.lab)
}

function writeVerl(place: string, run: PackedRun): void {
  const lines = rowsOf(run).map(([step, data]) => {
    const known = Object.entries(data).flatMap(([metric, value]) => {
      const name = VERL_NAMES[metric]
      return name === undefined ? [] : [[name, value]]
    })
    return JSON.stringify({ step, data: Object.fromEntries(known) })
  })
  writeFileSync(join(place, 'metrics.jsonl'), `${lines.join('\n')}\n`)
  const { beta, lr, seed } = settingsOf(run)
  const actor = { use_kl_loss: beta > 0, kl_loss_coef: beta, optim: { lr } }
  writeFileSync(join(place, 'config.json'), JSON.stringify({ actor_rollout_ref: { actor }, seed }))
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

function unpack(name: LabName | LearnedLab): readonly PackedRun[] {
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

function logOf(run: PackedRun): string {
  const lines = rowsOf(run).map(([step, data]) => JSON.stringify({ step, data }))
  return `${lines.join('\n')}\n`
}

type LogRow = { readonly [metric: string]: number | null }

function rowsOf({ metrics }: PackedRun): readonly (readonly [step: number, data: LogRow])[] {
  const rows = new Map<number, { [metric: string]: number | null }>()
  for (const [metric, { steps, values }] of Object.entries(metrics)) {
    for (const [i, step] of stepsFrom(steps).entries()) {
      const row = rows.get(step) ?? {}
      row[metric] = values[i]
      rows.set(step, row)
    }
  }
  return [...rows].sort(([a], [b]) => a - b)
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
