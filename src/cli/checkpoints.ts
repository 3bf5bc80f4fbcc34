import type { Command } from 'commander'
import { type CheckpointsAnswer, checkpoints } from '../ask/checkpoints.js'
import { figure } from '../text/numbers.js'
import { type Context, verb } from './context.js'
import { alignTable, printable, shortNumber, shortStep } from './print/style.js'

interface Options {
  readonly json?: boolean
}

export function checkpointsVerb(context: Context): Command {
  return verb('checkpoints', context.say('checkpoints.about', {}), context)
    .argument('<run>', context.say('argument.run', {}))
    .option('-m, --metric <name>', context.say('checkpoints.option.metric', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .action(async (run: string, options: Options) => {
      const answer = await context.ask(checkpoints, { ...options, run })
      if (options.json) context.printJson(answer)
      else printRanking(context, answer)
    })
}

const ROWS_SHOWN = 10

function printRanking(
  context: Context,
  { metric, ranking, best, take, indistinguishable, reasons, beside }: CheckpointsAnswer,
) {
  const [value, step] = [shortNumber(best.value), shortStep(best.step)]
  context.print(
    context.paint(
      'bold',
      context.say('checkpoints.headline', { step: shortStep(take.step), why: printable(take.why, 240) }),
    ),
  )
  if (take.saved === null) context.print(`  ${context.say('checkpoints.saved-unknown', {})}`)
  if (take.loss !== null && take.loss > 0) {
    context.print(`  ${context.say('checkpoints.loss', { loss: figure(take.loss, 2) })}`)
  }
  if (best.shrunken === null || best.interval === null) {
    context.print(context.say('checkpoints.best-plain', { value, step }))
  } else {
    const [low, high] = best.interval.map(shortNumber)
    const shrunken = shortNumber(Number(best.shrunken))
    context.print(`  ${context.say('checkpoints.best', { value, step, shrunken, low, high })}`)
  }
  for (const reason of reasons) context.print(`  ${printable(reason, 240)}`)
  context.print('')
  const alike = new Set(indistinguishable)
  const rows = ranking
    .slice(0, ROWS_SHOWN)
    .map(row => [
      shortStep(row.step),
      shortNumber(row.value),
      alike.has(row.step) ? '=' : '',
      ...beside.map(other => (row.others[other] === undefined ? '' : shortNumber(Number(row.others[other])))),
    ])
  const header = [
    'step',
    printable(metric, 40),
    context.say('checkpoints.column.alike', {}),
    ...beside.map(other => printable(other, 24)),
  ]
  for (const line of alignTable([header, ...rows], new Set(header.keys()))) context.print(`  ${line}`)
  if (ranking.length > ROWS_SHOWN) context.print('  …')
}
