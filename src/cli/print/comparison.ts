import type { CompareAnswer } from '../../ask/compare.js'
import type { VerdictAnswer } from '../../ask/verdict.js'
import type { Axis } from '../../model/axis.js'
import { lengthOn, placeOn } from '../../model/axis.js'
import { clauses } from '../../text/language.js'
import { render } from '../../text/sentences.js'
import { metricLabel } from '../../text/vocabulary.js'
import type { Context } from '../context.js'
import { printSettings } from './compared-settings.js'
import { printDifferences, printPhases, printSummary, printTable } from './comparison-tables.js'
import { printExplanations } from './explanations.js'
import { alignTable, pad, printable, shortStep } from './style.js'
import { ANSWER_COLOURS, differenceText, marginText, restText, shareText } from './verdict-text.js'

type OtherSide = CompareAnswer['others'][number]

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

function printAnswer(context: Context, { verdicts, margin }: CompareAnswer, other: OtherSide): void {
  const verdict = verdicts[other.headline]
  const level = verdict.level ?? 0
  const names = { other: printable(verdict.other), baseline: printable(verdict.baseline) }
  const says = verdict.interval === null ? 'says.no-interval' : (`says.${verdict.answer}` as const)
  const answer = context.paint(['bold', ANSWER_COLOURS[verdict.answer]], context.say(`answer.${verdict.answer}`, {}))
  context.print(`  ${answer}  ${context.say(says, names)}`)
  if (verdict.estimate !== null) {
    const share =
      level === 0 || !Number.isFinite(level)
        ? ''
        : `  ${shareText(context, Number(verdict.estimate) / Math.abs(level))}`
    context.print(`      ${names.other} − ${names.baseline}   ${differenceText(context, verdict, share)}`)
  }
  const inMargin = marginText(context, verdict, level, margin)
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
      context.paint(ANSWER_COLOURS[verdict.answer], context.say(`answer.${verdict.answer}`, {})),
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
