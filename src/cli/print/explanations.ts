import type { CompareAnswer } from '../../ask/compare.js'
import type { VerdictAnswer } from '../../ask/verdict.js'
import { labelFor } from '../../text/say.js'
import type { Context } from '../context.js'
import { alignTable, printable, shortNumber } from './style.js'

/** `--explain`: for each verdict the numbers that went in, the formula, and how often the method was wrong when measured. */
export function printExplanations(context: Context, { sides, verdicts }: CompareAnswer): void {
  for (const verdict of verdicts) if (verdict.method !== null) printExplanation(context, verdict, verdict.method)
  context.print(`  ${context.say('explain.sources', {})}`)
  const rows = sides.flatMap(({ label, runs, metric, files }) =>
    runs.map((run, i) => [
      `    ${printable(label, 40)}`,
      run,
      printable(metric, 60),
      files[i].map(path => printable(path, 120)).join(', '),
    ]),
  )
  for (const line of alignTable(rows)) context.print(line)
  context.print('')
}

function printExplanation(
  context: Context,
  verdict: VerdictAnswer,
  { id, numbers }: NonNullable<VerdictAnswer['method']>,
): void {
  const title = `${context.say(`question.${verdict.question}`, {})}, ${printable(verdict.other)} − ${printable(verdict.baseline)}`
  context.print(`  ${context.paint('bold', title)}`)
  context.print(`    ${context.say(`method.${id}`, {})}`)
  context.print(`    ${context.say(`method.${id}.rate`, {})}`)
  const rows = Object.entries(numbers).map(([name, value]) => [
    `      ${labelFor(`number.${name}`, context.language) ?? name}`,
    shortNumber(value),
  ])
  if (verdict.p !== null) rows.push(['      p', shortNumber(verdict.p)])
  for (const line of alignTable(rows)) context.print(line)
  context.print('')
}
