import type { Command } from 'commander'
import { dataEmbed, dataGenerate } from '../ask/data.js'
import { type Context, collect, verb, verbGroup } from './context.js'
import { interruptible } from './interrupt.js'
import { printable } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly output: string
}

interface EmbedOptions extends Options {
  readonly url: string
  readonly model: string
}

export function dataVerb(context: Context): Command {
  const { say } = context
  const verbs = [
    verb('embed', say('data.embed.about', {}), context)
      .argument('<items>', say('data.argument.items', {}))
      .requiredOption('-o, --output <file>', say('data.option.embeddings', {}))
      .requiredOption('--url <address>', say('data.option.url', {}))
      .requiredOption('--model <name>', say('data.option.model', {}))
      .option('--key-env <name>', say('data.option.key-env', {}))
      .option('--concurrency <n>', say('data.option.concurrency', {}))
      .action((items: string, options: EmbedOptions) => embed(context, items, options)),
    verb('generate', say('data.generate.about', {}), context)
      .argument('[config]', say('train.config', {}))
      .requiredOption('-o, --output <file>', say('data.option.groups', {}))
      .option('--task <task>', say('train.option.task', {}))
      .option('--set <key=value>', say('train.option.set', {}), collect)
      .option('--policy <checkpoint>', say('data.option.policy', {}))
      .action((config: string | undefined, options: Options) => generate(context, config, options)),
  ]
  return verbGroup('data', say('data.about', {}), context, verbs)
}

async function embed(context: Context, items: string, options: EmbedOptions): Promise<void> {
  const answer = await context.ask(dataEmbed, { ...options, items })
  if (options.json) return context.printJson(answer)
  const { output, rows, width } = answer
  context.print(context.say('data.embedded', { path: printable(output, 300), rows, width }))
}

async function generate(context: Context, config: string | undefined, options: Options): Promise<void> {
  const answer = await interruptible(signal => context.ask(dataGenerate, { ...options, config }, { signal }))
  if (options.json) return context.printJson(answer)
  const { output, queries, leftOut, scored, missing } = answer
  context.print(context.say('data.generated', { path: printable(output, 300), queries, scored }))
  if (leftOut > 0) context.remark(context.say('data.left-out', { count: leftOut }))
  if (missing > 0) context.remark(context.say('data.missing', { missing, total: scored + missing }))
}
