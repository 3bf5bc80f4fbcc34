import type { Command } from 'commander'
import { weights, weightsConvert, weightsDiff } from '../ask/weights.js'
import { type Context, verb, verbGroup } from './context.js'
import { printable } from './print/style.js'
import { printDifference, printWeights } from './print/weights.js'

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
        else printWeights(context, answer)
      }),
    verb('diff', context.say('weights.diff.about', {}), context)
      .argument('<first>', file)
      .argument('<second>', file)
      .action(async (first: string, second: string, { json }: Options) => {
        const answer = await context.ask(weightsDiff, { first, second })
        if (json) context.printJson(answer)
        else printDifference(context, answer)
      }),
    verb('convert', context.say('weights.convert.about', {}), context)
      .argument('<input>', file)
      .argument('<output>', context.say('weights.argument.output', {}))
      .action((input: string, output: string, options: Options) => convert(context, input, output, options)),
  ]
  return verbGroup('weights', context.say('weights.about', {}), context, verbs)
}

async function convert(context: Context, input: string, output: string, { json }: Options): Promise<void> {
  const answer = await context.ask(weightsConvert, { input, output })
  if (json) return context.printJson(answer)
  const { target, tensors, leftOut } = answer
  const layout =
    target === 'safetensors' ? ('weights.format.safetensors' as const) : (`weights.layout.${target}` as const)
  context.print(
    context.say('weights.converted', {
      path: printable(answer.output, 300),
      tensors,
      layout: context.say(layout, {}),
    }),
  )
  if (leftOut.length === 0) return
  const names = printable(leftOut.slice(0, 3).join(', '), 200)
  context.remark(
    context.say('weights.left-out', { count: leftOut.length, names: leftOut.length > 3 ? `${names}, …` : names }),
  )
}
