import { type Sweep, type SweepRequest, settingLabelOf } from '../analysis/sweep/sweep.js'
import {
  type CellScore,
  type Column,
  cellScore,
  runScore,
  runSummary,
  type Setting,
} from '../analysis/sweep/sweep-cells.js'
import { distinctValues } from '../analysis/sweep/sweep-verdicts.js'
import type { Verdict } from '../model/verdict.js'
import { figure, signedFigure } from '../text/numbers.js'
import type { Context } from './context.js'
import { alignTable, printable, shortNumber } from './style.js'
import { valuesText } from './sweep-problems.js'

/** The matrix of a sweep: empty cells show a mark, and so do cells that are too equal to others. */

const MISSING = '·'
const IDENTICAL = '='

export function printMatrix(context: Context, sweep: Sweep, request: SweepRequest): void {
  const { settings, columns, identical } = sweep
  const isIdentical = (setting: Setting): boolean =>
    identical.some(({ places }) => places.some(({ run }) => setting.runs.includes(run)))
  const cellText = (setting: Setting, cell: CellScore | null): string => {
    if (cell === null) return MISSING
    const spread = cell.spread === null ? '' : ` ±${figure(cell.spread, 2)}`
    return `${shortNumber(cell.mean)}${spread}${isIdentical(setting) ? IDENTICAL : ''}`
  }
  const crossing = request.keys.length === 2 && columns.length === 1
  const rows = crossing
    ? crossed(request.keys.map(key => printable(key, 40)).join(' × '), settings, setting =>
        setting === undefined ? MISSING : cellText(setting, summaryOf(setting, columns)),
      )
    : listed(context, sweep, request, cellText)
  const right = new Set(rows[0].map((_, i) => i).filter(i => i > 0 && i < rows[0].length - (crossing ? 0 : 1)))
  for (const line of alignTable(rows, right)) context.print(`  ${line}`)
  const legend = [
    ...(rows.flat().includes(MISSING) ? [context.say('sweep.legend.missing', {})] : []),
    ...(settings.some(isIdentical) ? [context.say('sweep.legend.identical', {})] : []),
  ]
  if (legend.length > 0) context.print(context.paint('dim', `  ${legend.join('    ')}`))
  if (crossing) printContrasts(context, sweep)
}

function summaryOf(setting: Setting, columns: readonly Column[]): CellScore | null {
  return cellScore(setting, run => runSummary(run, columns))
}

/** Knob by knob. */
function crossed(
  corner: string,
  settings: readonly Setting[],
  textOf: (setting: Setting | undefined) => string,
): string[][] {
  const [rows, across] = [0, 1].map(knob => distinctValues(settings.map(({ values }) => values[knob])))
  const find = (row: unknown, column: unknown): Setting | undefined =>
    settings.find(({ values }) => values[0] === row && values[1] === column)
  return [
    [corner, ...across.map(value => valuesText([value]))],
    ...rows.map(row => [valuesText([row]), ...across.map(column => textOf(find(row, column)))]),
  ]
}

/** Settings down, conditions across, and each against the baseline. */
function listed(
  context: Context,
  { settings, columns, baseline, verdicts }: Sweep,
  { keys }: SweepRequest,
  cellText: (setting: Setting, cell: CellScore | null) => string,
): string[][] {
  const several = columns.length > 1
  const header = [
    keys.map(key => printable(key, 40)).join(', '),
    ...columns.map(column => conditionText(context, column)),
    ...(several ? [context.say('sweep.column.mean', {})] : []),
    context.say('sweep.column.runs', {}),
    context.say('sweep.column.against', { baseline: valuesText(baseline.values) }),
  ]
  return [
    header,
    ...settings.map(setting => {
      const verdict = verdicts.find(
        ({ question, other }) => question !== 'trend' && other === settingLabelOf(setting, keys),
      )
      return [
        valuesText(setting.values),
        ...columns.map(column =>
          cellText(
            setting,
            cellScore(setting, run => runScore(run, column)),
          ),
        ),
        ...(several ? [cellText(setting, summaryOf(setting, columns))] : []),
        String(setting.runs.length),
        setting === baseline ? context.say('sweep.baseline', {}) : againstText(context, verdict),
      ]
    }),
  ]
}

function againstText(context: Context, verdict: Verdict | undefined): string {
  if (verdict === undefined) return ''
  const { answer, estimate, interval, scope } = verdict
  // One or two runs say something about themselves: a word here would be read as one about the knob.
  const said =
    scope === 'runs' && estimate !== null ? context.say('scope.runs', {}) : context.say(`answer.${answer}`, {})
  if (estimate === null) return said
  return interval === null
    ? `${said}  ${signedFigure(estimate)}`
    : `${said}  ${signedFigure(estimate)} (${interval.map(shortNumber).join(' … ')})`
}

function printContrasts(context: Context, { verdicts }: Sweep): void {
  context.print('')
  const rows = verdicts
    .filter(({ question }) => question !== 'trend')
    .map(verdict => [printable(verdict.other, 60), againstText(context, verdict)])
  for (const line of alignTable(rows)) context.print(`  ${line}`)
}

function conditionText(context: Context, { metric, condition: { dataset, shots } }: Column): string {
  if (shots === undefined) return printable(dataset ?? metric, 30)
  const counted = context.say('sweep.shots', { shots })
  return dataset === undefined ? counted : `${printable(dataset, 20)} ${counted}`
}
