import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomNumbers } from '../../bench/made-up-metrics.js'
import { doubleValue, field, floatValue, recordLog, tfRecord } from './binary.js'

/** One made-up training, and writers that log it as trackers, consoles and loops of one's own do. */

export interface MadeTraining {
  readonly name: string
  readonly config: { readonly [key: string]: string | number | boolean }
  readonly rows: readonly { readonly step: number; readonly values: { readonly [metric: string]: number } }[]
}

interface TrainingShape {
  readonly seed: number
  readonly steps?: number
  readonly config?: MadeTraining['config']
}

/** As verl logs a GRPO training with two validation sets. */
export function madeTraining({ seed, steps = 40, config = {} }: TrainingShape): MadeTraining {
  const random = randomNumbers(seed)
  const rows = Array.from({ length: steps }, (_, i) => {
    const step = i + 1
    const values: { [metric: string]: number } = {
      'actor/pg_loss': random() - 0.5,
      'actor/kl_loss': 0.002 * step * (1 + random()),
      'actor/grad_norm': 0.1 + random(),
      'actor/lr': 1e-6,
      'critic/rewards/mean': 0.3 + 0.01 * step + 0.1 * random(),
      'response_length/mean': 200 + 100 * random(),
      'response_length/clip_ratio': Math.round(random() * 8) / 32,
      'timing_s/step': 20 + random(),
    }
    if (step % 5 === 0) {
      values['val-core/openai/gsm8k/reward/mean@1'] = 0.4 + 0.005 * step + 0.02 * random()
      values['val-core/aime_2024/acc/mean@32'] = 0.1 + 0.1 * random()
    }
    return { step, values }
  })
  const settings = { 'actor_rollout_ref.actor.kl_loss_coef': 0.001, 'data.seed': seed, 'trainer.total_epochs': 3 }
  return { name: `grpo-${seed}`, config: { ...settings, ...config }, rows }
}

/** Writes the training below a folder and returns the path that an import would be given. */
type TrainingWriter = (folder: string, training: MadeTraining) => string

const START = 1_794_700_000
const HOUR_AGO = Date.now() / 1000 - 7200

function put(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

/** As it lies two hours later: nothing may still be written. */
function aged(folder: string): string {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), HOUR_AGO, HOUR_AGO)
  }
  return folder
}

function wandb(folder: string, { name, config, rows }: MadeTraining): string {
  const id = `id${name.replaceAll(/\W/g, '')}`
  const item = (key: string, value: unknown): Buffer => Buffer.concat([field(1, key), field(16, JSON.stringify(value))])
  const settings = Buffer.concat(Object.entries(config).map(([key, value]) => field(1, item(key, value))))
  const about = Buffer.concat([
    field(1, id),
    field(3, 'klens'),
    field(4, settings),
    field(8, name),
    field(17, field(1, BigInt(START))),
  ])
  const history = rows.map(({ step, values }) => {
    const nested = Object.entries({ ...values, _timestamp: START + step, _step: step }).map(([key, value]) =>
      field(1, Buffer.concat([field(2, key), field(16, JSON.stringify(value))])),
    )
    return field(2, Buffer.concat([...nested, field(2, field(1, BigInt(step)))]))
  })
  const records = [field(17, about), ...history, field(18, field(2, 3600n))]
  const numbered = records.map((record, i) => Buffer.concat([field(1, BigInt(i + 1)), record]))
  put(join(folder, 'wandb', `offline-run-20261115_043613-${id}`, `run-${id}.wandb`), recordLog(numbered).bytes)
  return join(folder, 'wandb')
}

function tensorboard(folder: string, { name, rows }: MadeTraining): string {
  const events = rows.flatMap(({ step, values }) =>
    Object.entries(values).map(([metric, value]) => {
      // tensorboardX writes no other characters than these.
      const tag = metric.replaceAll(/[^-/\w.]/g, '_')
      const scalar = field(1, Buffer.concat([field(1, tag), floatValue(2, value)]))
      return Buffer.concat([doubleValue(1, START + step), field(2, BigInt(step)), field(5, scalar)])
    }),
  )
  const version = Buffer.concat([doubleValue(1, START), field(3, 'brain.Event:2')])
  const place = join(folder, 'tensorboard_log', 'gsm8k', name)
  put(join(place, `events.out.tfevents.${START}.host.1.0`), Buffer.concat([version, ...events].map(tfRecord)))
  return join(folder, 'tensorboard_log')
}

function mlflow(folder: string, { name, config, rows }: MadeTraining): string {
  const id = Buffer.from(name).toString('hex').padEnd(32, '0').slice(0, 32)
  const run = join(folder, 'mlruns', '7', id)
  const meta = `experiment_id: '7'\nlifecycle_stage: active\nrun_id: ${id}\nrun_name: ${name}\nstart_time: ${START}000\nend_time: ${START}999\nstatus: 3\n`
  put(join(run, 'meta.yaml'), meta)
  for (const [key, value] of Object.entries(config)) {
    put(join(run, 'params', key), typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value))
  }
  const lines = new Map<string, string[]>()
  for (const { step, values } of rows) {
    for (const [metric, value] of Object.entries(values)) {
      const key = metric.replaceAll('@', '_at_')
      lines.set(key, [...(lines.get(key) ?? []), `${(START + step) * 1000} ${value} ${step}\n`])
    }
  }
  for (const [metric, points] of lines) put(join(run, 'metrics', metric), points.join(''))
  return join(folder, 'mlruns')
}

function swanlab(folder: string, { name, rows }: MadeTraining): string {
  const time = (step: number): string => `${new Date((START + step) * 1000).toISOString().slice(0, 19)}+00:00`
  const record = (model: string, data: object): Buffer => Buffer.from(JSON.stringify({ model_type: model, data }))
  const records = [
    record('Header', { create_time: time(0) }),
    record('Experiment', { id: `sw${name}`, name }),
    ...rows.flatMap(({ step, values }) =>
      Object.entries(values).map(([key, value]) =>
        record('Scalar', { key, step, metric: { data: value, create_time: time(step) } }),
      ),
    ),
    record('Footer', { success: true, create_time: time(rows.length + 1) }),
  ]
  const { bytes } = recordLog(records)
  bytes.set(Buffer.from(':SWL\xd6\xe1\x01', 'latin1'))
  put(join(folder, 'swanlog', `run-20261115_102350-sw${name}`, 'backup.swanlab'), bytes)
  return join(folder, 'swanlog')
}

function trackio(folder: string, { name, config, rows }: MadeTraining): string {
  const lines = rows.map(({ step, values }, i) =>
    JSON.stringify({
      v: 1,
      kind: 'metric',
      project: 'gsm8k',
      run: name,
      run_id: `t${name}`,
      metrics: values,
      step,
      timestamp: new Date((START + step) * 1000).toISOString(),
      config: i === 0 ? config : null,
    }),
  )
  put(join(folder, 'trackio', 'inbox', 'writer', '0001.jsonl'), `${lines.join('\n')}\n`)
  return join(folder, 'trackio')
}

/** verl's console, with as many decimals as it printed in its time. */
function consoleOf(decimals: number, place = 'console'): TrainingWriter {
  return (folder, { rows }) => {
    const lines = rows.map(
      ({ step, values }) =>
        `(TaskRunner pid=1) step:${step} - ${Object.entries(values)
          .map(([metric, value]) => `${metric}:${value.toFixed(metric === 'actor/lr' ? 9 : decimals)}`)
          .join(' - ')}\n`,
    )
    return put(join(folder, place, 'train.log'), lines.join(''))
  }
}

function jsonlIn(place: string): TrainingWriter {
  return (folder, { rows }) => {
    const lines = rows.map(({ step, values }) => `${JSON.stringify({ step, ...values })}\n`)
    return put(join(folder, place, 'metrics.jsonl'), lines.join(''))
  }
}

/** A loop of one's own that rounds, logs less, and leaves out what is no number. */
function shortJsonl(folder: string, { rows }: MadeTraining): string {
  const kept = ['actor/pg_loss', 'actor/kl_loss', 'critic/rewards/mean', 'response_length/mean', 'timing_s/step']
  const lines = rows.map(({ step, values }) => {
    const some = kept.map(metric => [metric, Number((values[metric] ?? 0).toFixed(4))])
    return `${JSON.stringify({ step, ...Object.fromEntries(some) })}\n`
  })
  return put(join(folder, 'short', 'log.jsonl'), lines.join(''))
}

export const TRAINING_WRITERS = {
  wandb,
  tensorboard,
  mlflow,
  swanlab,
  trackio,
  console: consoleOf(6),
  'console of three decimals': consoleOf(3),
  jsonl: jsonlIn('own'),
  'short jsonl': shortJsonl,
} satisfies { readonly [format: string]: TrainingWriter }

/** What lies beside each other in the folder that a training writes to. */
const BESIDE = { console: consoleOf(3, '.'), jsonl: jsonlIn('.') } satisfies {
  readonly [format: string]: TrainingWriter
}

/** All logs of a training in one folder. */
export function writeTogether(folder: string, training: MadeTraining, formats: readonly TrainingFormat[]): void {
  mkdirSync(folder, { recursive: true })
  for (const format of formats) ({ ...TRAINING_WRITERS, ...BESIDE })[format](folder, training)
  aged(folder)
}

export type TrainingFormat = keyof typeof TRAINING_WRITERS

/** The path of the training as this format logs it below the folder. */
export function writeTraining(format: TrainingFormat, folder: string, training: MadeTraining): string {
  mkdirSync(folder, { recursive: true })
  const path = TRAINING_WRITERS[format](folder, training)
  aged(folder)
  return path
}
