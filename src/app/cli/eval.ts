import type { Command } from 'commander'
import { type EvalAnswer, type EvaluationAnswer, evaluate } from '../ask/eval.js'
import { type Context, collect, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { alignTable, printable, shortNumber } from './print/style.js'

interface Options {
  readonly json?: boolean
}

export function evalVerb(context: Context): Command {
  return verb('eval', context.say('eval.about', {}), context)
    .argument('<checkpoint...>', context.say('eval.checkpoints', {}))
    .option('--task <task>', context.say('eval.option.task', {}))
    .option('--config <file>', context.say('eval.option.config', {}))
    .option('--set <key=value>', context.say('eval.option.set', {}), collect)
    .option('--shots <list>', context.say('eval.option.shots', {}), '1,2,3,4')
    .option('--samples <n>', context.say('eval.option.samples', {}))
    .option('--split <split>', context.say('eval.option.split', {}))
    .option('--baselines', context.say('eval.option.baselines', {}))
    .option('--choices <file>', context.say('eval.option.choices', {}))
    .option('--load <whole|original>', context.say('eval.option.load', {}))
    .action((checkpoints: string[], options: Options) => evaluateAll(context, checkpoints, options))
}

async function evaluateAll(context: Context, checkpoints: readonly string[], options: Options): Promise<void> {
  const answer = await interruptible(signal =>
    context.ask(
      evaluate,
      { ...options, checkpoints },
      {
        signal,
        onProgress: evaluation => {
          if (options.json) context.printJson({ ...evaluation, volatile: {} })
        },
      },
    ),
  )
  if (options.json) context.printJson(answer)
  else printEvaluations(context, answer)
  if (answer.findings.some(({ severity }) => severity === 'error')) process.exitCode = 1
  const [reason] = answer.reasons
  if (reason === undefined || answer.evaluations.some(({ n }) => n > 0)) return
  const count = answer.evaluations.reduce((sum, { missing }) => sum + missing, 0)
  context.remark(
    context.say('cli.error', {
      message: context.say('eval.nothing-scored', { count, reason: printable(reason, 400) }),
    }),
  )
  // How far checkpoints choose alike is an answer without any score.
  if (answer.checkpoints.length === 1) process.exitCode = 2
}

type Agreement = EvalAnswer['agreements'][number]

/** Scores as a table, what could not be scored, and how far the checkpoints choose alike. */
export function printEvaluations(
  context: Context,
  { evaluations, agreements, reasons, checkpoints, baselines, findings }: EvalAnswer,
): void {
  const [{ task, split, asked }] = evaluations
  context.print(`  ${context.say('eval.scope', { task, split, n: asked })}`)
  const shots = [...new Set(evaluations.map(evaluation => evaluation.shots))]
  const names = new Map(evaluations.map(({ checkpoint, name }) => [checkpoint, printable(name, 50)]))
  const rivals = [...new Set(baselines.map(({ name }) => name))]
  const rows = [
    ...checkpoints.map(checkpoint => [
      names.get(checkpoint) ?? '',
      ...shots.map(count => cellOf(evaluations.find(one => one.checkpoint === checkpoint && one.shots === count))),
    ]),
    ...rivals.map(rival => [
      context.say(`eval.baseline.${rival}`, {}),
      ...shots.map(count => {
        const known = baselines.find(({ name, shots: own }) => name === rival && (own === count || own === 0))
        return known === undefined ? '' : scoreText(known.score, known.n, known.missing)
      }),
    ]),
  ]
  const header = ['', ...shots.map(count => context.say('sweep.shots', { shots: count }))]
  for (const line of alignTable([header, ...rows], new Set(shots.map((_, i) => i + 1)))) context.print(`  ${line}`)
  for (const reason of reasons) context.print(`  ${context.say('eval.missing', { reason: printable(reason, 300) })}`)
  for (const [i, first] of checkpoints.entries()) {
    for (const second of checkpoints.slice(i + 1)) {
      const pair = agreements.filter(agreement => agreement.first === first && agreement.second === second)
      if (pair.length > 0) {
        printPair(context, { first: names.get(first) ?? '', second: names.get(second) ?? '' }, pair)
      }
    }
  }
  for (const { severity, message } of findings) {
    const mark = context.paint(severity === 'error' ? 'red' : 'yellow', context.say(`severity.${severity}`, {}))
    context.print(`  ${mark}  ${printable(message, 600)}`)
  }
}

/** With the number of scores behind it in brackets, where some are missing. */
function cellOf(evaluation: EvaluationAnswer | undefined): string {
  if (evaluation === undefined) return ''
  return scoreText(evaluation.metrics['eval.score'], evaluation.n, evaluation.missing)
}

function scoreText(score: EvaluationAnswer['metrics']['eval.score'], n: number, missing: number): string {
  const text = n === 0 ? '–' : shortNumber(Number(score))
  return missing === 0 ? text : `${text} (${n})`
}

function printPair(
  context: Context,
  names: { readonly first: string; readonly second: string },
  agreements: readonly Agreement[],
): void {
  if (agreements.every(({ share }) => share === 1)) {
    const n = Math.max(...agreements.map(agreement => agreement.n))
    const shots = agreements.map(agreement => agreement.shots).join(', ')
    const [{ sameWeights }] = agreements
    context.print(`  ${context.say('eval.identical', { ...names, n, shots })}`)
    if (sameWeights) context.print(`    ${context.say('eval.same-weights', {})}`)
    return
  }
  for (const { shots, n, share, overlap } of agreements) {
    const percents = { percent: percentBelow(share), overlap: percentBelow(overlap) }
    context.print(`  ${context.say('eval.agreement', { ...names, shots, n, ...percents })}`)
  }
}

/** Rounded down, so that 100 is said of nothing less. */
function percentBelow(share: number): string {
  return shortNumber(Math.floor(share * 1000) / 10)
}
