import { type Command, Option } from 'commander'
import { serveTrainings, train } from '../ask/train.js'
import { type Context, collect, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { trainingPrinter } from './print/training.js'

interface Options {
  readonly json?: boolean
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
    .option('--once', say('train.option.once', {}))
    .option('--from <checkpoint>', say('train.option.from', {}))
    .option('--out <folder>', say('train.option.out', {}))
    .option('--resume <run>', say('train.option.resume', {}))
    .option('--allow-changes', say('train.option.allow-changes', {}))
    .addOption(new Option('--worker').hideHelp())
    .action(async (config: string | undefined, options: Options) => {
      if (options.worker !== true) return runTraining(context, config, options)
      // A worker whose starter was killed before it could speak has nothing to do.
      if (process.connected) await serveTrainings()
    })
}

async function runTraining(context: Context, config: string | undefined, options: Options): Promise<void> {
  const { json = false } = options
  const printer = trainingPrinter(context, json)
  const answer = await interruptible(signal =>
    context.ask(train, { ...options, config, baselines: !json }, { signal, onProgress: printer.hear }),
  ).finally(printer.clear)
  printer.end(answer)
  if ('runs' in answer && !answer.stopped && answer.runs.some(({ status }) => status === 'failed')) process.exitCode = 1
}
