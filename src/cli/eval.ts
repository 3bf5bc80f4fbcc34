import { basename, dirname, extname } from 'node:path'
import type { Command } from 'commander'
import type { RunEvent } from '../model/events.js'
import { readManifest } from '../store/manifest.js'
import { RunWriter } from '../store/run-writer.js'
import { openWorkspace } from '../store/workspace.js'
import { type LoadedCheckpoint, loadCheckpoint } from '../train/load-checkpoint.js'
import { openTask } from '../train/open-task.js'
import { openSession } from '../train/session.js'
import type { Split } from '../train/tasks/task.js'
import { type Validation, validate } from '../train/validate.js'
import { WeightsError } from '../weights/problem.js'
import { type Context, UserError, verb } from './context.js'
import { numberFrom } from './size.js'
import { alignTable, printable, shortNumber } from './style.js'

interface Options {
  readonly json?: boolean
  readonly shots: string
  readonly samples?: string
  readonly split: string
}

export function evalVerb(context: Context): Command {
  return verb('eval', context.say('eval.about', {}), context)
    .argument('<checkpoint...>', context.say('eval.checkpoints', {}))
    .option('--shots <list>', context.say('eval.option.shots', {}), '1,2,3,4')
    .option('--samples <n>', context.say('eval.option.samples', {}))
    .option('--split <split>', context.say('eval.option.split', {}), 'test')
    .action((paths: string[], options: Options) => evaluate(context, paths, options))
}

interface Scored {
  readonly checkpoint: string
  readonly shots: number
  readonly validation: Validation
}

async function evaluate(context: Context, paths: readonly string[], options: Options): Promise<void> {
  const shots = shotsFrom(context, options.shots)
  const split = splitFrom(context, options.split)
  const samples = numberFrom(context, '--samples', options.samples, { above: 0, whole: true })
  const all: Scored[] = []
  for (const path of paths) {
    const loaded = await load(context, path)
    const scored = await scoresOf(context, path, loaded, { shots, split, samples })
    await keep(loaded, scored, split)
    for (const { checkpoint, shots: count, validation } of scored) {
      if (options.json)
        context.printJson({
          checkpoint,
          shots: count,
          split,
          n: validation.ids.length,
          metrics: validation.metrics,
          volatile: {},
        })
    }
    all.push(...scored)
  }
  const agreements = agreementsIn(all)
  if (options.json) {
    context.printJson({
      run: null,
      checkpoints: paths,
      evaluations: all.map(({ checkpoint, shots: count, validation }) => ({
        checkpoint,
        shots: count,
        metrics: validation.metrics,
      })),
      agreements,
      volatile: {},
    })
    return
  }
  const rows = [...new Set(all.map(({ checkpoint }) => checkpoint))].map(checkpoint => [
    printable(nameOf(checkpoint), 50),
    ...shots.map(count => {
      const found = all.find(each => each.checkpoint === checkpoint && each.shots === count)
      return found === undefined ? '' : shortNumber(found.validation.metrics['val.score'])
    }),
  ])
  const header = ['', ...shots.map(count => context.say('sweep.shots', { shots: count }))]
  for (const line of alignTable([header, ...rows], new Set(shots.map((_, i) => i + 1)))) context.print(`  ${line}`)
  for (const { first, second, shots: count, share, n } of agreements) {
    context.print(
      `  ${context.say('eval.agreement', { first: printable(first), second: printable(second), shots: count, percent: Math.round(100 * share), n })}`,
    )
  }
}

function shotsFrom(context: Context, text: string): readonly number[] {
  const shots = text.split(',').map(Number)
  if (shots.every(count => Number.isInteger(count) && count > 0 && count < 100)) return shots
  throw new UserError(context.say('eval.bad-shots', { value: printable(text) }))
}

function splitFrom(context: Context, text: string): Split {
  if (text === 'train' || text === 'val' || text === 'test') return text
  throw new UserError(context.say('eval.bad-split', { value: printable(text) }))
}

async function load(context: Context, path: string): Promise<LoadedCheckpoint> {
  try {
    const loaded = await loadCheckpoint(path)
    if (loaded !== null) return loaded
  } catch (error) {
    throw error instanceof WeightsError ? new UserError(printable(context.render(error.problem), 600)) : error
  }
  throw new UserError(context.say('eval.no-selector', { path: printable(path, 200) }))
}

async function scoresOf(
  context: Context,
  path: string,
  { values, config, shape }: LoadedCheckpoint,
  {
    shots,
    split,
    samples,
  }: { readonly shots: readonly number[]; readonly split: Split; readonly samples: number | null },
): Promise<readonly Scored[]> {
  const task = openTask(config)
  if (task === null) throw new UserError(context.say('train.no-task', { task: config.task }))
  if (task.queryEmbeddings.width !== shape.width) {
    throw new UserError(
      context.say('eval.width', { path: printable(path, 200), width: shape.width, has: task.queryEmbeddings.width }),
    )
  }
  const { form, hidden, layers } = shape
  const session = openSession(task, { ...config, policy: { ...config.policy, form, hidden, layers } })
  const policy = session.policyWith([])
  policy.parameters.load(values)
  const scored: Scored[] = []
  for (const count of shots) {
    scored.push({
      checkpoint: path,
      shots: count,
      validation: await validate(session, policy, task, { split, shots: count, samples }),
    })
  }
  return scored
}

/** Scores and choices go to the run that wrote the checkpoint, where the store has it. */
async function keep({ run, epoch }: LoadedCheckpoint, scored: readonly Scored[], split: Split): Promise<void> {
  const workspace = await openWorkspace()
  const known = run === null ? null : await readManifest(workspace, run)
  if (known === null) return
  const writer = await RunWriter.open(workspace, { id: known.id, name: known.name, source: known.source }, 'train')
  try {
    await writer.write(
      scored.flatMap(each => eventsOf(each, epoch ?? 0, split)),
      0,
    )
  } finally {
    await writer.close()
  }
}

function eventsOf({ shots, validation }: Scored, step: number, split: Split): readonly RunEvent[] {
  const condition = { shots, split }
  const { ids, hard, choices, metrics } = validation
  const metric = 'eval.score'
  return [
    {
      type: 'evaluation',
      evaluation: { metric, step, condition, value: metrics['val.score'], n: ids.length, quality: 'measured' },
    },
    {
      type: 'samples',
      samples: { metric, step, condition, ids, scores: hard, choices: choices.map(choice => choice.join(' ')) },
    },
  ]
}

/** klens's own lie in `runs/<id>/checkpoints`; the id tells them apart. */
function nameOf(path: string): string {
  const file = basename(path, extname(path))
  return basename(dirname(path)) === 'checkpoints' ? `${basename(dirname(dirname(path)))}/${file}` : file
}

/** How often two checkpoints choose the very same examples in the same order: equal scores may be no coincidence. */
function agreementsIn(all: readonly Scored[]) {
  return all.flatMap((first, i) =>
    all.slice(i + 1).flatMap(second => {
      if (second.shots !== first.shots || second.checkpoint === first.checkpoint) return []
      const choices = new Map(first.validation.ids.map((id, k) => [id, first.validation.choices[k].join()]))
      const shared = second.validation.ids.flatMap((id, k) =>
        choices.has(id) ? [choices.get(id) === second.validation.choices[k].join()] : [],
      )
      const n = shared.length
      const share = shared.filter(Boolean).length / n
      return [{ first: nameOf(first.checkpoint), second: nameOf(second.checkpoint), shots: first.shots, share, n }]
    }),
  )
}
