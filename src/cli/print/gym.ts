import type { GymCheckAnswer } from '../../ask/gym-check.js'
import type { GymEvalAnswer } from '../../ask/gym-eval.js'
import type { ReplayAnswer } from '../../ask/gym-replay.js'
import type { Context } from '../context.js'
import { alignTable, printable, shortNumber } from './style.js'

const MOST_DIFFERENCES = 20

export function printReplay(context: Context, { episodes, transitions, differences }: ReplayAnswer): void {
  const count = differences.length
  context.print(
    count === 0
      ? context.say('gym.replay.equal', { episodes, transitions })
      : context.say('gym.replay.different', { episodes, transitions, count }),
  )
  for (const { episode, step, member, recorded, replayed } of differences.slice(0, MOST_DIFFERENCES)) {
    const was = printable(JSON.stringify(recorded), 120)
    const is = printable(JSON.stringify(replayed), 120)
    context.print(
      `  ${context.say('gym.replay.difference', { episode, step: step + 1, member, recorded: was, replayed: is })}`,
    )
  }
}

export function printGymEval(context: Context, { data, policies, tasks, reasons }: GymEvalAnswer): void {
  const ceiling = policies.find(policy => policy.ceiling !== null)?.ceiling ?? null
  context.print(`  ${context.say('gym.eval.scope', { tasks: tasks.length, data, ceiling: figure(ceiling) })}`)
  const columns = ['score', 'interval', 'share', 'coverage', 'turns', 'failed'] as const
  const header = ['', ...columns.map(column => context.say(`gym.eval.column.${column}`, {}))]
  const rows = policies.map(({ label, score, interval, ceiling: most, coverage, turns, failed }) => [
    printable(label, 60),
    figure(score),
    interval === null ? '–' : interval.map(figure).join(' … '),
    percent(score === null || most === null ? null : score / most),
    percent(coverage),
    figure(turns),
    String(failed),
  ])
  for (const line of alignTable([header, ...rows], new Set(columns.map((_, i) => i + 1)))) context.print(`  ${line}`)
  const failed = policies.reduce((sum, policy) => sum + policy.failed, 0)
  if (failed > 0) {
    const dialogues = policies.flatMap(({ ends }) => Object.values(ends)).reduce((sum, count) => sum + count, 0)
    context.print(`  ${context.say('gym.eval.failed', { failed, dialogues })}`)
  }
  for (const reason of reasons) context.print(`  ${context.say('gym.eval.reason', { reason: printable(reason, 300) })}`)
  const [first, second] = policies
  if (second !== undefined)
    context.print(`  ${context.say('gym.eval.next', { first: first.run, second: second.run, data })}`)
}

export function printCheck(context: Context, answer: GymCheckAnswer): void {
  const rows = [
    [context.say('gym.check.recall', {}), percent(answer.recall)],
    [context.say('gym.check.false-alarms', {}), percent(answer.falseAlarms)],
    [context.say('gym.check.repeatable', {}), percent(answer.repeatable)],
    [context.say('gym.check.failures', {}), String(answer.failures)],
    [context.say('gym.check.latency', {}), figure(answer.latency)],
  ]
  for (const line of alignTable(rows, new Set([1]))) context.print(`  ${line}`)
}

function figure(value: number | null): string {
  return value === null ? '–' : shortNumber(value)
}

function percent(share: number | null): string {
  return share === null ? '–' : `${(share * 100).toFixed(1)} %`
}
