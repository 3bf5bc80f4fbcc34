import type { CompareAnswer } from '../../ask/compare.js'
import { placeOn } from '../../model/axis.js'
import { chance, figure, signed, signedFigure } from '../../text/numbers.js'
import { render } from '../../text/sentences.js'
import type { Context } from '../context.js'
import { alignTable, printable, shortNumber, shortStep } from './style.js'

/** The figures behind a comparison: the course in phases, step by step, each side's summary, and every other metric. */

type OtherSide = CompareAnswer['others'][number]
type Figure = CompareAnswer['summary'][number]['values'][number]['mean']

/** Early, middle, late: what the course looks like, without a verdict on any of it. */
export function printPhases(context: Context, { by }: CompareAnswer, { phases }: OtherSide): void {
  if (phases.length === 0) return
  const place = (step: number): string =>
    by === 'steps' ? shortStep(step) : render(placeOn(by, step), context.language)
  const parts = phases.map(({ from, to, baseline, other }) => {
    const size = signedFigure(other - baseline, 3)
    return context.say(by === 'steps' ? 'compare.phase' : 'compare.phase-along', {
      from: place(from),
      to: place(to),
      size,
    })
  })
  context.print(`  ${context.say('compare.phases', {})}   ${parts.join('   ')}`)
  context.print('')
}

/** The whole table would drown the answer; --all and --json have it. */
const ROWS_SHOWN = 12

/** The end of what both sides have, which the headline is about. */
export function printTable(context: Context, { sides, table, by }: CompareAnswer, all: boolean): void {
  const end = table.rows.findLastIndex(({ diff }) => diff !== null) + 1 || table.rows.length
  const shown = all ? table.rows : table.rows.slice(Math.max(0, end - ROWS_SHOWN), end)
  const decimals = decimalsIn(shown.flatMap(({ values }) => values))
  const place = (step: number): string => (by === 'steps' ? shortStep(step) : figure(step, 4))
  const rows = shown.map(({ step, values, diff }) => [
    place(step),
    ...values.map(value => (value === null ? '' : Number(value).toFixed(decimals).replace('-', '−'))),
    diff === null ? '' : signed(Number(diff), decimals),
  ])
  const unit = context.say(`compare.column.${by}`, {})
  const header = [
    table.windows === null ? unit : context.say('compare.column.until', { unit }),
    ...sides.map(({ label }) => printable(label, 20)),
    context.say('compare.column.difference', {}),
  ]
  const [head, ...lines] = alignTable([header, ...rows], new Set(header.keys()))
  context.print(`  ${head}`)
  if (!all && end > shown.length) context.print('  …')
  for (const line of lines) context.print(`  ${line}`)
  if (!all && end < table.rows.length) context.print('  …')
  context.print('')
}

/** A column of numbers reads best with as many decimals throughout as its values have in four digits. */
function decimalsIn(values: readonly (Figure | null)[]): number {
  const texts = values.map(value => (value === null ? '' : (shortNumber(Number(value)).split('.')[1] ?? '')))
  return Math.min(6, Math.max(0, ...texts.map(text => text.replace(/e.*/, '').length)))
}

export function printSummary(context: Context, { sides, summary }: CompareAnswer): void {
  const columns = (['first', 'last', 'mean', 'min', 'max', 'change'] as const).map(name =>
    context.say(`compare.column.${name}`, {}),
  )
  for (const [i, { label }] of sides.entries()) {
    context.print(`  ${context.say('compare.summary-head', { side: printable(label) })}`)
    const rows = summary.map(({ metric, values }) => {
      const { first, last, mean, min, max, change, minStep, maxStep } = values[i]
      const at = (value: Figure, step: Figure | null): string =>
        step === null ? shortNumber(Number(value)) : `${shortNumber(Number(value))}@${shortStep(Number(step))}`
      const sign = Number(change) > 0 ? '+' : ''
      const plain = [first, last, mean].map(value => shortNumber(Number(value)))
      const turned = `${sign}${shortNumber(Number(change))}`
      return [printable(metric, 50), ...plain, at(min, minStep), at(max, maxStep), turned]
    })
    for (const line of alignTable([['', ...columns], ...rows], new Set([1, 2, 3, 4, 5, 6])))
      context.print(`    ${line}`)
    context.print('')
  }
}

/** Every metric, the surest difference first. */
export function printDifferences(context: Context, { differences, others }: CompareAnswer): void {
  if (differences === null || differences.length === 0) return
  context.print(`  ${context.say('compare.differences-head', {})}`)
  const rows = [...differences]
    .sort((a, b) => a.q - b.q)
    .map(({ metric, other, estimate, p, q }) => [
      printable(metric, 50),
      ...(others.length > 1 ? [printable(other, 20)] : []),
      signedFigure(estimate),
      `p ${chance(p)}`,
      `q ${chance(q)}`,
    ])
  for (const line of alignTable(rows)) context.print(`    ${line}`)
  context.print('')
}
