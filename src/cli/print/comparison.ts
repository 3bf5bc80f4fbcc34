import type { CompareAnswer } from '../../ask/compare.js'
import type { VerdictAnswer } from '../../ask/verdict.js'
import type { Axis } from '../../model/axis.js'
import { lengthOn, placeOn } from '../../text/axis.js'
import { clauses } from '../../text/language.js'
import { chance, decimalsFor, figure, signed, signedFigure } from '../../text/numbers.js'
import { render } from '../../text/sentences.js'
import { metricLabel, settingLabel } from '../../text/vocabulary.js'
import type { Context } from '../context.js'
import { printExplanations } from './explanations.js'
import { alignTable, pad, printable, shortNumber, shortStep } from './style.js'

type OtherSide = CompareAnswer['others'][number]
type Confound = CompareAnswer['confounds'][number]
type Figure = CompareAnswer['summary'][number]['values'][number]['mean']

/** `klens compare` for people: the answer first, then what limits it, what would settle it, and the table. */
export function printComparison(
  context: Context,
  answer: CompareAnswer,
  { all = false, explain = false }: { readonly all?: boolean; readonly explain?: boolean },
): void {
  for (const warning of answer.warnings) context.remark(printable(warning, 200))
  // Two checkpoints of one run: what is asked of whole runs would be a table of zeros.
  const isOneRun = new Set(answer.sides.map(({ runs }) => runs.join())).size === 1 && isAboutCheckpoints(answer)
  for (const [i, other] of answer.others.entries()) {
    printHead(context, answer, other)
    printAnswer(context, answer, other)
    if (isOneRun) continue
    printSettings(context, answer, i)
    printSettling(context, answer, other)
    printRest(context, answer, other, all)
    printPhases(context, answer, other)
  }
  if (!isOneRun) printTable(context, answer, all)
  if (all) printSummary(context, answer)
  if (all) printDifferences(context, answer)
  if (explain) printExplanations(context, answer)
  if (!all && !explain) context.print(context.paint('dim', `  ${context.say('compare.explain-hint', {})}`))
}

function isAboutCheckpoints({ others, verdicts }: CompareAnswer): boolean {
  return others.every(({ headline }) => verdicts[headline].question === 'checkpoint')
}

function printHead(context: Context, { goal, canonical, table, by }: CompareAnswer, { steps }: OtherSide): void {
  const better = goal === 'max' ? 'compare.higher-is-better' : 'compare.lower-is-better'
  const direction = context.say(goal === null ? 'compare.no-direction' : better, {})
  const label =
    canonical === null ? '' : `${metricLabel(canonical, context.language)}${context.say('compare.comma', {})}`
  const shared = steps === null ? context.say('compare.no-shared-steps', {}) : coveredText(context, by, steps)
  context.print('')
  context.print(`  ${context.paint('bold', printable(table.metric))}  ${label}${direction}    ${shared}`)
  context.print('')
}

/** What was compared, and over which stretch of the axis. */
function coveredText(context: Context, by: Axis, { n, from, to, windows }: NonNullable<OtherSide['steps']>): string {
  if (by === 'steps' && windows === null) {
    return context.say('compare.shared', { n, from: shortStep(from), to: shortStep(to) })
  }
  const ends = { n, from: render(placeOn(by, from), context.language), to: render(placeOn(by, to), context.language) }
  if (windows === null) return context.say('compare.along', ends)
  return context.say('compare.in-windows', { ...ends, width: render(lengthOn(by, windows), context.language) })
}

const COLOURS = {
  better: 'green',
  worse: 'red',
  same: 'cyan',
  'different-but-small': 'cyan',
  undetermined: 'yellow',
  higher: 'cyan',
  lower: 'cyan',
} as const

function printAnswer(context: Context, { verdicts, margin }: CompareAnswer, other: OtherSide): void {
  const verdict = verdicts[other.headline]
  const level = verdict.level ?? 0
  const names = { other: printable(verdict.other), baseline: printable(verdict.baseline) }
  const says = verdict.interval === null ? 'says.no-interval' : (`says.${verdict.answer}` as const)
  const answer = context.paint(['bold', COLOURS[verdict.answer]], context.say(`answer.${verdict.answer}`, {}))
  context.print(`  ${answer}  ${context.say(says, names)}`)
  if (verdict.estimate !== null) {
    const share =
      level === 0 || !Number.isFinite(level)
        ? ''
        : `  ${shareText(context, Number(verdict.estimate) / Math.abs(level))}`
    context.print(`      ${names.other} − ${names.baseline}   ${differenceText(context, verdict, share)}`)
  }
  const inMargin = marginTexts(context, verdict, level, margin)
  if (inMargin !== null) context.print(`      ${inMargin}`)
  for (const [i, reason] of verdict.reasons.entries()) {
    if (verdict.question === 'level' && verdict.reasonKeys[i] === SAID_ABOVE) continue
    context.print(`      ${asSentence(context, printable(reason, 300))}`)
  }
  if (verdict.tags.includes('fragile'))
    context.print(`      ${context.paint('yellow', context.say('tag.fragile', {}))}`)
  context.print('')
}

/** Over all shared steps the head line has said how many they are. */
const SAID_ABOVE = 'compare.paired'

function asSentence({ language }: Context, text: string): string {
  const stop = language === 'zh' ? '。' : '.'
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.。?？]$/.test(text) ? '' : stop}`
}

function shareText(context: Context, share: number): string {
  return context.say('compare.share', { percent: signed(100 * share, 1) })
}

function differenceText(context: Context, verdict: VerdictAnswer, share = ''): string {
  const [estimate, interval] = numbersOf(verdict)
  if (estimate === null) return interval === null ? '' : intervalText(context, interval)
  if (interval === null) return `${shortNumber(estimate)}${share}`
  return `${signed(estimate, decimalsFor(interval))}${share}    ${intervalText(context, interval)}`
}

function numbersOf({
  estimate,
  interval,
}: VerdictAnswer): readonly [estimate: number | null, interval: readonly [number, number] | null] {
  return [
    estimate === null ? null : Number(estimate),
    interval === null ? null : [Number(interval[0]), Number(interval[1])],
  ]
}

function intervalText(context: Context, interval: readonly [number, number]): string {
  const [low, high] = interval.map(end => signed(end, decimalsFor(interval)))
  return context.say('compare.interval', { low, high })
}

/** A margin in the unit in which it was set: percent stays percent. */
function marginTexts(
  context: Context,
  verdict: VerdictAnswer,
  level: number,
  margin: CompareAnswer['margin'],
): string | null {
  if (verdict.smallestMargin === null || verdict.interval === null) return null
  const inShare = margin === null || 'share' in margin
  const size = (value: number): string =>
    inShare && level !== 0
      ? context.say('compare.percent', { percent: figure((100 * value) / Math.abs(level), 2) })
      : shortNumber(value)
  const smallest = size(verdict.smallestMargin)
  if (verdict.margin === null) {
    return verdict.answer === 'undetermined' ? context.say('compare.smallest', { smallest }) : null
  }
  if (verdict.answer === 'undetermined')
    return context.say('compare.not-same', { margin: size(verdict.margin), smallest })
  return verdict.answer === 'same' ? context.say('compare.within', { margin: size(verdict.margin) }) : null
}

function printSettings(context: Context, { sides, others, attribution }: CompareAnswer, at: number): void {
  const [{ label: baseline }] = sides
  const { confounds } = others[at]
  const { knobs, smallestFix, separating } = attribution[at]
  const shown = confounds.filter(
    ({ key, knob }) => !isSwitch(key, confounds) && (knobs.length === 0 || key.split('.')[0] === knob),
  )
  const count = shown.length
  const title =
    confounds.length === 0
      ? context.say('compare.no-differences', {})
      : knobs.length === 0
        ? context.say('compare.only-other-keys', {})
        : context.say(knobs.length > 1 ? 'compare.cannot-credit' : 'compare.differences', { count })
  context.print(`  ${title}`)
  const rows = shown.map(({ key, values }) => [
    `      ${printable(settingLabel(key, context.language), 40)}`,
    values.map(value => printable(valueText(context, key, value), 30)).join(' → '),
  ])
  for (const line of alignTable(rows)) context.print(line)
  const label = (knob: string): string => settingOf(context, confounds, knob)
  for (const { knob, run } of separating) {
    context.print(
      `      ${context.say('compare.separating', { run: printable(run), baseline: printable(baseline), setting: label(knob) })}`,
    )
  }
  if (smallestFix !== null) {
    context.print(
      `      ${context.say('compare.smallest-fix', { baseline: printable(baseline), setting: label(smallestFix) })}`,
    )
  }
  context.print('')
}

/** `kl.loss.on` beside `kl.loss.coef` says nothing that "off" in its place does not. */
function isSwitch(key: string, confounds: readonly Confound[]): boolean {
  return key.endsWith('.on') && confounds.some(other => other.key === key.replace(/\.on$/, '.coef'))
}

function valueText(context: Context, key: string, value: Confound['values'][number]): string {
  if (key.endsWith('.coef') && (value === null || value === 0)) return context.say('compare.off', {})
  return value === null ? '–' : String(value)
}

function settingOf(context: Context, confounds: readonly Confound[], knob: string): string {
  const keys = confounds.filter(confound => confound.knob === knob && !isSwitch(confound.key, confounds))
  return settingLabel(keys[0]?.key ?? knob, context.language)
}

function printSettling(context: Context, { verdicts }: CompareAnswer, { headline, unused, choose }: OtherSide): void {
  const { answer, toSettle } = verdicts[headline]
  if (answer !== 'undetermined') return
  const { evals, prompts, seeds, note } = toSettle
  const rows = [
    ...unused.map(evidence => [context.say('compare.settle.free', {}), printable(evidence, 300)]),
    ...(evals === undefined
      ? []
      : [[context.say('compare.settle.evals', {}), context.say('compare.settle.more-evals', { evals })]]),
    ...(prompts === undefined
      ? []
      : [[context.say('compare.settle.prompts', {}), context.say('compare.settle.more-prompts', { prompts })]]),
    ...(seeds === undefined
      ? []
      : [[context.say('compare.settle.seeds', {}), context.say('compare.settle.more-seeds', { seeds })]]),
    ...(note === undefined ? [] : [[context.say('compare.settle.seeds', {}), note]]),
  ]
  if (rows.length > 0) {
    context.print(`  ${context.say('compare.head.settle', {})}`)
    for (const line of alignTable(rows)) context.print(`      ${line}`)
    context.print('')
  }
  if (choose !== null) {
    context.print(`  ${context.say('compare.head.choose', {})}   ${printable(choose.sentence, 400)}`)
    context.print('')
  }
}

/** The other questions: a line each; folded into one where the data cannot speak. */
function printRest(context: Context, answer: CompareAnswer, other: OtherSide, all: boolean): void {
  const headline = answer.verdicts[other.headline]
  const rest = [
    ...other.verdicts
      .filter(at => at !== other.headline)
      .map(at => answer.verdicts[at])
      // What the headline says of the other validation sets stands among its reasons.
      .filter(({ question, metric }) => question !== 'cost' && (all || metric === headline.metric)),
    ...other.costs.map(at => answer.costs[at]),
  ]
  const folded = all ? [] : rest.filter(({ question, answer }) => FOLDED.has(question) && answer === 'undetermined')
  const name = ({ question, metric }: VerdictAnswer): string =>
    question === 'cost'
      ? metricLabel(metric, context.language)
      : [context.say(`question.${question}`, {}), ...(metric === headline.metric ? [] : [printable(metric, 40)])].join(
          ' ',
        )
  const rows = rest
    .filter(verdict => !folded.includes(verdict))
    .map(verdict => [
      name(verdict),
      context.paint(COLOURS[verdict.answer], context.say(`answer.${verdict.answer}`, {})),
      verdict.question === 'cost' && verdict.estimate === null ? '' : restText(context, answer.by, verdict),
      context.paint('dim', printable(clauses(verdict.reasons, context.language), all ? 1000 : 110)),
    ])
  for (const line of alignTable(rows)) context.print(`  ${line}`)
  if (folded.length > 0) {
    context.print(
      `  ${pad(folded.map(name).join(context.say('compare.enumeration', {})), 14)}  ${context.say('compare.folded', {})}`,
    )
  }
  context.print('')
}

const FOLDED = new Set<string>(['speed', 'stability', 'final'])

function restText(context: Context, by: Axis, verdict: VerdictAnswer): string {
  const { question } = verdict
  const [estimate, interval] = numbersOf(verdict)
  if (question === 'speed' && by !== 'steps') {
    const ends = interval ?? (estimate === null ? [] : [estimate])
    return ends.length === 0
      ? ''
      : context.say(`compare.apart.${by}`, { size: ends.map(end => signedFigure(end, 3)).join(' … ') })
  }
  if (question === 'speed') {
    if (interval === null) return estimate === null ? '' : context.say('compare.steps', { steps: signed(estimate, 0) })
    return context.say('compare.steps-apart', { low: signed(interval[0], 0), high: signed(interval[1], 0) })
  }
  if (question === 'stability') return ''
  return differenceText(context, verdict)
}

/** The whole table would drown the answer; --all and --json have it. */
const ROWS_SHOWN = 12

/** The end of what both sides have, which the headline is about. */
function printTable(context: Context, { sides, table, by }: CompareAnswer, all: boolean): void {
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

function printSummary(context: Context, { sides, summary }: CompareAnswer): void {
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

/** Early, middle, late: what the course looks like, without a verdict on any of it. */
function printPhases(context: Context, { by }: CompareAnswer, { phases }: OtherSide): void {
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

/** Every metric, the surest difference first. */
function printDifferences(context: Context, { differences, others }: CompareAnswer): void {
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
