import type { Command } from 'commander'
import type { VerdictAnswer } from '../../logs/model/verdict.js'
import { clauses } from '../../text/language.js'
import { decimalsFor, figure, signed } from '../../text/numbers.js'
import {
  type SamplesAnswer,
  type SamplesCourseAnswer,
  type SampleText,
  samples,
  samplesCourse,
} from '../ask/samples.js'
import { type Context, collect, verb } from './context.js'
import { sideBySide, wrap } from './print/side-by-side.js'
import { alignTable, printable, shortNumber, shortStep } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly flips?: boolean
  readonly failures?: boolean
}

export function samplesVerb(context: Context): Command {
  return verb('samples', context.say('samples.about', {}), context)
    .argument('<side...>', context.say('samples.sides', {}))
    .option('--flips', context.say('samples.option.flips', {}))
    .option('--failures', context.say('samples.option.failures', {}))
    .option('-m, --metric <name>', context.say('samples.option.metric', {}))
    .option('--condition <key=value>', context.say('samples.option.condition', {}), collect)
    .option('--limit <n>', context.say('samples.option.limit', {}))
    .action(async (sides: string[], options: Options) => {
      if (await printedCourse(context, sides, options)) return
      const { json, flips = json } = options
      const answer = await context.ask(samples, { ...options, flips, sides })
      if (json) context.printJson(answer)
      else printSamples(context, answer, options)
    })
}

/** One run without a step, which has several: what was rewarded at some of them. */
async function printedCourse(context: Context, sides: readonly string[], options: Options): Promise<boolean> {
  const [run] = sides
  if (sides.length !== 1 || /@\d+(?:\.\d+)?$/.test(run) || options.flips || options.failures) return false
  const course = await context.ask(samplesCourse, { ...options, run })
  if (course === null) return false
  if (options.json) context.printJson(course)
  else printCourse(context, course)
  return true
}

/** What was rewarded step by step: a table, then one of the best answers at each step. */

/** Of one answer; the whole text is in --json. */
const MOST_LINES = 6

export function printCourse(context: Context, course: SamplesCourseAnswer): void {
  const { say, print } = context
  const { label, metric, steps, shown, alternatives } = course
  print('')
  const covered = say('samples.course.steps', { n: steps.length, shown: shown.length })
  print(`  ${context.paint('bold', printable(metric))}  ${printable(label)}    ${covered}`)
  if (alternatives.length > 0) {
    const others = printable(alternatives.slice(0, 8).join(', '), 200)
    print(context.paint('dim', `  ${say('samples.also', { metrics: others })}`))
  }
  print('')
  const head = (['step', 'answers', 'mean', 'best', 'top', 'distinct', 'top-length', 'length'] as const).map(name =>
    say(`samples.course.${name}`, {}),
  )
  const characters = (value: number | null): string => (value === null ? '–' : shortNumber(value))
  const rows = shown.map(({ step, answers, mean, best, top, distinct, topLength, length }) => [
    shortStep(step),
    String(answers),
    shortNumber(Number(mean)),
    shortNumber(Number(best)),
    String(top),
    distinct === null ? '–' : String(distinct),
    characters(topLength),
    characters(length),
  ])
  for (const line of alignTable([head, ...rows], new Set(head.keys()))) print(`  ${line}`)
  print('')
  const texts = shown.filter(({ example }) => example?.output != null)
  const title =
    texts.length === 0 ? say('samples.no-texts', { side: printable(label) }) : say('samples.course.examples', {})
  print(`  ${context.paint('bold', title)}`)
  for (const { step, best, example } of texts) {
    const place = `${printable(label)}@${shortStep(step)}`
    print('')
    print(`  ${context.paint('bold', place)}  ${shortNumber(Number(best))}`)
    if (example?.input != null) print(context.paint('dim', `      ${endOf(example.input)}`))
    for (const line of excerpt(example?.output ?? '')) print(`      ${line}`)
  }
  print('')
  print(context.paint('dim', `  ${say('samples.course.hint', {})}`))
}

function excerpt(text: string): readonly string[] {
  const { lines, rest } = wrap(text.trim(), widthOf() - 8, MOST_LINES)
  return rest === 0 ? lines : [...lines, '…']
}

/** The question stands at the end of a prompt; before it are instructions, the same everywhere. */
function endOf(prompt: string): string {
  const text = prompt.slice(-4_000).replace(/\s+/g, ' ').trim()
  const most = widthOf() - 8
  return printable(text.length > most ? `…${text.slice(-most + 1)}` : text, most + 6)
}

/** `klens samples` for people: the counts, the test, why answers fail; on request the answers themselves. */

export interface Shown {
  readonly flips?: boolean
  readonly failures?: boolean
}

export function printSamples(context: Context, answer: SamplesAnswer, shown: Shown): void {
  printHead(context, answer)
  if (answer.paired !== null) printPaired(context, answer, answer.paired)
  printFailureCounts(context, answer)
  printParts(context, answer)
  printAgreement(context, answer)
  for (const warning of answer.warnings) context.print(`  ${printable(warning, 400)}`)
  if (answer.warnings.length > 0) context.print('')
  if (answer.flips.length > 0) printFlips(context, answer, shown)
  if (shown.failures) printFailures(context, answer)
  if (shown.flips || shown.failures || !answer.sides.some(({ hasTexts }) => hasTexts)) return
  const hint = answer.sides.length === 2 ? 'samples.show-flips' : 'samples.show-failures'
  context.print(context.paint('dim', `  ${context.say(hint, {})}`))
}

function printHead(context: Context, { sides, n, paired, alternatives }: SamplesAnswer): void {
  const count =
    paired === null
      ? context.say('samples.head-one', { n, mean: shortNumber(Number(sides[0].mean)) })
      : context.say('samples.head', { n })
  const several = sides.some(({ answers, prompts }) => answers > prompts)
  const answers = several
    ? `    ${sides.map(({ answers }) => context.say('samples.answers', { n: answers })).join(' / ')}`
    : ''
  context.print('')
  const metrics = [...new Set(sides.map(({ metric }) => printable(metric)))].join(' / ')
  context.print(`  ${context.paint('bold', metrics)}  ${labels(sides).join(' → ')}    ${count}${answers}`)
  if (alternatives.length > 0) {
    const others = printable(alternatives.slice(0, 8).join(', '), 200)
    context.print(context.paint('dim', `  ${context.say('samples.also', { metrics: others })}`))
  }
  context.print('')
}

function labels(sides: SamplesAnswer['sides']): string[] {
  return sides.map(({ label, step }) => printable(label.endsWith(`@${step}`) ? label : `${label}@${step}`))
}

function printPaired(
  context: Context,
  { test, sides }: SamplesAnswer,
  paired: NonNullable<SamplesAnswer['paired']>,
): void {
  const rows =
    paired.kind === 'binary'
      ? [
          [context.say('samples.to-right', {}), paired.toRight],
          [context.say('samples.to-wrong', {}), paired.toWrong],
          [context.say('samples.both-right', {}), paired.bothRight],
          [context.say('samples.both-wrong', {}), paired.bothWrong],
        ]
      : [
          [context.say('samples.up', {}), paired.up],
          [context.say('samples.down', {}), paired.down],
          [context.say('samples.equal', {}), paired.equal],
        ]
  for (const line of alignTable(
    rows.map(row => row.map(String)),
    new Set([1]),
  )) {
    context.print(`      ${line}`)
  }
  if (paired.kind === 'graded') {
    const [low, quarter, median, threeQuarters, high] = paired.quantiles.map(shortNumber)
    context.print(`      ${context.say('samples.quantiles', { low, quarter, median, threeQuarters, high })}`)
  }
  context.print('')
  if (test !== null) printTest(context, test, labels(sides))
}

function printTest(context: Context, test: VerdictAnswer, [baseline, other]: readonly string[]): void {
  const says = test.interval === null ? 'says.no-interval' : (`says.${test.answer}` as const)
  const answer = context.paint('bold', context.say(`answer.${test.answer}`, {}))
  context.print(`  ${answer}  ${context.say(says, { other, baseline })}`)
  if (test.estimate !== null) context.print(`      ${other} − ${baseline}   ${differenceText(context, test)}`)
  for (const reason of test.reasons) context.print(`      ${printable(reason, 300)}`)
  context.print('')
}

function differenceText(context: Context, { estimate, interval }: VerdictAnswer): string {
  const size = Number(estimate ?? Number.NaN)
  if (interval === null) return shortNumber(size)
  const ends = [Number(interval[0]), Number(interval[1])] as const
  const decimals = decimalsFor(ends)
  const [low, high] = ends.map(end => signed(end, decimals))
  return `${signed(size, decimals)}    ${context.say('compare.interval', { low, high })}`
}

function printFailureCounts(context: Context, { failures, sides }: SamplesAnswer): void {
  context.print(`  ${context.paint('bold', context.say('samples.failures', {}))}`)
  if (failures.length === 0) context.print(`      ${context.say('samples.no-failures', {})}`)
  else {
    const head = ['', ...labels(sides).map(label => printable(label, 24)), '']
    const rows = failures.map(({ class: failure, counts, how }) => [
      context.say(`samples.class.${failure}`, {}),
      ...counts.map(String),
      context.paint(
        'dim',
        printable(
          clauses(
            how.map(({ reason }) => reason),
            context.language,
          ),
          160,
        ),
      ),
    ])
    const numbers = new Set(sides.map((_, i) => i + 1))
    for (const line of alignTable([head, ...rows], numbers)) context.print(`      ${line}`)
  }
  context.print('')
}

/** Which parts of the reward moved with the flips, and how often. */
function printParts(context: Context, { flips }: SamplesAnswer): void {
  const names = new Set(flips.flatMap(({ parts }) => Object.keys(parts)))
  if (names.size === 0) return
  const [lost, gained] = [flips.filter(flip => !flip.gained), flips.filter(flip => flip.gained)]
  const moved = (among: typeof flips, name: string, direction: 1 | -1): number =>
    among.filter(({ parts }) => Object.hasOwn(parts, name) && direction * (parts[name][1] - parts[name][0]) > 0).length
  context.print(`  ${context.paint('bold', context.say('samples.parts', {}))}`)
  for (const name of [...names].slice(0, 8)) {
    const counts = { down: moved(lost, name, -1), lost: lost.length, up: moved(gained, name, 1), gained: gained.length }
    context.print(`      ${context.say('samples.part-row', { part: printable(name, 40), ...counts })}`)
  }
  context.print('')
}

function printAgreement(context: Context, { agreement }: SamplesAnswer): void {
  if (agreement === null) return
  const { basis, n, identical, asSets } = agreement
  const percent = figure((100 * identical) / n)
  const sets = asSets === null ? '' : context.say('samples.agreement.sets', { asSets })
  context.print(`  ${context.say(`samples.agreement.${basis}`, { identical, n, percent })}${sets}`)
  if (identical === n && n > 1) context.print(`  ${context.paint('yellow', context.say('samples.agreement.all', {}))}`)
  context.print('')
}

/** A terminal's width; files and pipes get what most screens have. */
export function widthOf(): number {
  return Math.min(200, Math.max(50, process.stdout.columns ?? 120)) - 4
}

function printFlips(context: Context, { flips, sides, texts, limit }: SamplesAnswer, shown: Shown): void {
  context.print(`  ${context.paint('bold', context.say('samples.flips', {}))}`)
  for (const { id, scores, parts, class: failure } of flips.slice(0, limit)) {
    const change = scores.map(shortNumber).join(' → ')
    const because = failure === null || failure === 'unknown' ? '' : `  ${context.say(`samples.class.${failure}`, {})}`
    const moved = Object.entries(parts)
      .map(([name, values]) => `${name} ${values.map(shortNumber).join(' → ')}`)
      .join(', ')
    context.print(
      `    ${printable(id, 60)}  ${change}${because}  ${context.paint('dim', printable(moved, 120))}`.trimEnd(),
    )
    if (!shown.flips) continue
    const rows = texts.map(side => textOf(side, id))
    if (rows.every(row => row === null)) continue
    printPrompt(context, rows.find(row => row !== null) ?? null)
    const answers = rows.map(row => row?.output ?? row?.choice ?? null)
    for (const line of sideBySide(context, labels(sides), answers, widthOf() - 4)) context.print(`      ${line}`)
    context.print('')
  }
  if (flips.length > limit) {
    context.print(context.paint('dim', `    ${context.say('samples.more', { count: flips.length - limit })}`))
  }
  context.print('')
}

/** The end of a prompt: the question stands behind the instructions. */
const PROMPT_SHOWN = 300
const PROMPT_LINES = 4

function textOf(side: SamplesAnswer['texts'][number], id: string): SampleText | null {
  return Object.hasOwn(side, id) ? side[id] : null
}

function printPrompt(context: Context, row: SampleText | null): void {
  if (row === null) return
  const said = (label: string, text: string): void => {
    const { lines } = wrap(text.trim(), widthOf() - 8, PROMPT_LINES)
    for (const [i, line] of lines.entries()) context.print(i === 0 ? `      ${label}  ${line}` : `        ${line}`)
  }
  if (row.input !== null) {
    const tail = row.input.length > PROMPT_SHOWN ? `…${row.input.slice(-PROMPT_SHOWN)}` : row.input
    said(context.paint('dim', context.say('samples.input', {})), tail.replaceAll(/\s*\n\s*/g, ' ⏎ '))
  }
  if (row.expected !== null) said(context.paint('dim', context.say('samples.expected', {})), row.expected)
}

function printFailures(context: Context, { failures, sides, texts, limit }: SamplesAnswer): void {
  for (const { class: failure, examples } of failures) {
    for (const [at, ids] of examples.entries()) {
      if (ids.length === 0) continue
      const head = `${context.say(`samples.class.${failure}`, {})}  ${labels(sides)[at]}`
      context.print(`  ${context.paint('bold', head)}`)
      for (const id of ids.slice(0, limit)) {
        const row = textOf(texts[at], id)
        context.print(`    ${printable(id, 60)}`)
        printPrompt(context, row)
        const answer = row?.output ?? null
        for (const line of sideBySide(context, [''], [answer], widthOf() - 4).slice(1)) context.print(`      ${line}`)
      }
      context.print('')
    }
  }
}
