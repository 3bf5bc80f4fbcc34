import type { SamplesCourseAnswer } from '../../ask/samples.js'
import type { Context } from '../context.js'
import { widthOf } from './samples.js'
import { wrap } from './side-by-side.js'
import { alignTable, printable, shortNumber, shortStep } from './style.js'

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
