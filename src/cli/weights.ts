import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Command } from 'commander'
import { jsonNumber } from '../model/json.js'
import { contentHash } from '../weights/content-hash.js'
import { convertWeights } from '../weights/convert.js'
import { diffWeights, type Totals } from '../weights/diff.js'
import { withWeights } from '../weights/open.js'
import { elementCount } from '../weights/tensor.js'
import { type Context, translateTitle, UserError, verb } from './context.js'
import { printable } from './print/style.js'
import { missingLineage, printDifference, printWeights } from './print/weights.js'

interface Options {
  readonly json?: boolean
}

export function weightsVerb(context: Context): Command {
  const weights = new Command('weights')
    .description(context.say('weights.about', {}))
    .helpOption('-h, --help', context.say('cli.option.help', {}))
    .helpCommand(false)
    .configureHelp({ styleTitle: title => translateTitle(title, context) })
    .allowExcessArguments()
    .action((_: unknown, command: Command) => {
      const [name] = command.args
      if (name === undefined) return command.outputHelp()
      throw new UserError(context.say('cli.unknown-verb', { name: printable(`weights ${name}`), hint: '' }))
    })
  const file = context.say('weights.argument.file', {})
  const verbs = [
    verb('show', context.say('weights.show.about', {}), context)
      .argument('<file>', file)
      .action((path: string, options: Options) => show(context, path, options)),
    verb('diff', context.say('weights.diff.about', {}), context)
      .argument('<first>', file)
      .argument('<second>', file)
      .action((first: string, second: string, options: Options) => diff(context, first, second, options)),
    verb('convert', context.say('weights.convert.about', {}), context)
      .argument('<input>', file)
      .argument('<output>', context.say('weights.argument.output', {}))
      .action((input: string, output: string, options: Options) => convert(context, input, output, options)),
  ]
  for (const one of verbs) weights.addCommand(one.exitOverride().configureOutput({ writeErr: () => {} }))
  return weights
}

async function show(context: Context, path: string, options: Options): Promise<void> {
  await withWeights(path, async file => {
    const hash = await contentHash(file.tensors)
    if (!options.json) return printWeights(context, file, hash)
    const { format, layout, bytes, tensors, about, notRun } = file
    const listed = tensors.map(({ name, part, dtype, shape }) => ({
      name,
      part,
      dtype,
      shape,
      parameters: elementCount(shape),
    }))
    const parameters = listed
      .filter(({ part }) => part === 'model')
      .reduce((sum, { parameters: size }) => sum + size, 0)
    context.printJson({
      path,
      format,
      layout,
      bytes,
      parameters,
      contentHash: hash,
      about,
      missing: missingLineage(about),
      notRun,
      tensors: listed,
    })
  })
}

async function diff(context: Context, first: string, second: string, options: Options): Promise<void> {
  await withWeights(first, one =>
    withWeights(second, async other => {
      const difference = await diffWeights(one, other)
      if (!options.json) return printDifference(context, [first, second], difference)
      const { total, tensors, ...names } = difference
      context.printJson({
        files: [first, second],
        total: inJson(total),
        ...names,
        tensors: tensors.map(({ name, shape, dtypes, ...figures }) => ({ name, shape, dtypes, ...inJson(figures) })),
      })
    }),
  )
}

function inJson(figures: Totals): object {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, jsonNumber(value)]))
}

async function convert(context: Context, input: string, output: string, options: Options): Promise<void> {
  const path = resolve(output)
  const folder = await stat(dirname(path)).catch(() => null)
  if (!folder?.isDirectory()) {
    throw new UserError(context.say('weights.no-folder', { path: printable(dirname(path), 300) }))
  }
  // A checkpoint may have cost a week; nothing here is worth that.
  if ((await stat(path).catch(() => null)) !== null) {
    throw new UserError(context.say('weights.exists', { path: printable(path, 300) }))
  }
  await withWeights(input, async file => {
    const { target, tensors, leftOut } = await convertWeights(file, path)
    if (options.json) return context.printJson({ input, output: path, target, tensors, leftOut })
    const layout =
      target === 'safetensors' ? ('weights.format.safetensors' as const) : (`weights.layout.${target}` as const)
    context.print(
      context.say('weights.converted', { path: printable(path, 300), tensors, layout: context.say(layout, {}) }),
    )
    if (leftOut.length === 0) return
    const names = printable(leftOut.slice(0, 3).join(', '), 200)
    context.remark(
      context.say('weights.left-out', { count: leftOut.length, names: leftOut.length > 3 ? `${names}, …` : names }),
    )
  })
}
