import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { RunWriter } from '../store/run-writer.js'
import { openWorkspace, runFolder } from '../store/workspace.js'
import { saveCheckpoint } from '../train/checkpoint.js'
import { configHash } from '../train/config/hash.js'
import { readTrainConfig } from '../train/config/read.js'
import type { TrainConfig } from '../train/config/schema.js'
import { openTask } from '../train/open-task.js'
import { epochEvents, flatConfig } from '../train/run-events.js'
import type { Task } from '../train/tasks/task.js'
import { type Epoch, train } from '../train/train.js'
import { type Context, collect, UserError, verb } from './context.js'
import { count, pad, printable, shortNumber } from './style.js'
import { version } from './version.js'

interface Options {
  readonly json?: boolean
  readonly task?: string
  readonly seed?: string
  readonly name?: string
  readonly set?: readonly string[]
}

export function trainVerb(context: Context): Command {
  return verb('train', context.say('train.about', {}), context)
    .argument('[config]', context.say('train.config', {}))
    .option('--task <task>', context.say('train.option.task', {}))
    .option('--seed <n>', context.say('train.option.seed', {}))
    .option('--name <name>', context.say('train.option.name', {}))
    .option('--set <key=value>', context.say('train.option.set', {}), collect)
    .action((path: string | undefined, options: Options) => trainRun(context, path, options))
}

async function trainRun(context: Context, path: string | undefined, options: Options): Promise<void> {
  const config = await configFrom(context, path, options)
  const task = openTask(config)
  if (task === null) throw new UserError(context.say('train.no-task', { task: config.task }))
  const workspace = await openWorkspace()
  const id = newId()
  const name = config.name ?? `${config.task}-${id}`
  const hash = configHash(config)
  const writer = await RunWriter.open(workspace, { id, name, source: 'klens' }, 'train')
  const folder = join(runFolder(workspace, id), 'checkpoints')
  const saved: { readonly path: string; readonly epoch: number }[] = []
  const evaluations: object[] = []
  let status: 'finished' | 'failed' = 'failed'
  try {
    await mkdir(folder, { recursive: true })
    const file = await writer.noteFile(null, {
      path: join(folder, 'config'),
      source: 'klens',
      role: 'log',
      size: 0,
      modifiedMs: 0,
      headBytes: 0,
      headHash: hash,
      complete: true,
      cursor: null,
      unreadBytes: 0,
      warnings: [],
    })
    await writer.write(
      [
        { type: 'about', about: { name, versions: { klens: version() } } },
        { type: 'config', config: flatConfig(config) },
        { type: 'status', status: 'running' },
      ],
      file,
    )
    await writer.goLive()
    for await (const epoch of train(task, config)) {
      const seconds = Date.now() / 1000
      await writer.write(epochEvents(epoch, seconds), file)
      if (epoch.epoch === 1 && !options.json)
        await printStart(context, { id, name, task, epoch, shots: config.policy.shots })
      printEpoch(context, epoch, options, seconds)
      if (epoch.validation !== null) evaluations.push({ epoch: epoch.epoch, metrics: epoch.validation.metrics })
      if (epoch.epoch % config.save.every === 0) saved.push(await save(folder, epoch, { config, hash, task, run: id }))
    }
    status = 'finished'
    await writer.write([{ type: 'status', status }], file)
  } finally {
    await writer.close()
  }
  if (options.json) {
    context.printJson({
      run: id,
      checkpoints: saved.map(({ epoch }) => `epoch${epoch}.safetensors`),
      evaluations,
      volatile: { folder },
    })
  } else context.print(context.say('train.done', { id, folder: printable(folder, 300) }))
}

async function configFrom(
  context: Context,
  path: string | undefined,
  { task, seed, name, set = [] }: Options,
): Promise<TrainConfig> {
  const text = path === undefined ? null : await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) throw new UserError(context.say('train.no-config', { path: printable(path ?? '', 200) }))
  const sets = [
    ...(task === undefined ? [] : [`task=${task}`]),
    ...(seed === undefined ? [] : [`seed=${seed}`]),
    ...(name === undefined ? [] : [`name=${JSON.stringify(name)}`]),
    ...set,
  ]
  const read = readTrainConfig({ ...(text !== null && path !== undefined && { file: { name: path, text } }), sets })
  if (read.kind === 'config') return read.config
  throw new UserError(
    context.say('train.problems', { problems: printable(read.problems.map(context.render).join('; '), 600) }),
  )
}

/** Ten letters and digits, like every id. */
function newId(): string {
  return BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(10, '0')
    .slice(-10)
}

async function save(
  folder: string,
  { epoch, phase, policy }: Epoch,
  {
    config,
    hash,
    task,
    run,
  }: { readonly config: TrainConfig; readonly hash: string; readonly task: Task; readonly run: string },
): Promise<{ readonly path: string; readonly epoch: number }> {
  const path = join(folder, `epoch${epoch}.safetensors`)
  await saveCheckpoint(path, policy.parameters, {
    epoch,
    phase,
    run,
    seed: config.seed,
    config: flatConfig(config),
    configHash: hash,
    dataHash: task.dataHash,
    klens: version(),
  })
  return { path, epoch }
}

async function printStart(
  context: Context,
  {
    id,
    name,
    task,
    epoch,
    shots,
  }: { readonly id: string; readonly name: string; readonly task: Task; readonly epoch: Epoch; readonly shots: number },
): Promise<void> {
  const { count: parameters } = epoch.policy.parameters
  context.print(
    context.say('train.started', {
      name: printable(name),
      id,
      queries: task.queries.length,
      parameters: count(parameters),
    }),
  )
  const baselines = await task.baselines({ shots, split: 'val', seed: 1 })
  const shown = baselines.map(({ name: baseline, hard, soft }) => `${baseline} ${shortNumber(hard ?? soft)}`).join(', ')
  context.print(context.say('train.baseline', { baselines: shown }))
  context.print(line(COLUMNS.map(([title]) => title)))
}

const COLUMNS: readonly (readonly [title: string, metric: string])[] = [
  ['epoch', ''],
  ['phase', ''],
  ['loss', 'loss.total'],
  ['rce', 'loss.rce'],
  ['kl', 'kl.ref'],
  ['kl exact', 'kl.ref.exact'],
  ['kl coef', 'kl.coef'],
  ['entropy', 'entropy.sequence'],
  ['tied', 'group.zero_std_frac'],
  ['grad', 'grad.norm'],
  ['val', 'val.score'],
]

function line(cells: readonly string[]): string {
  return cells.map(cell => pad(cell, 9, 'right')).join(' ')
}

/** A line per epoch: a table for people; JSON in which all but `volatile` is the same every time. */
function printEpoch(context: Context, { epoch, phase, metrics }: Epoch, { json }: Options, seconds: number): void {
  if (json) {
    context.printJson({ epoch, phase, metrics, volatile: { time: seconds } })
    return
  }
  const values = COLUMNS.slice(2).map(([, metric]) =>
    metrics[metric] === undefined ? '' : shortNumber(metrics[metric]),
  )
  context.print(line([String(epoch), phase, ...values]))
}
