import type { Json, JsonObject } from '../../model/json.js'
import { isJsonObject } from '../../model/json.js'
import type { TensorDifference, WeightsDifference } from '../../weights/diff.js'
import { elementCount, type Tensor } from '../../weights/tensor.js'
import type { WeightsFile } from '../../weights/weights-file.js'
import type { Context } from '../context.js'
import { alignTable, count, printable, shortNumber } from './style.js'

/** Weights on a terminal: what a file holds, and how two differ. */

/** Beyond it a config pushes the tensors off the screen; --json has all of it. */
const MOST_LINES = 60
const MOST_NAMES = 8

/** What one must know to train the same again, and the members under which checkpoints keep it. */
const LINEAGE = {
  config: /^(?:config|cfg|args|hparams)\b|^hyper_parameters\.cfg\b/,
  seed: /(?:^|\.)seed$/,
  parent: /^parent/,
  data: /^data/,
} as const

type Lineage = keyof typeof LINEAGE

export function missingLineage(about: JsonObject): readonly Lineage[] {
  const keys = [...flattened(about, '')].map(([key]) => key)
  const kinds: readonly Lineage[] = ['config', 'seed', 'parent', 'data']
  return kinds.filter(kind => !keys.some(key => LINEAGE[kind].test(key)))
}

export function printWeights(context: Context, file: WeightsFile, hash: string): void {
  const { path, format, layout, tensors, about, notRun } = file
  const { say, print } = context
  const model = tensors.filter(({ part }) => part === 'model')
  const state = tensors.filter(({ part }) => part === 'state')
  print(context.paint('bold', printable(path, 300)))
  print(`  ${say(`weights.format.${format}`, {})} · ${say(`weights.layout.${layout}`, {})}`)
  print(
    `  ${say('weights.size', { tensors: model.length, parameters: count(parametersOf(model)), bytes: count(file.bytes) })}`,
  )
  if (state.length > 0) {
    print(`  ${say('weights.state-size', { tensors: state.length, numbers: count(parametersOf(state)) })}`)
  }
  print(`  ${say('weights.hash', { hash })}`)
  if (notRun.length > 0) {
    print(`  ${context.paint('yellow', say('weights.not-run', { names: someNames(context, notRun) }))}`)
  }
  printAbout(context, about, layout !== 'tensor')
  print('')
  print(context.paint('bold', say('weights.tensors', {})))
  const head = [
    say('weights.column.shape', {}),
    say('weights.column.type', {}),
    say('weights.column.parameters', {}),
    say('weights.column.tensor', {}),
  ]
  const rows = tensors.map(({ name, dtype, shape }) => [
    shapeText(shape),
    dtype,
    count(elementCount(shape)),
    printable(name, 160),
  ])
  for (const line of alignTable([head, ...rows], new Set([2]))) print(`  ${line}`)
}

function printAbout(context: Context, about: JsonObject, isCheckpoint: boolean): void {
  const lines = [...flattened(about, '')]
  const missing = isCheckpoint ? missingLineage(about) : []
  if (lines.length > 0) {
    context.print('')
    context.print(context.paint('bold', context.say('weights.carries', {})))
    const rows = lines.slice(0, MOST_LINES).map(([key, value]) => [printable(key), valueText(value)])
    for (const line of alignTable(rows)) context.print(`  ${line}`)
    if (lines.length > MOST_LINES)
      context.print(`  ${context.say('weights.more-lines', { count: lines.length - MOST_LINES })}`)
  }
  if (missing.length === 0) return
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

export function printDifference(
  context: Context,
  paths: readonly [string, string],
  difference: WeightsDifference,
): void {
  const { say, print } = context
  const { total, tensors, onlyInFirst, onlyInSecond, otherShape } = difference
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

function printShare(context: Context, { total, touched, entirely, partly, notAtAll }: WeightsDifference): void {
  const { say, print } = context
  const { parameters, differing } = total
  print(
    context.paint(
      'bold',
      say('weights.diff.share', {
        share: percent(total.share),
        differing: count(differing),
        parameters: count(parameters),
      }),
    ),
  )
  const [mean, maximum] = [shortNumber(total.meanDifference), shortNumber(total.maximumDifference)]
  print(`  ${say('weights.diff.sizes', { mean, maximum, relative: shortNumber(100 * total.relativeDifference) })}`)
  if (notAtAll.length === 0 || differing < NEARLY_ALL * touched) return
  const share = percent(touched / parameters)
  const [changed, equal] = [entirely.length + partly.length, notAtAll.length]
  print(
    `  ${say('weights.diff.frozen', { touched: count(touched), parameters: count(parameters), share, differing: changed, equal })}`,
  )
}

/** An update can be too small to move a float32, so a trained tensor need not differ in every single parameter. */
const NEARLY_ALL = 0.99

function printTable(context: Context, tensors: readonly TensorDifference[]): void {
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
    `${percent(tensor.share)}%`,
    shortNumber(tensor.meanDifference),
    shortNumber(tensor.maximumDifference),
    `${shortNumber(100 * tensor.relativeDifference)}%`,
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
  return tensors.reduce((sum, { shape }) => sum + elementCount(shape), 0)
}

function shapeText(shape: readonly number[]): string {
  return `[${shape.join(', ')}]`
}

function someNames(context: Context, names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map(name => printable(name))
  return [...shown, ...(names.length > MOST_NAMES ? ['…'] : [])].join(context.say('weights.list', {}))
}
