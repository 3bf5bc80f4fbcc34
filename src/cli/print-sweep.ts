import type { Sweep, SweepRequest } from '../analysis/sweep/sweep.js'
import type { Setting } from '../analysis/sweep/sweep-cells.js'
import type { Verdict } from '../model/verdict.js'
import { figure, fixed, signedFigure } from '../text/numbers.js'
import { settingLabel } from '../text/vocabulary.js'
import type { Context } from './context.js'
import { printMatrix } from './print-matrix.js'
import { printable, shortNumber, shortStep } from './style.js'
import { valuesText } from './sweep-problems.js'

/** A sweep for people: the answer, the matrix, what is wrong with it, what would settle it. */
export function printSweep(context: Context, sweep: Sweep, request: SweepRequest, problems: readonly string[]): void {
  const { settings, resolution } = sweep
  const runs = settings.reduce((sum, setting) => sum + setting.runs.length, 0)
  context.print(
    context.say('sweep.head', {
      metric: printable(request.metric),
      runs,
      settings: settings.length,
      keys: request.keys.map(key => printable(key)).join(' × '),
    }),
  )
  context.print(context.paint('dim', cellsText(context, sweep)))
  context.print('')
  printAnswer(context, sweep, request)
  context.print('')
  printMatrix(context, sweep, request)
  const listed = (title: string, lines: readonly string[]): void => {
    if (lines.length === 0) return
    context.print('')
    context.print(context.paint('bold', title))
    for (const line of lines) context.print(`  ${printable(line, 400)}`)
  }
  listed(context.say('sweep.problems', {}), problems)
  if (resolution !== null) context.print('')
  for (const line of resolutionTexts(context, sweep)) context.print(`  ${line}`)
  if (sweep.matters === null) listed(context.say('sweep.settle', {}), sweepSettling(context, sweep))
}

function cellsText(context: Context, { columns, settings }: Sweep): string {
  const complete = columns.filter(column => column.complete)
  const column = complete[0]
  if (column === undefined) return context.say('sweep.cell.none', {})
  const { window, shared } = column
  const [from, to] = [shortStep(window[0]), shortStep(window[window.length - 1])]
  const many = settings.some(({ runs }) => runs.length > 1) ? context.say('sweep.cell.replicates', {}) : ''
  if (window.length === 1) return context.say('sweep.cell.one', { step: from }) + many
  return (
    (window.length < shared.length
      ? context.say('sweep.cell.final', { n: window.length, shared: shared.length, from, to })
      : context.say('sweep.cell.level', { n: window.length, from, to })) + many
  )
}

function printAnswer(context: Context, sweep: Sweep, request: SweepRequest): void {
  const { matters, verdicts, take } = sweep
  const word = matters === true ? 'sweep.matters' : matters === false ? 'sweep.matters-not' : 'sweep.undetermined'
  context.print(`${context.paint('bold', context.say(word, {}))}  ${sweepAnswer(context, sweep, request)}`)
  if (take !== null) context.print(`  ${take.why.map(context.render).join('; ')}`)
  const shown = verdicts.filter(({ question }) => question === 'trend')
  for (const verdict of shown.length > 0 ? shown : verdicts.slice(0, 1)) {
    const estimate = estimateText(context, verdict)
    const names = `${printable(verdict.other)} − ${printable(verdict.baseline)}`
    context.print(`    ${context.say(`question.${verdict.question}`, {})}  ${names}   ${estimate}`.trimEnd())
    for (const reason of verdict.reasons) context.print(`    ${printable(context.render(reason), 300)}`)
  }
}

/** Whether the knob matters, in one sentence. */
export function sweepAnswer(
  context: Pick<Context, 'say' | 'language'>,
  { matters, verdicts, baseline, settings }: Sweep,
  request: SweepRequest,
): string {
  const key = request.keys.map(each => printable(settingLabel(each, context.language))).join(' × ')
  if (matters === false) {
    const margin = shortNumber(verdicts.find(verdict => verdict.margin !== null)?.margin ?? Number.NaN)
    return context.say('sweep.said.same', { key, baseline: valuesText(baseline.values), margin })
  }
  if (matters === null) {
    const suspects = verdicts.filter(({ tags }) => tags.includes('suspect'))
    const count = suspects.length > 0 ? suspectCount(suspects, settings) : 0
    return count > 0 ? context.say('sweep.said.suspect', { key, count }) : context.say('sweep.said.open', { key })
  }
  const main = verdicts.find(({ question, answer }) => question === 'trend' && answer !== 'undetermined')
  if (main !== undefined) {
    const ends = [main.baseline, main.other].map(label => printable(label.slice(label.lastIndexOf('=') + 1)))
    const direction = context.say((main.estimate ?? 0) > 0 ? 'sweep.said.rises' : 'sweep.said.falls', {})
    const answer = context.say(`answer.${main.answer}`, {})
    return context.say('sweep.said.trend', { key, low: ends[0], high: ends[1], direction, answer })
  }
  const differing = verdicts.filter(
    ({ scope, answer }) => scope === 'configs' && !['undetermined', 'same'].includes(answer),
  )
  const named = differing.map(({ other, answer }) => `${printable(other)} (${context.say(`answer.${answer}`, {})})`)
  return context.say('sweep.said.some', { baseline: valuesText(baseline.values), settings: named.join(', ') })
}

function suspectCount(suspects: readonly Verdict[], settings: readonly Setting[]): number {
  const counts = suspects.flatMap(({ reasons }) => reasons.map(({ params }) => Number(params.count)))
  return counts.find(Number.isFinite) ?? settings.length
}

function estimateText(context: Context, { estimate, interval }: Verdict): string {
  if (estimate === null) return ''
  if (interval === null) return signedFigure(estimate)
  const [low, high] = interval.map(shortNumber)
  return `${signedFigure(estimate)}   ${context.say('compare.interval', { low, high })}`
}

function resolutionTexts(context: Context, { resolution }: Sweep): string[] {
  if (resolution === null) return []
  const { n, halfWidth, unpaired, paired } = resolution
  return [
    context.say('sweep.resolution', { n, half: points(halfWidth) }),
    context.say('sweep.resolution.differences', {
      n,
      unpaired: points(unpaired),
      low: points(paired[0]),
      high: points(paired[1]),
    }),
  ]
}

/** What would settle an open sweep, the cheapest first. */
export function sweepSettling(
  context: Pick<Context, 'say'>,
  { resolution, missing, verdicts, settings }: Sweep,
): string[] {
  const confirm = resolution?.toConfirm ?? null
  const seeds = Math.max(0, ...verdicts.map(verdict => verdict.toSettle.seeds ?? 0))
  const few = settings.some(({ runs }) => runs.length < 3)
  const gap = Math.max(0, ...verdicts.map(({ estimate, margin }) => margin ?? Math.abs(estimate ?? 0)))
  return [
    ...(missing.some(({ kind }) => kind === 'evaluation') ? [context.say('sweep.settle.missing', {})] : []),
    ...(confirm === null || !few
      ? []
      : [
          context.say('sweep.settle.per-sample', {}),
          context.say('sweep.settle.prompts', {
            gap: figure(100 * confirm.gap),
            paired: rounded(confirm.paired),
            twice: rounded(confirm.pairedTwice),
            unpaired: rounded(confirm.unpaired),
          }),
        ]),
    ...(few ? [context.say('sweep.settle.replicates', { seeds: 3 })] : []),
    ...(!few && seeds > 0 && gap > 0 ? [context.say('sweep.settle.seeds', { seeds, difference: figure(gap, 2) })] : []),
  ]
}

function points(share: number): string {
  return fixed(100 * share, 1)
}

/** A sample size to two digits, three above a hundred thousand: more would feign precision. */
function rounded(count: number): number {
  return Number(count.toPrecision(count >= 100_000 ? 3 : 2))
}
