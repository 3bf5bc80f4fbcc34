import type { Command } from 'commander'
import { frontierBlocks, frontierWords } from '../../core/present/frontier.js'
import { frontier } from '../ask/frontier.js'
import { type Context, collect, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { settingsVerb } from './sweep.js'

interface Options {
  readonly json?: boolean
}

export function frontierVerb(context: Context): Command {
  return settingsVerb(verb('frontier', context.say('frontier.about', {}), context), context)
    .option('--over <key>', context.speaker.say(frontierWords('frontier.option.over', {})), collect)
    .option('--max-kl <kl>', context.speaker.say(frontierWords('frontier.option.max-kl', {})))
    .action(async (runs: string[], options: Options) => {
      const answer = await interruptible(signal => context.ask(frontier, { ...options, runs }, { signal }))
      if (options.json) context.printJson(answer)
      else context.present(frontierBlocks(answer, context.speaker))
    })
}
