import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { type Command, Option } from 'commander'
import { version } from '../ask/version.js'
import { type Manifest, wholeConfig } from '../store/manifest.js'
import { openWorkspace } from '../store/workspace.js'
import { loadStart, startingSettings } from '../train/load-start.js'
import { openTask } from '../train/open-task.js'
import { SOURCE } from '../train/run/lineage.js'
import type { Begin } from '../train/run/request.js'
import { runTraining } from '../train/run/run-training.js'
import { type GridRequest, gridOf, type Trial } from '../train/sweep/grid.js'
import { serveTrainings } from '../train/sweep/worker.js'
import { checkShots } from '../train/tasks/task.js'
import { type Context, collect, UserError, verb } from './context.js'
import { findRun } from './find-runs.js'
import { interruptible } from './interrupt.js'
import { printable } from './print/style.js'
import { printTraining } from './print/training.js'
import { numberFrom } from './size.js'
import { type TrainFlags, trainMany } from './train-many.js'

interface Options extends TrainFlags {
  readonly task?: string
  readonly seed?: string
  readonly name?: string
  readonly set?: readonly string[]
  readonly over?: readonly string[]
  readonly workers?: string
  readonly resume?: string
  readonly allowChanges?: boolean
  /** One of the processes of a sweep; not for people. */
  readonly worker?: boolean
}

export function trainVerb(context: Context): Command {
  const { say } = context
  return verb('train', say('train.about', {}), context)
    .argument('[config]', say('train.config', {}))
    .option('--task <task>', say('train.option.task', {}))
    .option('--seed <n>', say('train.option.seed', {}))
    .option('--name <name>', say('train.option.name', { placeholder: '{key}' }))
    .option('--set <key=value>', say('train.option.set', {}), collect)
    .option('--over <key=values>', say('train.option.over', {}), collect)
    .option('--workers <n>', say('train.option.workers', {}))
    .option('--fresh', say('train.option.fresh', {}))
    .option('--from <checkpoint>', say('train.option.from', {}))
    .option('--resume <run>', say('train.option.resume', {}))
    .option('--allow-changes', say('train.option.allow-changes', {}))
    .addOption(new Option('--worker').hideHelp())
    .action((path: string | undefined, options: Options) => trainVerbs(context, path, options))
}

async function trainVerbs(context: Context, path: string | undefined, options: Options): Promise<void> {
  if (options.worker === true && process.connected) return serveTrainings()
  refuseTogether(context, options)
  const workers = numberFrom(context, '--workers', options.workers, { above: 0, whole: true })
  const { request, begin } = await asked(context, path, options)
  const grid = gridOf(request)
  if (grid.kind === 'problems') {
    const problems = printable(grid.problems.map(context.render).join('; '), 600)
    throw new UserError(context.say('train.problems', { problems }))
  }
  const { trials } = grid
  if (trials.length === 1 && options.over === undefined) await trainOne(context, trials[0], begin, options)
  else await trainMany(context, trials, workers ?? availableParallelism(), options)
}

function refuseTogether(context: Context, { resume, fresh, from, over, seed, allowChanges }: Options): void {
  const several = over !== undefined || seed?.includes(',') === true
  const clashes: readonly (readonly [clash: boolean, first: string, second: string])[] = [
    [resume !== undefined && fresh === true, '--resume', '--fresh'],
    [resume !== undefined && from !== undefined, '--resume', '--from'],
    [resume !== undefined && several, '--resume', over === undefined ? '--seed 1,2' : '--over'],
    [allowChanges === true && fresh === true, '--allow-changes', '--fresh'],
  ]
  for (const [clash, first, second] of clashes) {
    if (clash) throw new UserError(context.say('train.not-together', { first, second }))
  }
}

interface Asked {
  readonly request: GridRequest
  readonly begin: Begin
}

async function asked(context: Context, path: string | undefined, options: Options): Promise<Asked> {
  const { task, seed, name, set = [], over, resume, from, fresh, allowChanges = false } = options
  const text = path === undefined ? null : await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) throw new UserError(context.say('train.no-config', { path: printable(path ?? '', 200) }))
  const continued = resume === undefined ? null : await runToContinue(context, resume)
  // A run that goes on does so with its own settings, but for those that are given; a file gives all of them.
  const base = continued !== null && path === undefined ? wholeConfig(continued) : await startingSettings(from)
  const request = {
    base,
    ...(text !== null && path !== undefined && { file: { name: path, text } }),
    sets: [
      ...(task === undefined ? [] : [`task=${task}`]),
      ...(name === undefined ? [] : [`name=${JSON.stringify(name)}`]),
      ...set,
    ],
    ...(seed !== undefined && { seed }),
    ...(over !== undefined && { over }),
  }
  if (continued !== null) return { request, begin: { kind: 'continue', run: continued.id, allowChanges } }
  return { request, begin: { kind: fresh === true ? 'new' : 'auto' } }
}

async function runToContinue(context: Context, name: string): Promise<Manifest> {
  const { manifest } = await findRun(context, name)
  if (manifest.source === SOURCE) return manifest
  throw new UserError(context.say('train.not-ours', { run: printable(name) }))
}

async function trainOne(context: Context, { config }: Trial, begin: Begin, options: Options): Promise<void> {
  const workspace = await openWorkspace()
  const task = await openTask(config, workspace)
  checkShots(task, config.policy.shots)
  for (const remark of task.remarks) context.remark(printable(context.render(remark), 600))
  const from = options.from === undefined ? null : await loadStart(options.from, config, task)
  const printing = printTraining(context, task, config, options.json === true)
  const result = await interruptible(context, signal =>
    runTraining(workspace, { config, task, from, begin }, { code: version(), observer: printing.observer, signal }),
  ).finally(printing.clear)
  printing.end(result)
}
