import type { Command } from 'commander'
import { weightsBlocks, weightsConvertBlocks, weightsDifferenceBlocks } from '../../core/present/weights.js'
import { weights, weightsConvert, weightsDiff } from '../ask/weights.js'
import { type Context, verb, verbGroup } from './context.js'

interface Options {
  readonly json?: boolean
}

export function weightsVerb(context: Context): Command {
  const file = context.say('weights.argument.file', {})
  const verbs = [
    verb('show', context.say('weights.show.about', {}), context)
      .argument('<file>', file)
      .action(async (path: string, { json }: Options) => {
        const answer = await context.ask(weights, { file: path })
        if (json) context.printJson(answer)
        else context.present(weightsBlocks(answer, context.speaker))
      }),
    verb('diff', context.say('weights.diff.about', {}), context)
      .argument('<first>', file)
      .argument('<second>', file)
      .action(async (first: string, second: string, { json }: Options) => {
        const answer = await context.ask(weightsDiff, { first, second })
        if (json) context.printJson(answer)
        else context.present(weightsDifferenceBlocks(answer, context.speaker))
      }),
    verb('convert', context.say('weights.convert.about', {}), context)
      .argument('<input>', file)
      .argument('<output>', context.say('weights.argument.output', {}))
      .action(async (input: string, output: string, { json }: Options) => {
        const answer = await context.ask(weightsConvert, { input, output })
        if (json) context.printJson(answer)
        else context.present(weightsConvertBlocks(answer, context.speaker))
      }),
  ]
  return verbGroup('weights', context.say('weights.about', {}), context, verbs)
}
