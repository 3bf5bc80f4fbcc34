import type { EvalAnswer, EvaluationAnswer } from '../../ask/eval.js'
import type { Context } from '../context.js'
import { alignTable, printable, shortNumber } from './style.js'

type Agreement = EvalAnswer['agreements'][number]

/** Scores as a table, what could not be scored, and how far the checkpoints choose alike. */
export function printEvaluations(
  context: Context,
  { evaluations, agreements, reasons, checkpoints }: EvalAnswer,
): void {
  const [{ task, split, asked }] = evaluations
  context.print(`  ${context.say('eval.scope', { task, split, n: asked })}`)
  const shots = [...new Set(evaluations.map(evaluation => evaluation.shots))]
  const names = new Map(evaluations.map(({ checkpoint, name }) => [checkpoint, printable(name, 50)]))
  const rows = checkpoints.map(checkpoint => [
    names.get(checkpoint) ?? '',
    ...shots.map(count => cellOf(evaluations.find(one => one.checkpoint === checkpoint && one.shots === count))),
  ])
  const header = ['', ...shots.map(count => context.say('sweep.shots', { shots: count }))]
  for (const line of alignTable([header, ...rows], new Set(shots.map((_, i) => i + 1)))) context.print(`  ${line}`)
  for (const reason of reasons) context.print(`  ${context.say('eval.missing', { reason: printable(reason, 300) })}`)
  for (const [i, first] of checkpoints.entries()) {
    for (const second of checkpoints.slice(i + 1)) {
      const pair = agreements.filter(agreement => agreement.first === first && agreement.second === second)
      if (pair.length > 0) {
        printPair(context, { first: names.get(first) ?? '', second: names.get(second) ?? '' }, pair)
      }
    }
  }
}

/** With the number of scores behind it in brackets, where some are missing. */
function cellOf(evaluation: EvaluationAnswer | undefined): string {
  if (evaluation === undefined) return ''
  const { n, missing, metrics } = evaluation
  const score = n === 0 ? '–' : shortNumber(Number(metrics['eval.score']))
  return missing === 0 ? score : `${score} (${n})`
}

function printPair(
  context: Context,
  names: { readonly first: string; readonly second: string },
  agreements: readonly Agreement[],
): void {
  if (agreements.every(({ share }) => share === 1)) {
    const n = Math.max(...agreements.map(agreement => agreement.n))
    const shots = agreements.map(agreement => agreement.shots).join(', ')
    const [{ sameWeights, first, second }] = agreements
    context.print(`  ${context.say('eval.identical', { ...names, n, shots })}`)
    context.print(
      sameWeights
        ? `    ${context.say('eval.same-weights', {})}`
        : `    ${context.say('eval.other-weights', { first: printable(first, 200), second: printable(second, 200) })}`,
    )
    return
  }
  for (const { shots, n, share, overlap } of agreements) {
    const percents = { percent: percentBelow(share), overlap: percentBelow(overlap) }
    context.print(`  ${context.say('eval.agreement', { ...names, shots, n, ...percents })}`)
  }
}

/** Rounded down, so that 100 is said of nothing less. */
function percentBelow(share: number): string {
  return shortNumber(Math.floor(share * 1000) / 10)
}
