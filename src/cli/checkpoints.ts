import type { Command } from 'commander'
import { rankRun } from '../analysis/checkpoints/checkpoint-evidence.js'
import { viewRun } from '../analysis/run-view.js'
import { jsonNumber } from '../model/json.js'
import { workspaceWords } from '../store/meaning.js'
import { openWorkspace } from '../store/workspace.js'
import { figure } from '../text/numbers.js'
import { type Context, UserError, verb } from './context.js'
import { findRun } from './find-runs.js'
import { goalFrom } from './goal.js'
import { alignTable, printable, shortNumber, shortStep } from './style.js'

interface Options {
  readonly json?: boolean
  readonly metric?: string
  readonly goal?: string
}

export function checkpointsVerb(context: Context): Command {
  return verb('checkpoints', context.say('checkpoints.about', {}), context)
    .argument('<run>', context.say('argument.run', {}))
    .option('-m, --metric <name>', context.say('checkpoints.option.metric', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .action((name: string, options: Options) => checkpoints(context, name, options))
}

const ROWS_SHOWN = 10

async function checkpoints(context: Context, name: string, options: Options): Promise<void> {
  const words = await workspaceWords(await openWorkspace())
  const run = viewRun(await findRun(context, name), words)
  const wanted = options.metric ?? 'val.score'
  const found = await rankRun(run, wanted, goalFrom(context, options.goal))
  if (found === null) {
    const known = printable([...run.manifest.metrics.keys()].slice(0, 8).join(', '), 300)
    throw new UserError(context.say('show.no-metric', { run: run.manifest.id, metric: printable(wanted), known }))
  }
  const { metric, goal, ranked, take, sets, beside, valuesAt } = found
  if (goal === null) throw new UserError(context.say('checkpoints.no-goal', { metric: printable(metric) }))
  if (ranked === null || take === null) {
    throw new UserError(context.say('checkpoints.empty', { run: run.manifest.id, metric: printable(metric) }))
  }
  if (options.json) {
    context.printJson({
      metric,
      goal,
      ranking: ranked.ranking.map(({ step, value }) => ({ step, value, others: valuesAt(step) })),
      best: { ...ranked.best, shrunken: jsonNumber(ranked.best.shrunken) },
      take: { ...take, why: context.render(take.why) },
      sets,
      indistinguishable: ranked.indistinguishable,
      reasons: ranked.reasons.map(context.render),
    })
    return
  }
  const { best, indistinguishable, reasons, ranking } = ranked
  const [value, step] = [shortNumber(best.value), shortStep(best.step)]
  const why = context.render(take.why)
  context.print(context.paint('bold', context.say('checkpoints.headline', { step: shortStep(take.step), why })))
  if (take.saved === null) context.print(`  ${context.say('checkpoints.saved-unknown', {})}`)
  if (take.loss !== null && take.loss > 0) {
    context.print(`  ${context.say('checkpoints.loss', { loss: figure(take.loss, 2) })}`)
  }
  if (best.shrunken === null || best.interval === null) {
    context.print(context.say('checkpoints.best-plain', { value, step }))
  } else {
    const [low, high] = best.interval.map(shortNumber)
    context.print(
      `  ${context.say('checkpoints.best', { value, step, shrunken: shortNumber(best.shrunken), low, high })}`,
    )
  }
  for (const reason of reasons) context.print(`  ${printable(context.render(reason), 240)}`)
  context.print('')
  const alike = new Set(indistinguishable)
  const rows = ranking.slice(0, ROWS_SHOWN).map(row => [
    shortStep(row.step),
    shortNumber(row.value),
    alike.has(row.step) ? '=' : '',
    ...beside.map(other => {
      const value = valuesAt(row.step)[other]
      return value === undefined ? '' : shortNumber(value)
    }),
  ])
  const header = [
    'step',
    printable(metric, 40),
    context.say('checkpoints.column.alike', {}),
    ...beside.map(other => printable(other, 24)),
  ]
  for (const line of alignTable([header, ...rows], new Set(header.map((_, i) => i)))) context.print(`  ${line}`)
  if (ranking.length > ROWS_SHOWN) context.print('  …')
}
