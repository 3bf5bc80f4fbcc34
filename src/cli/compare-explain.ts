import type { RunComparison } from '../analysis/compare/answer.js'
import type { RunSide } from '../analysis/compare/evidence.js'
import type { Method, Verdict } from '../model/verdict.js'
import type { Context } from './context.js'
import { alignTable, printable, shortNumber } from './style.js'

/** `--explain`: for each verdict the numbers that went in, the formula, and how often the method was wrong when measured. */
export function printExplanations(context: Context, sides: readonly RunSide[], comparison: RunComparison): void {
  for (const verdict of comparison.others.flatMap(({ verdicts }) => verdicts)) {
    if (verdict.method !== null) printExplanation(context, verdict, verdict.method)
  }
  context.print(`  ${context.say('explain.sources', {})}`)
  const rows = sides.flatMap(({ runs }, i) =>
    runs.map(({ manifest }) => [
      `    ${printable(sides[i].label, 40)}`,
      manifest.id,
      printable(comparison.metrics[i], 60),
      manifest.files.map(({ path }) => printable(path, 120)).join(', '),
    ]),
  )
  for (const line of alignTable(rows)) context.print(line)
  context.print('')
}

function printExplanation(context: Context, verdict: Verdict, { id, numbers }: Method): void {
  const title = `${context.say(`question.${verdict.question}`, {})}, ${printable(verdict.other)} − ${printable(verdict.baseline)}`
  context.print(`  ${context.paint('bold', title)}`)
  context.print(`    ${context.say(`method.${id}`, {})}`)
  context.print(`    ${context.say(`method.${id}.rate`, {})}`)
  const rows = Object.entries(numbers).map(([name, value]) => [
    `      ${context.render({ key: `number.${name}`, params: {} })}`,
    shortNumber(value),
  ])
  if (verdict.p !== null) rows.push(['      p', shortNumber(verdict.p)])
  for (const line of alignTable(rows)) context.print(line)
  context.print('')
}
