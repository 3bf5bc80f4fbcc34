import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { jsonNumber } from '../model/json.js'
import { canonicalJson } from '../train/config/hash.js'
import { readTrainConfig } from '../train/config/read.js'
import type { TrainConfig } from '../train/config/schema.js'
import { type LoadedCheckpoint, loadCheckpoint } from '../train/load-checkpoint.js'
import { openTask } from '../train/open-task.js'
import { flatConfig } from '../train/run-events.js'
import { openSession } from '../train/session.js'
import { checkPools, queriesOf, type Split, type Task } from '../train/tasks/task.js'
import { type Validation, validate } from '../train/validate.js'
import { type Context, collect, UserError, verb } from './context.js'
import { keepEvaluations } from './keep-evaluations.js'
import { agreementsIn, printEvaluations } from './print-evaluations.js'
import { numberFrom } from './size.js'
import { printable } from './style.js'

interface Options {
  readonly json?: boolean
  readonly task?: string
  readonly config?: string
  readonly set?: readonly string[]
  readonly shots: string
  readonly samples?: string
  readonly split?: string
}

export function evalVerb(context: Context): Command {
  return verb('eval', context.say('eval.about', {}), context)
    .argument('<checkpoint...>', context.say('eval.checkpoints', {}))
    .option('--task <task>', context.say('eval.option.task', {}))
    .option('--config <file>', context.say('eval.option.config', {}))
    .option('--set <key=value>', context.say('eval.option.set', {}), collect)
    .option('--shots <list>', context.say('eval.option.shots', {}), '1,2,3,4')
    .option('--samples <n>', context.say('eval.option.samples', {}))
    .option('--split <split>', context.say('eval.option.split', {}))
    .action((paths: string[], options: Options) => evaluate(context, paths, options))
}

/** One checkpoint at one number of shots. */
export interface Evaluated {
  readonly checkpoint: string
  readonly loaded: LoadedCheckpoint
  readonly task: Task
  readonly split: Split
  readonly shots: number
  readonly validation: Validation
}

async function evaluate(context: Context, paths: readonly string[], options: Options): Promise<void> {
  const shots = shotsFrom(context, options.shots)
  const split = options.split === undefined ? null : splitFrom(context, options.split)
  const samples = numberFrom(context, '--samples', options.samples, { above: 0, whole: true })
  const open = taskOpener()
  const all: Evaluated[] = []
  const runs: string[] = []
  const checkpoints = [...new Set(paths)]
  for (const path of checkpoints) {
    const loaded = await load(context, path)
    const config = await configFor(context, path, loaded, options)
    const task = await open(context, config)
    const evaluated = await scoresOf(context, path, loaded, { task, config, shots, split, samples })
    if (options.json) for (const one of evaluated) context.printJson({ ...evaluationJson(one), volatile: {} })
    runs.push(await keepEvaluations(context, path, evaluated))
    all.push(...evaluated)
  }
  const [run = null, ...others] = new Set(runs)
  if (options.json) {
    context.printJson({
      run: others.length === 0 ? run : null,
      checkpoints,
      evaluations: all.map(evaluationJson),
      agreements: agreementsIn(all),
      volatile: { runs },
    })
  } else printEvaluations(context, all, shots)
  const reason = all.find(({ validation }) => validation.reason !== null)?.validation.reason ?? null
  if (reason === null || all.some(({ validation }) => validation.ids.length > 0)) return
  const count = all.reduce((sum, { validation }) => sum + validation.missing, 0)
  const sentence = context.say('eval.nothing-scored', { count, reason: printable(context.render(reason), 400) })
  // How far checkpoints choose alike is an answer without any score.
  if (checkpoints.length === 1) throw new UserError(sentence)
  context.remark(sentence)
}

function evaluationJson({ checkpoint, loaded, split, shots, validation }: Evaluated) {
  const { ids, missing, metrics } = validation
  return {
    checkpoint,
    epoch: loaded.epoch,
    shots,
    split,
    n: ids.length,
    missing,
    metrics: {
      'eval.score': jsonNumber(metrics['val.score']),
      'eval.score.soft': jsonNumber(metrics['val.score.soft']),
    },
  }
}

function shotsFrom(context: Context, text: string): readonly number[] {
  const shots = text.split(',').map(Number)
  if (shots.every(count => Number.isInteger(count) && count > 0 && count < 100)) return [...new Set(shots)]
  throw new UserError(context.say('eval.bad-shots', { value: printable(text) }))
}

function splitFrom(context: Context, text: string): Split {
  if (text === 'train' || text === 'val' || text === 'test') return text
  throw new UserError(context.say('eval.bad-split', { value: printable(text) }))
}

async function load(context: Context, path: string): Promise<LoadedCheckpoint> {
  const loaded = await loadCheckpoint(path)
  if (loaded !== null) return loaded
  throw new UserError(context.say('eval.no-selector', { path: printable(path, 200) }))
}

/** What the checkpoint says, then the config file, then `--task` and `--set`. The shape is that of the weights. */
async function configFor(
  context: Context,
  path: string,
  { settings: told, shape }: LoadedCheckpoint,
  { task, config: configPath, set = [] }: Options,
): Promise<TrainConfig> {
  const namesTask = task !== undefined || configPath !== undefined || set.some(word => /^\s*task\s*=/.test(word))
  if (told === null && !namesTask) throw new UserError(context.say('eval.no-task', { path: printable(path, 200) }))
  const text = configPath === undefined ? null : await readFile(configPath, 'utf8').catch(() => undefined)
  if (text === undefined) {
    throw new UserError(context.say('train.no-config', { path: printable(configPath ?? '', 200) }))
  }
  const { form, hidden, layers } = shape
  const weights = { 'policy.form': form, 'policy.hidden': hidden, 'policy.layers': layers }
  const read = readTrainConfig({
    base: { ...(told !== null && flatConfig(told)), ...weights },
    ...(text !== null && configPath !== undefined && { file: { name: configPath, text } }),
    sets: [...(task === undefined ? [] : [`task=${task}`]), ...set],
  })
  if (read.kind === 'config') {
    return { ...read.config, policy: { ...read.config.policy, form, hidden, layers } }
  }
  throw new UserError(
    context.say('train.problems', { problems: printable(read.problems.map(context.render).join('; '), 600) }),
  )
}

/** Checkpoints of one training share their task: it is read once. */
function taskOpener(): (context: Context, config: TrainConfig) => Promise<Task> {
  const opened = new Map<string, Promise<Task>>()
  return async (context, config) => {
    const { task, data, llm } = config
    const key = canonicalJson({ task, data, llm })
    const known = opened.get(key)
    if (known !== undefined) return known
    const opening = openTask(config)
    opened.set(key, opening)
    for (const remark of (await opening).remarks) context.remark(printable(context.render(remark), 600))
    return opening
  }
}

interface Wanted {
  readonly task: Task
  readonly config: TrainConfig
  readonly shots: readonly number[]
  readonly split: Split | null
  readonly samples: number | null
}

async function scoresOf(
  context: Context,
  path: string,
  loaded: LoadedCheckpoint,
  { task, config, shots, split: wantedSplit, samples }: Wanted,
): Promise<readonly Evaluated[]> {
  const { values, shape } = loaded
  if (task.queryEmbeddings.width !== shape.width) {
    const has = task.queryEmbeddings.width
    throw new UserError(context.say('eval.width', { path: printable(path, 200), width: shape.width, has }))
  }
  checkPools(task, Math.max(...shots))
  // Logged data has no queries of its own to test on.
  const split = wantedSplit ?? (queriesOf(task, 'test').length > 0 ? 'test' : 'val')
  if (queriesOf(task, split).length === 0) {
    throw new UserError(context.say('eval.empty-split', { task: task.name, split }))
  }
  const session = openSession(task, config)
  const policy = session.policyWith([])
  policy.parameters.load(values)
  const evaluated: Evaluated[] = []
  for (const count of shots) {
    const validation = await validate(session, policy, task, { split, shots: count, samples })
    evaluated.push({ checkpoint: path, loaded, task, split, shots: count, validation })
  }
  return evaluated
}
