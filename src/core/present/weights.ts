import type { WeightsAnswer, WeightsConvertAnswer, WeightsDifferenceAnswer } from '../../app/ask/weights.js'
import { isJsonObject, type Json, type JsonObject } from '../../logs/model/json.js'
import { count } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import { type Block, note, paragraph, section, table, toned } from './blocks.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber } from './terminal-text.js'

/** Weights: what a file holds, how two differ, and what converting one came to. */

/** Beyond it a config pushes the tensors off the screen; --json has all of it. */
const MOST_LINES = 60
const MOST_NAMES = 8

export function weightsBlocks(answer: WeightsAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const { path, format, layout, files, base, tensors, notRun, bytes, parameters, contentHash: hash } = answer
  const state = tensors.filter(({ part }) => part === 'state')
  const size = { tensors: tensors.length - state.length, parameters: count(parameters), bytes: count(bytes) }
  const numbers = count(state.reduce((sum, tensor) => sum + tensor.parameters, 0))
  const lines = [
    `${say(`weights.format.${format}`, {})} · ${say(`weights.layout.${layout}`, {})}`,
    ...(files.length > 1
      ? [say('weights.files', { count: files.length, names: someNames(files.map(shortPath), speaker) })]
      : []),
    ...(layout === 'adapter' ? [base === null ? say('weights.no-base', {}) : say('weights.base', { base })] : []),
    say('weights.size', size),
    ...(state.length === 0 ? [] : [say('weights.state-size', { tensors: state.length, numbers })]),
    say('weights.hash', { hash }),
  ]
  const notRunText = say('weights.not-run', { names: someNames(notRun, speaker) })
  const columns = ['shape', 'type', 'parameters', 'tensor'] as const
  const rows = tensors.map(({ shape, of, dtype, parameters: own, name }) => [
    of === null ? shapeText(shape) : say('weights.part-of', { part: shapeText(shape), whole: shapeText(of) }),
    dtype,
    count(own),
    name,
  ])
  return [
    section(
      path,
      ...lines.map(line => paragraph(line)),
      ...(notRun.length === 0 ? [] : [paragraph(toned(notRunText, 'warning'))]),
    ),
    ...aboutBlocks(answer, speaker),
    section(
      say('weights.tensors', {}),
      table(
        columns.map(column => say(`weights.column.${column}`, {})),
        rows,
      ),
    ),
  ]
}

function shortPath(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function aboutBlocks({ about, layout, missing }: WeightsAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const lines = [...flattened(about, '')]
  const rows = lines.slice(0, MOST_LINES).map(([key, value]) => [key, valueText(value)])
  const more = lines.length - rows.length
  const lineage = speaker.listed(missing.map(kind => say(`weights.lineage.${kind}`, {})))
  return [
    ...(rows.length === 0
      ? []
      : [
          section(
            say('weights.carries', {}),
            table([], rows),
            ...(more > 0 ? [paragraph(say('weights.more-lines', { count: more }))] : []),
          ),
        ]),
    ...(missing.length === 0 || layout === 'tensor'
      ? []
      : [paragraph(say('weights.says-nothing', { missing: lineage }))]),
  ]
}

function* flattened(value: JsonObject, prefix: string): Generator<readonly [string, Json]> {
  for (const [key, member] of Object.entries(value)) {
    if (isJsonObject(member) && Object.keys(member).length > 0) yield* flattened(member, `${prefix}${key}.`)
    else yield [`${prefix}${key}`, member]
  }
}

function valueText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function weightsDifferenceBlocks(difference: WeightsDifferenceAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const { files, bases, onlyInFirst, onlyInSecond, otherShape } = difference
  const [first, second] = bases
  const others = [
    ...[onlyInFirst, onlyInSecond].flatMap((names, i) =>
      names.length === 0 ? [] : [say('weights.diff.only-first', { path: files[i], names: someNames(names, speaker) })],
    ),
    ...otherShape.map(({ name, shapes }) => {
      const [one, other] = shapes.map(shapeText)
      return say('weights.diff.other-shape', { name, first: one, second: other })
    }),
  ]
  return [
    ...(first !== null && second !== null && first !== second
      ? [note('warning', say('weights.diff.other-base', { first, second }))]
      : []),
    section(
      shareText(difference, speaker),
      ...[...sizeLines(difference, speaker), ...others].map(line => paragraph(line)),
    ),
    ...(difference.total.differing > 0 ? [differenceTable(difference, speaker)] : []),
  ]
}

function shareText(
  { total, tensors, onlyInFirst, onlyInSecond, otherShape }: WeightsDifferenceAnswer,
  { say }: Speaker,
) {
  const parameters = count(total.parameters)
  if (tensors.length === 0) return say(words('weights.diff.nothing-shared', {}))
  if (total.differing > 0) {
    const share = percent(Number(total.share))
    return say(words('weights.diff.share', { share, differing: count(total.differing), parameters }))
  }
  return onlyInFirst.length + onlyInSecond.length + otherShape.length === 0
    ? say(words('weights.diff.identical', { parameters, tensors: tensors.length }))
    : say(words('weights.diff.shared-equal', { parameters }))
}

/** An update can be too small to move a float32, so a trained tensor need not differ in every single parameter. */
const NEARLY_ALL = 0.99

function sizeLines({ total, touched, entirely, partly, notAtAll }: WeightsDifferenceAnswer, speaker: Speaker) {
  if (total.differing === 0) return []
  const say = saying(speaker, words)
  const { parameters, meanDifference, maximumDifference, relativeDifference } = total
  const sizes = {
    mean: shortNumber(Number(meanDifference)),
    maximum: shortNumber(Number(maximumDifference)),
    relative: shortNumber(100 * Number(relativeDifference)),
  }
  const share = percent(touched / parameters)
  const counts = { differing: entirely.length + partly.length, equal: notAtAll.length }
  const frozen = { touched: count(touched), parameters: count(parameters), share, ...counts }
  const isFrozen = notAtAll.length > 0 && total.differing >= NEARLY_ALL * touched
  return [say('weights.diff.sizes', sizes), ...(isFrozen ? [say('weights.diff.frozen', frozen)] : [])]
}

function differenceTable({ tensors }: WeightsDifferenceAnswer, { say }: Speaker): Block {
  const columns = ['differ', 'mean', 'maximum', 'relative', 'parameters', 'tensor'] as const
  const rows = tensors.map(tensor => [
    `${percent(Number(tensor.share))}%`,
    shortNumber(Number(tensor.meanDifference)),
    shortNumber(Number(tensor.maximumDifference)),
    `${shortNumber(100 * Number(tensor.relativeDifference))}%`,
    count(tensor.parameters),
    tensor.name,
  ])
  return table(
    columns.map(column => say(words(`weights.column.${column}`, {}))),
    rows,
  )
}

export function weightsConvertBlocks(answer: WeightsConvertAnswer, { say, listed }: Speaker): readonly Block[] {
  const { output: path, target, tensors, leftOut } = answer
  const layout = words(target === 'safetensors' ? 'weights.format.safetensors' : `weights.layout.${target}`, {})
  const names = listed([...leftOut.slice(0, 3), ...(leftOut.length > 3 ? ['…'] : [])])
  return [
    paragraph(say(words('weights.converted', { path, tensors, layout }))),
    ...(leftOut.length === 0
      ? []
      : [note('warning', say(words('weights.left-out', { count: leftOut.length, names })))]),
  ]
}

/** Two decimals, but never 0 or 100 unless it is so. */
function percent(share: number): string {
  const text = (100 * share).toFixed(2).replace(/\.00$/, '')
  if (share > 0 && text === '0') return '<0.01'
  return share < 1 && text === '100' ? '>99.99' : text
}

function shapeText(shape: readonly number[]): string {
  return `[${shape.join(', ')}]`
}

function someNames(names: readonly string[], { listed }: Speaker): string {
  return listed([...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? ['…'] : [])])
}
