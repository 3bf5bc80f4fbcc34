import type { Command } from 'commander'
import { forecastBlocks, forecastWords } from '../../core/present/forecast.js'
import { forecast } from '../ask/forecast.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'

interface Options {
  readonly json?: boolean
}

export function forecastVerb(context: Context): Command {
  const words = (name: 'target' | 'baseline' | 'until' | 'at'): string =>
    context.speaker.say(forecastWords(`forecast.option.${name}`, {}))
  return verb('forecast', context.say('forecast.about', {}), context)
    .argument('<run>', context.say('argument.run', {}))
    .option('--target <score>', words('target'))
    .option('--baseline <run>', words('baseline'))
    .option('--until <step>', words('until'))
    .option('--at <step>', words('at'))
    .option('-m, --metric <name>', context.say('checkpoints.option.metric', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .action(async (run: string, options: Options) => {
      const answer = await interruptible(signal => context.ask(forecast, { ...options, run }, { signal }))
      if (options.json) context.printJson(answer)
      else context.present(forecastBlocks(answer, context.speaker))
    })
}
