import type { Command } from 'commander'
import { isJsonObject, type Json, type JsonObject } from '../../logs/model/json.js'
import {
  type WeightsAnswer,
  type WeightsDifferenceAnswer,
  weights,
  weightsConvert,
  weightsDiff,
} from '../ask/weights.js'
import { type Context, verb, verbGroup } from './context.js'
import { alignTable, count, printable, shortNumber } from './print/style.js'

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

/** Weights on a terminal: what a file holds, and how two differ. */

/** Beyond it a config pushes the tensors off the screen; --json has all of it. */
const MOST_LINES = 60
const MOST_NAMES = 8

type Tensor = WeightsAnswer['tensors'][number]

export function printWeights(context: Context, answer: WeightsAnswer): void {
  const { path, format, layout, files, base, tensors, notRun, bytes, parameters, contentHash: hash } = answer
  const { say, print } = context
  const model = tensors.filter(({ part }) => part === 'model')
  const state = tensors.filter(({ part }) => part === 'state')
  print(context.paint('bold', printable(path, 300)))
  print(`  ${say(`weights.format.${format}`, {})} · ${say(`weights.layout.${layout}`, {})}`)
  if (files.length > 1)
    print(`  ${say('weights.files', { count: files.length, names: someNames(context, files.map(shortPath)) })}`)
  if (layout === 'adapter') {
    print(`  ${base === null ? say('weights.no-base', {}) : say('weights.base', { base: printable(base, 200) })}`)
  }
  print(`  ${say('weights.size', { tensors: model.length, parameters: count(parameters), bytes: count(bytes) })}`)
  if (state.length > 0) {
    print(`  ${say('weights.state-size', { tensors: state.length, numbers: count(parametersOf(state)) })}`)
  }
  print(`  ${say('weights.hash', { hash })}`)
  if (notRun.length > 0) {
    print(`  ${context.paint('yellow', say('weights.not-run', { names: someNames(context, notRun) }))}`)
  }
  printAbout(context, answer)
  print('')
  print(context.paint('bold', say('weights.tensors', {})))
  const head = [
    say('weights.column.shape', {}),
    say('weights.column.type', {}),
    say('weights.column.parameters', {}),
    say('weights.column.tensor', {}),
  ]
  const rows = tensors.map(tensor => [
    tensor.of === null
      ? shapeText(tensor.shape)
      : say('weights.part-of', { part: shapeText(tensor.shape), whole: shapeText(tensor.of) }),
    tensor.dtype,
    count(tensor.parameters),
    printable(tensor.name, 160),
  ])
  for (const line of alignTable([head, ...rows], new Set([2]))) print(`  ${line}`)
}

function shortPath(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function printAbout(context: Context, { about, layout, missing }: WeightsAnswer): void {
  const lines = [...flattened(about, '')]
  if (lines.length > 0) {
    context.print('')
    context.print(context.paint('bold', context.say('weights.carries', {})))
    const rows = lines.slice(0, MOST_LINES).map(([key, value]) => [printable(key), valueText(value)])
    for (const line of alignTable(rows)) context.print(`  ${line}`)
    if (lines.length > MOST_LINES)
      context.print(`  ${context.say('weights.more-lines', { count: lines.length - MOST_LINES })}`)
  }
  if (missing.length === 0 || layout === 'tensor') return
  const names = missing.map(kind => context.say(`weights.lineage.${kind}`, {})).join(context.say('weights.list', {}))
  context.print(`  ${context.say('weights.says-nothing', { missing: names })}`)
}

function* flattened(value: JsonObject, prefix: string): Generator<[string, Json]> {
  for (const [key, member] of Object.entries(value)) {
    if (isJsonObject(member) && Object.keys(member).length > 0) yield* flattened(member, `${prefix}${key}.`)
    else yield [`${prefix}${key}`, member]
  }
}

function valueText(value: Json): string {
  if (typeof value === 'number') return String(value)
  return printable(typeof value === 'string' ? value : JSON.stringify(value), 120)
}

export function printDifference(context: Context, difference: WeightsDifferenceAnswer): void {
  const { say, print } = context
  const { files: paths, bases, total, tensors, onlyInFirst, onlyInSecond, otherShape } = difference
  if (bases[0] !== null && bases[1] !== null && bases[0] !== bases[1]) {
    const [first, second] = bases.map(base => printable(base ?? '', 120))
    context.remark(say('weights.diff.other-base', { first, second }))
  }
  const { parameters } = total
  const isWhole = onlyInFirst.length + onlyInSecond.length + otherShape.length === 0
  if (tensors.length === 0) print(context.paint('bold', say('weights.diff.nothing-shared', {})))
  else if (total.differing > 0) printShare(context, difference)
  else if (isWhole) {
    print(
      context.paint('bold', say('weights.diff.identical', { parameters: count(parameters), tensors: tensors.length })),
    )
  } else print(context.paint('bold', say('weights.diff.shared-equal', { parameters: count(parameters) })))
  for (const [i, names] of [onlyInFirst, onlyInSecond].entries()) {
    if (names.length === 0) continue
    print(`  ${say('weights.diff.only-first', { path: printable(paths[i], 200), names: someNames(context, names) })}`)
  }
  for (const { name, shapes } of otherShape) {
    const [first, second] = shapes.map(shapeText)
    print(`  ${say('weights.diff.other-shape', { name: printable(name), first, second })}`)
  }
  if (total.differing > 0) printTable(context, tensors)
}

function printShare(context: Context, { total, touched, entirely, partly, notAtAll }: WeightsDifferenceAnswer): void {
  const { say, print } = context
  const { parameters, differing } = total
  print(
    context.paint(
      'bold',
      say('weights.diff.share', {
        share: percent(Number(total.share)),
        differing: count(differing),
        parameters: count(parameters),
      }),
    ),
  )
  const [mean, maximum, relative] = [total.meanDifference, total.maximumDifference, total.relativeDifference].map(
    Number,
  )
  const sizes = { mean: shortNumber(mean), maximum: shortNumber(maximum), relative: shortNumber(100 * relative) }
  print(`  ${say('weights.diff.sizes', sizes)}`)
  if (notAtAll.length === 0 || differing < NEARLY_ALL * touched) return
  const share = percent(touched / parameters)
  const [changed, equal] = [entirely.length + partly.length, notAtAll.length]
  print(
    `  ${say('weights.diff.frozen', { touched: count(touched), parameters: count(parameters), share, differing: changed, equal })}`,
  )
}

/** An update can be too small to move a float32, so a trained tensor need not differ in every single parameter. */
const NEARLY_ALL = 0.99

function printTable(context: Context, tensors: WeightsDifferenceAnswer['tensors']): void {
  const { say } = context
  const head = [
    say('weights.column.differ', {}),
    say('weights.column.mean', {}),
    say('weights.column.maximum', {}),
    say('weights.column.relative', {}),
    say('weights.column.parameters', {}),
    say('weights.column.tensor', {}),
  ]
  const rows = tensors.map(tensor => [
    `${percent(Number(tensor.share))}%`,
    shortNumber(Number(tensor.meanDifference)),
    shortNumber(Number(tensor.maximumDifference)),
    `${shortNumber(100 * Number(tensor.relativeDifference))}%`,
    count(tensor.parameters),
    printable(tensor.name, 160),
  ])
  context.print('')
  for (const line of alignTable([head, ...rows], new Set([0, 1, 2, 3, 4]))) context.print(`  ${line}`)
}

/** Two decimals, but never 0 or 100 unless it is so. */
function percent(share: number): string {
  const text = (100 * share).toFixed(2).replace(/\.00$/, '')
  if (share > 0 && text === '0') return '<0.01'
  return share < 1 && text === '100' ? '>99.99' : text
}

function parametersOf(tensors: readonly Tensor[]): number {
  return tensors.reduce((sum, tensor) => sum + tensor.parameters, 0)
}

function shapeText(shape: readonly number[]): string {
  return `[${shape.join(', ')}]`
}

function someNames(context: Context, names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map(name => printable(name))
  return [...shown, ...(names.length > MOST_NAMES ? ['…'] : [])].join(context.say('weights.list', {}))
}
