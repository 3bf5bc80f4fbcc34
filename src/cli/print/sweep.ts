import type { SweepAnswer } from '../../ask/sweep.js'
import type { VerdictAnswer } from '../../ask/verdict.js'
import { clauses } from '../../text/language.js'
import { signedFigure } from '../../text/numbers.js'
import type { Context } from '../context.js'
import { printMatrix } from './matrix.js'
import { printable, shortNumber, shortStep } from './style.js'

/** A sweep for people: the answer, the matrix, what is wrong with it, what would settle it. */
export function printSweep(context: Context, answer: SweepAnswer): void {
  const { cells, metric, over, problems, settling } = answer
  context.print(
    context.say('sweep.head', {
      metric: printable(metric),
      runs: cells.reduce((sum, { runs }) => sum + runs.length, 0),
      settings: cells.length,
      keys: over.map(key => printable(key)).join(' × '),
    }),
  )
  context.print(context.paint('dim', cellsText(context, answer)))
  context.print('')
  printAnswer(context, answer)
  context.print('')
  printMatrix(context, answer)
  printList(context, context.say('sweep.problems', {}), problems)
  printResolution(context, answer)
  printList(context, context.say('sweep.settle', {}), settling)
}

function printList(context: Context, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  context.print('')
  context.print(context.paint('bold', title))
  for (const line of lines) context.print(`  ${printable(line, 400)}`)
}

function cellsText(context: Context, { conditions, cells }: SweepAnswer): string {
  const complete = conditions.find(condition => condition.complete)
  if (complete === undefined) return context.say('sweep.cell.none', {})
  const { steps, shared } = complete
  const [from, to] = [shortStep(steps[0]), shortStep(steps[steps.length - 1])]
  const many = cells.some(({ runs }) => runs.length > 1) ? context.say('sweep.cell.replicates', {}) : ''
  if (steps.length === 1) return context.say('sweep.cell.one', { step: from }) + many
  return (
    (steps.length < shared
      ? context.say('sweep.cell.final', { n: steps.length, shared, from, to })
      : context.say('sweep.cell.level', { n: steps.length, from, to })) + many
  )
}

function printAnswer(context: Context, { matters, verdicts, sentence, take }: SweepAnswer): void {
  const word = matters === true ? 'sweep.matters' : matters === false ? 'sweep.matters-not' : 'sweep.undetermined'
  context.print(`${context.paint('bold', context.say(word, {}))}  ${printable(sentence, 400)}`)
  if (take !== null) context.print(`  ${printable(clauses(take.why, context.language), 400)}`)
  const shown = verdicts.filter(({ question }) => question === 'trend')
  for (const verdict of shown.length > 0 ? shown : verdicts.slice(0, 1)) {
    const estimate = estimateText(context, verdict)
    const names = `${printable(verdict.other)} − ${printable(verdict.baseline)}`
    context.print(`    ${context.say(`question.${verdict.question}`, {})}  ${names}   ${estimate}`.trimEnd())
    for (const reason of verdict.reasons) context.print(`    ${printable(reason, 300)}`)
  }
}

function estimateText(context: Context, { estimate, interval }: VerdictAnswer): string {
  if (estimate === null) return ''
  if (interval === null) return signedFigure(Number(estimate))
  const [low, high] = interval.map(end => shortNumber(Number(end)))
  return `${signedFigure(Number(estimate))}   ${context.say('compare.interval', { low, high })}`
}

function printResolution(context: Context, { resolution }: SweepAnswer): void {
  if (resolution === null) return
  const { n, halfWidth, unpaired, paired } = resolution
  const [low, high] = paired.map(points)
  context.print('')
  context.print(`  ${context.say('sweep.resolution', { n, half: points(halfWidth) })}`)
  context.print(`  ${context.say('sweep.resolution.differences', { n, unpaired: points(unpaired), low, high })}`)
}

function points(share: number): string {
  return (100 * share).toFixed(1)
}
