import type { Command } from 'commander'
import { samples } from '../ask/samples.js'
import { type Context, collect, verb } from './context.js'
import { printSamples } from './print/samples.js'

interface Options {
  readonly json?: boolean
  readonly flips?: boolean
  readonly failures?: boolean
}

export function samplesVerb(context: Context): Command {
  return verb('samples', context.say('samples.about', {}), context)
    .argument('<side...>', context.say('samples.sides', {}))
    .option('--flips', context.say('samples.option.flips', {}))
    .option('--failures', context.say('samples.option.failures', {}))
    .option('-m, --metric <name>', context.say('samples.option.metric', {}))
    .option('--condition <key=value>', context.say('samples.option.condition', {}), collect)
    .option('--limit <n>', context.say('samples.option.limit', {}))
    .action(async (sides: string[], options: Options) => {
      const { json, flips = json } = options
      const answer = await context.ask(samples, { ...options, flips, sides })
      if (json) context.printJson(answer)
      else printSamples(context, answer, options)
    })
}
