import type { Command } from 'commander'
import { dataBeams, dataEmbed, dataGenerate, dataVqa } from '../ask/data.js'
import { type Context, collect, verb, verbGroup } from './context.js'
import { interruptible } from './interrupt.js'
import { printable } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly output: string
}

interface VqaOptions extends Options {
  readonly annotations: string
}

export function dataVerb(context: Context): Command {
  const { say } = context
  const verbs = [
    verb('vqa', say('data.vqa.about', {}), context)
      .argument('<questions>', say('data.argument.questions', {}))
      .requiredOption('--annotations <file>', say('data.option.annotations', {}))
      .option('--images <folder>', say('data.option.coco', {}))
      .option('--split <split>', say('data.option.split', {}))
      .requiredOption('-o, --output <file>', say('data.option.items', {}))
      .action((questions: string, options: VqaOptions) => vqa(context, questions, options)),
    verb('embed', say('data.embed.about', {}), context)
      .argument('<items>', say('data.argument.items', {}))
      .requiredOption('-o, --output <file>', say('data.option.embeddings', {}))
      .option('--url <address>', say('data.option.url', {}))
      .option('--model <name>', say('data.option.model', {}))
      .option('--part <part>', say('data.option.part', {}))
      .option('--form <form>', say('data.option.form', {}))
      .option('--images <folder>', say('data.option.images', {}))
      .option('--vectors <file>', say('data.option.vectors', {}))
      .option('--key-env <name>', say('data.option.key-env', {}))
      .option('--concurrency <n>', say('data.option.concurrency', {}))
      .action((items: string, options: Options) => embed(context, items, options)),
    verb('beams', say('data.beams.about', {}), context)
      .argument('[config]', say('train.config', {}))
      .requiredOption('-o, --output <file>', say('data.option.beams', {}))
      .option('--task <task>', say('train.option.task', {}))
      .option('--set <key=value>', say('train.option.set', {}), collect)
      .option('--api <api>', say('data.option.api', {}))
      .option('--samples <n>', say('data.option.samples', {}))
      .action((config: string | undefined, options: Options) => beams(context, config, options)),
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

async function vqa(context: Context, questions: string, options: VqaOptions): Promise<void> {
  const answer = await context.ask(dataVqa, { ...options, questions })
  if (options.json) return context.printJson(answer)
  const { output, items, unanswered, imageless } = answer
  context.print(context.say('data.items', { path: printable(output, 300), items }))
  if (unanswered > 0) context.remark(context.say('data.unanswered', { count: unanswered }))
  if (imageless > 0) context.remark(context.say('data.imageless', { count: imageless }))
}

async function beams(context: Context, config: string | undefined, options: Options): Promise<void> {
  const answer = await interruptible(signal => context.ask(dataBeams, { ...options, config }, { signal }))
  if (options.json) return context.printJson(answer)
  const { output, queries, leftOut, scored, missing } = answer
  context.print(context.say('data.beams', { path: printable(output, 300), queries, scored }))
  if (leftOut > 0) context.remark(context.say('data.beams-left-out', { count: leftOut }))
  if (missing > 0) context.remark(context.say('data.beams-missing', { missing, total: scored + missing }))
}

async function embed(context: Context, items: string, options: Options): Promise<void> {
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
