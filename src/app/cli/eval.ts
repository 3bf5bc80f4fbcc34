import type { Command } from 'commander'
import { evaluationBlocks } from '../../core/present/evaluation.js'
import { evaluate } from '../ask/eval.js'
import { type Context, collect, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { printable } from './print/style.js'

interface Options {
  readonly json?: boolean
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
    .option('--baselines', context.say('eval.option.baselines', {}))
    .option('--choices <file>', context.say('eval.option.choices', {}))
    .option('--load <whole|original>', context.say('eval.option.load', {}))
    .action((checkpoints: string[], options: Options) => evaluateAll(context, checkpoints, options))
}

async function evaluateAll(context: Context, checkpoints: readonly string[], options: Options): Promise<void> {
  const answer = await interruptible(signal =>
    context.ask(
      evaluate,
      { ...options, checkpoints },
      {
        signal,
        onProgress: evaluation => {
          if (options.json) context.printJson({ ...evaluation, volatile: {} })
        },
      },
    ),
  )
  if (options.json) context.printJson(answer)
  else context.present(evaluationBlocks(answer, context.speaker))
  if (answer.findings.some(({ severity }) => severity === 'error')) process.exitCode = 1
  const [reason] = answer.reasons
  if (reason === undefined || answer.evaluations.some(({ n }) => n > 0)) return
  const count = answer.evaluations.reduce((sum, { missing }) => sum + missing, 0)
  context.remark(
    context.say('cli.error', {
      message: context.say('eval.nothing-scored', { count, reason: printable(reason, 400) }),
    }),
  )
  // How far checkpoints choose alike is an answer without any score.
  if (answer.checkpoints.length === 1) process.exitCode = 2
}
