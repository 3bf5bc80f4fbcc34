import type { SweepAnswer } from '../../ask/sweep.js'
import type { VerdictAnswer } from '../../ask/verdict.js'
import { signedFigure } from '../../text/numbers.js'
import type { Context } from '../context.js'
import { alignTable, printable, shortNumber } from './style.js'

/** The matrix of a sweep: empty cells show a mark, and so do cells that are too equal to others. */

type Cell = SweepAnswer['cells'][number]
type Score = { readonly mean: number; readonly spread: number | null }

const MISSING = '·'
const IDENTICAL = '='

export function printMatrix(context: Context, answer: SweepAnswer): void {
  const { cells, conditions, over } = answer
  const crossing = over.length === 2 && conditions.length === 1
  const rows = crossing ? crossed(answer) : listed(context, answer)
  const right = new Set(rows[0].map((_, i) => i).filter(i => i > 0 && i < rows[0].length - (crossing ? 0 : 1)))
  for (const line of alignTable(rows, right)) context.print(`  ${line}`)
  const legend = [
    ...(rows.flat().includes(MISSING) ? [context.say('sweep.legend.missing', {})] : []),
    ...(cells.some(({ identical }) => identical) ? [context.say('sweep.legend.identical', {})] : []),
  ]
  if (legend.length > 0) context.print(context.paint('dim', `  ${legend.join('    ')}`))
  if (crossing) printContrasts(context, answer)
}

function cellText({ identical }: Cell, score: Score | null): string {
  if (score === null) return MISSING
  const spread = score.spread === null ? '' : ` ±${shortNumber(Number(score.spread.toPrecision(2)))}`
  return `${shortNumber(score.mean)}${spread}${identical ? IDENTICAL : ''}`
}

function summaryText(cell: Cell): string {
  return cellText(cell, cell.mean === null ? null : { mean: cell.mean, spread: cell.spread })
}

function valuesText(values: Cell['values']): string {
  return Object.values(values)
    .map(value => printable(String(value), 30))
    .join(', ')
}

/** Knob by knob. */
function crossed({ cells, over, tried: [rows, across] }: SweepAnswer): string[][] {
  const find = (row: unknown, column: unknown): Cell | undefined =>
    cells.find(({ values }) => values[over[0]] === row && values[over[1]] === column)
  return [
    [over.map(key => printable(key, 40)).join(' × '), ...across.map(value => printable(String(value), 30))],
    ...rows.map(row => [
      printable(String(row), 30),
      ...across.map(column => {
        const cell = find(row, column)
        return cell === undefined ? MISSING : summaryText(cell)
      }),
    ]),
  ]
}

/** Settings down, conditions across, and each against the baseline. */
function listed(context: Context, { cells, conditions, baseline, verdicts, over }: SweepAnswer): string[][] {
  const several = conditions.length > 1
  const reference = JSON.stringify(baseline)
  const header = [
    over.map(key => printable(key, 40)).join(', '),
    ...conditions.map(condition => conditionText(context, condition)),
    ...(several ? [context.say('sweep.column.mean', {})] : []),
    context.say('sweep.column.runs', {}),
    context.say('sweep.column.against', { baseline: valuesText(baseline) }),
  ]
  return [
    header,
    ...cells.map(cell => {
      const verdict = verdicts.find(({ question, other }) => question !== 'trend' && other === cell.label)
      return [
        valuesText(cell.values),
        ...cell.scores.map(score => cellText(cell, score)),
        ...(several ? [summaryText(cell)] : []),
        String(cell.runs.length),
        JSON.stringify(cell.values) === reference ? context.say('sweep.baseline', {}) : againstText(context, verdict),
      ]
    }),
  ]
}

function againstText(context: Context, verdict: VerdictAnswer | undefined): string {
  if (verdict === undefined) return ''
  const { answer, estimate, interval, scope } = verdict
  const about = scope === 'runs' && answer !== 'undetermined' ? ` (${context.say('scope.runs', {})})` : ''
  const said = `${context.say(`answer.${answer}`, {})}${about}`
  if (estimate === null) return said
  const ends = interval?.map(end => shortNumber(Number(end))).join(' … ')
  return `${said}  ${signedFigure(Number(estimate))}${ends === undefined ? '' : ` (${ends})`}`
}

function printContrasts(context: Context, { verdicts }: SweepAnswer): void {
  context.print('')
  const rows = verdicts
    .filter(({ question }) => question !== 'trend')
    .map(verdict => [printable(verdict.other, 60), againstText(context, verdict)])
  for (const line of alignTable(rows)) context.print(`  ${line}`)
}

function conditionText(
  context: Context,
  { metric, condition: { dataset, shots } }: SweepAnswer['conditions'][number],
): string {
  if (shots === undefined) return printable(dataset ?? metric, 30)
  const counted = context.say('sweep.shots', { shots })
  return dataset === undefined ? counted : `${printable(dataset, 20)} ${counted}`
}
