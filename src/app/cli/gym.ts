import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { type GymCheckAnswer, gymCheck, gymReplay, openPlay, type ReplayAnswer } from '../ask/gym.js'
import { type GymEvalAnswer, gymEval } from '../ask/gym-eval.js'
import { gymServe } from '../server/gym-serve.js'
import { type Context, collect, verb, verbGroup } from './context.js'
import { interruptible } from './interrupt.js'
import { alignTable, printable, shortNumber } from './print/style.js'

interface Options {
  readonly json?: boolean
}

interface TaskOptions extends Options {
  readonly simulator?: string
}

export function gymVerb(context: Context): Command {
  const verbs = [evalVerb, playVerb, checkVerb, serveVerb, replayVerb].map(make => make(context))
  return verbGroup('gym', context.say('gym.about', {}), context, verbs)
}

function evalVerb(context: Context): Command {
  return withTasks(verb('eval', context.say('gym.eval.about', {}), context), context)
    .argument('<policy...>', context.say('gym.argument.policies', {}))
    .option('--gym <gym>', context.say('gym.option.gym', {}))
    .option('--quirk <name=value>', context.say('gym.option.quirk', {}), collect)
    .option('--max-turns <n>', context.say('gym.option.max-turns', {}))
    .option('--repeats <n>', context.say('gym.option.repeats', {}))
    .option('--temperature <t>', context.say('gym.option.temperature', {}))
    .option('--limit <n>', context.say('gym.option.limit', {}))
    .action(async (policies: string[], options: Options) => {
      const answer = await interruptible(signal => context.ask(gymEval, { ...options, policies }, { signal }))
      if (options.json) context.printJson(answer)
      else printGymEval(context, answer)
      if (answer.policies.every(({ n }) => n === 0)) process.exitCode = 2
    })
}

function checkVerb(context: Context): Command {
  return withTasks(verb('check', context.say('gym.check.about', {}), context), context)
    .option('--questions <n>', context.say('gym.check.questions', {}))
    .action(async (options: TaskOptions) => {
      const answer = await context.ask(gymCheck, options)
      if (options.json) context.printJson(answer)
      else printCheck(context, answer)
    })
}

function playVerb(context: Context): Command {
  return verb('play', context.say('gym.play.about', {}), context)
    .argument('[task]', context.say('gym.play.task', {}))
    .action(async (id: string | undefined) => {
      const { category, request, ceiling, ask } = openPlay(context.language, id)
      context.print(context.say('gym.play.opening', { category, request, ceiling }))
      for await (const line of createInterface({ input: process.stdin })) {
        const { feedback, reward, total, isOver } = ask(line.trim())
        context.print(context.say('gym.play.step', { feedback, reward, total }))
        if (isOver) break
      }
    })
}

function serveVerb(context: Context): Command {
  return withTasks(verb('serve', context.say('gym.serve.about', {}), context), context)
    .option('--port <port>', context.say('gym.serve.port', {}))
    .action((options: TaskOptions) =>
      interruptible(async signal => {
        await context.ask(gymServe, options, {
          signal,
          onProgress: ({ url, token }) => {
            if (options.json) context.printJson({ url, token })
            else context.print(context.say('gym.serve.listening', { url, token }))
          },
        })
      }),
    )
}

function withTasks(command: Command, context: Context): Command {
  return command
    .option('--simulator <simulator>', context.say('gym.option.simulator', {}))
    .option('--data <file>', context.say('gym.option.data', {}), collect)
    .option('--split <split>', context.say('gym.option.split', {}))
    .option('--language <language>', context.say('gym.option.language', {}))
}

function replayVerb(context: Context): Command {
  return verb('replay', context.say('gym.replay.about', {}), context)
    .argument('<file>', context.say('gym.argument.recording', {}))
    .action(async (file: string, { json }: Options) => {
      const answer = await context.ask(gymReplay, { file })
      if (json) context.printJson(answer)
      else printReplay(context, answer)
      if (answer.differences.length > 0) process.exitCode = 1
    })
}

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
