import type { Command } from 'commander'
import { frontierBlocks, frontierWords } from '../../core/present/frontier.js'
import { frontier } from '../ask/frontier.js'
import { type Context, collect, verb } from './context.js'
import { interruptible } from './interrupt.js'

interface Options {
  readonly json?: boolean
}

export function frontierVerb(context: Context): Command {
  return verb('frontier', context.say('frontier.about', {}), context)
    .argument('<run...>', context.say('sweep.runs', {}))
    .option('--over <key>', context.speaker.say(frontierWords('frontier.option.over', {})), collect)
    .option('--baseline <run>', context.say('sweep.option.baseline', {}))
    .option('-m, --metric <name>', context.say('sweep.option.metric', {}))
    .option('--goal <max|min>', context.say('sweep.option.goal', {}))
    .option('--margin <size>', context.say('sweep.option.margin', {}))
    .option('--ended', context.say('compare.option.ended', {}))
    .action(async (runs: string[], options: Options) => {
      const answer = await interruptible(signal => context.ask(frontier, { ...options, runs }, { signal }))
      if (options.json) context.printJson(answer)
      else context.present(frontierBlocks(answer, context.speaker))
    })
}
