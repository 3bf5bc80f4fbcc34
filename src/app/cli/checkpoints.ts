import type { Command } from 'commander'
import { checkpointsBlocks } from '../../core/present/checkpoints.js'
import { checkpoints } from '../ask/checkpoints.js'
import { type Context, verb } from './context.js'

interface Options {
  readonly json?: boolean
}

export function checkpointsVerb(context: Context): Command {
  return verb('checkpoints', context.say('checkpoints.about', {}), context)
    .argument('<run>', context.say('argument.run', {}))
    .option('-m, --metric <name>', context.say('checkpoints.option.metric', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .option('--max-kl <kl>', context.say('checkpoints.option.max-kl', {}))
    .option('--ended', context.say('compare.option.ended', {}))
    .action(async (run: string, options: Options) => {
      const answer = await context.ask(checkpoints, { ...options, run })
      if (options.json) context.printJson(answer)
      else context.present(checkpointsBlocks(answer, context.speaker))
    })
}
