import type { Command } from 'commander'
import { sweepBlocks } from '../../core/present/sweep.js'
import { sweep } from '../ask/sweep.js'
import { type Context, collect, verb } from './context.js'
import { interruptible } from './interrupt.js'

interface Options {
  readonly json?: boolean
}

export function sweepVerb(context: Context): Command {
  return settingsVerb(verb('sweep', context.say('sweep.about', {}), context), context)
    .option('--over <key>', context.say('sweep.option.over', {}), collect)
    .action(async (runs: string[], options: Options) => {
      const answer = await interruptible(signal => context.ask(sweep, { ...options, runs }, { signal }))
      if (options.json) context.printJson(answer)
      else context.present(sweepBlocks(answer, context.speaker))
    })
}

/** What is asked of runs as settings, beside the setting itself. */
export function settingsVerb(command: Command, context: Context): Command {
  return command
    .argument('<run...>', context.say('sweep.runs', {}))
    .option('--baseline <run>', context.say('sweep.option.baseline', {}))
    .option('-m, --metric <name>', context.say('sweep.option.metric', {}))
    .option('--goal <max|min>', context.say('sweep.option.goal', {}))
    .option('--margin <size>', context.say('sweep.option.margin', {}))
    .option('--ended', context.say('compare.option.ended', {}))
}
