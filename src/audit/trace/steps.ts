import type { FigureSlots } from './binding.js'
import type { PrintedFigure } from './figure.js'
import type { Address, Log, Part } from './log.js'
import { meantBy } from './metric-mentions.js'
import { partsMeant } from './part-mentions.js'
import { type FigureJudgement, type FigureReading, judge, readingAt } from './reading.js'
import { type FigureSentence, isPlainly, type StepFigure } from './sentence.js'

/** Steps beside figures: claimed of a best, or where a figure stands. */

type JudgedStep = FigureJudgement & { readonly figure: PrintedFigure }

/**
 * A step beside a figure: of a peak it is claimed, of any other figure it is where that one stands. A figure that is not
 * the value of that step but the last or the highest of its curve names another step.
 */
export function judgeStep(
  log: Log,
  sentence: FigureSentence,
  { figure, extreme }: StepFigure,
  slots: FigureSlots | undefined,
  judged: JudgedStep | undefined,
): readonly JudgedStep[] {
  if (slots === undefined) return []
  const isSure =
    slots.runs[0]?.isSure === true &&
    slots.metrics[0]?.isSure === true &&
    (judged === undefined ? isPlainly(sentence) : judged.state === 'traced' || judged.state === 'contradicted')
  const told = (readings: readonly FigureReading[]): readonly JudgedStep[] => [{ ...judge(figure, readings), figure }]
  const end = judged?.state === 'traced' ? judged.reading.address?.part.kind : undefined
  // A step of a peak is not that of another part.
  const isOfPart = extreme === null || end === 'max' || end === 'min'
  if (judged?.state === 'traced' && judged.reading.kind === 'value' && judged.reading.address !== null && isOfPart) {
    const { reading, value } = judged
    const address = { ...judged.reading.address, part: stepPart(judged.reading.address.part) }
    const ties = address.part.kind === 'maxStep' || address.part.kind === 'minStep' ? log.at(address) : []
    const values = [...(value.step === null ? [] : [{ ...value, value: value.step }]), ...ties]
    const own = values.map(one => ({ ...one, printed: one.value }))
    if (own.length > 0)
      return told([{ ...reading, address, values: own, kind: 'step', rank: 0, chance: 0, isNamed: isSure }])
  }
  if (extreme === null) return []
  return told(
    slots.runs.flatMap((runs, r) =>
      slots.metrics.flatMap((named, m) =>
        meantBy(named.value, log, runs.value).metrics.map(metric => {
          const kind = partsMeant([extreme], metric, false)[0]?.part.kind === 'min' ? 'minStep' : 'maxStep'
          const across = runs.value.length > 1 ? ('curve' as const) : null
          const address: Address = { runs: runs.value, metric: metric.name, part: { kind }, across }
          const isNamed = isSure && r + m === 0 && runs.value.length === 1
          return readingAt(log, figure, address, { rank: r + m, isNamed })
        }),
      ),
    ),
  )
}

function stepPart(part: Part): Part {
  return part.kind === 'min' ? { kind: 'minStep' } : part.kind === 'max' ? { kind: 'maxStep' } : part
}

/** A step at which a figure of the sentence stands as it was logged. */
export function addressed({ figure }: StepFigure, values: readonly JudgedStep[]): readonly JudgedStep[] {
  const step = figure.quantity.value
  const own = values.find(
    one => one.state === 'traced' && one.reading.kind === 'value' && standsAt(one.reading, one.value.step) === step,
  )
  if (own?.state !== 'traced' || own.reading.address === null) return []
  const value = { ...own.value, value: step, printed: step }
  const address = { ...own.reading.address, part: stepPart(own.reading.address.part) }
  return [{ state: 'traced', reading: { ...own.reading, address, kind: 'step' }, value, figure }]
}

const standsAt = ({ address }: FigureReading, step: number | null): number | null =>
  address?.part.kind === 'at' ? address.part.step : step
