import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { gymCheckBlocks, gymEvalBlocks, gymJudgeBlocks, replayBlocks } from '../../core/present/evaluation.js'
import { gymPlay, gymReplay, type Play } from '../ask/gym.js'
import { gymCheck } from '../ask/gym-check.js'
import { gymEval } from '../ask/gym-eval.js'
import { gymJudge } from '../ask/gym-judge.js'
import { gymServe } from '../server/gym-serve.js'
import { type Context, collect, verb, verbGroup } from './context.js'
import { interruptible } from './interrupt.js'

interface Options {
  readonly json?: boolean
}

interface TaskOptions extends Options {
  readonly gym?: string
  readonly simulator?: string
}

export function gymVerb(context: Context): Command {
  const verbs = [evalVerb, playVerb, checkVerb, serveVerb, replayVerb].map(make => make(context))
  return verbGroup('gym', context.say('gym.about', {}), context, verbs)
}

function evalVerb(context: Context): Command {
  return withTasks(verb('eval', context.say('gym.eval.about', {}), context), context)
    .argument('<policy...>', context.say('gym.argument.policies', {}))
    .option('--quirk <name=value>', context.say('gym.option.quirk', {}), collect)
    .option('--max-turns <n>', context.say('gym.option.max-turns', {}))
    .option('--repeats <n>', context.say('gym.option.repeats', {}))
    .option('--temperature <t>', context.say('gym.option.temperature', {}))
    .option('--limit <n>', context.say('gym.option.limit', {}))
    .action(async (policies: string[], options: Options) => {
      const answer = await interruptible(signal => context.ask(gymEval, { ...options, policies }, { signal }))
      if (options.json) context.printJson(answer)
      else context.present(gymEvalBlocks(answer, context.speaker))
      if (answer.policies.every(({ n }) => n === 0)) process.exitCode = 2
    })
}

function checkVerb(context: Context): Command {
  return withTasks(verb('check', context.say('gym.check.about', {}), context), context)
    .option('--questions <n>', context.say('gym.check.questions', {}))
    .action(async (options: TaskOptions) => {
      if (options.gym !== undefined && options.gym !== 'intention') return checkJudge(context, options)
      const answer = await context.ask(gymCheck, options)
      if (options.json) context.printJson(answer)
      else context.present(gymCheckBlocks(answer, context.speaker))
      if (answer.verdict !== 'fit') process.exitCode = 1
    })
}

/** Where a step is judged rather than a question understood. */
async function checkJudge(context: Context, { json, ...options }: TaskOptions): Promise<void> {
  const answer = await context.ask(gymJudge, options)
  if (json) context.printJson(answer)
  else context.present(gymJudgeBlocks(answer, context.speaker))
  if (!answer.fit) process.exitCode = 1
}

function playVerb(context: Context): Command {
  return withTasks(verb('play', context.say('gym.play.about', {}), context), context)
    .argument('[task]', context.say('gym.play.task', {}))
    .action(async (task: string | undefined, options: Options) => {
      const onProgress = (play: Play): Promise<void> => converse(context, play)
      await context.ask(gymPlay, { language: context.language, task, ...options }, { onProgress })
    })
}

async function converse(context: Context, { request, ceiling, ask, leave }: Play): Promise<void> {
  context.print(context.say('gym.play.opening', { request, ceiling }))
  for await (const line of createInterface({ input: process.stdin })) {
    const { feedback, reward, total, isOver } = await ask(line.trim())
    context.print(context.say('gym.play.step', { feedback, reward: reward ?? 0, total }))
    if (isOver) break
  }
  leave()
}

function serveVerb(context: Context): Command {
  return withTasks(verb('serve', context.say('gym.serve.about', {}), context), context)
    .option('--port <port>', context.say('gym.serve.port', {}))
    .action((options: TaskOptions) =>
      interruptible(async signal => {
        const { KLENS_GYM_TOKEN: token } = process.env
        await context.ask(
          gymServe,
          { ...options, token },
          {
            signal,
            onProgress: ({ url, token }) => {
              if (options.json) context.printJson({ url, token })
              else context.print(context.say('gym.serve.listening', { url, token }))
            },
          },
        )
      }),
    )
}

function withTasks(command: Command, context: Context): Command {
  return command
    .option('--gym <gym>', context.say('gym.option.gym', {}))
    .option('--simulator <simulator>', context.say('gym.option.simulator', {}))
    .option('--prompts <prompts>', context.say('gym.option.prompts', {}))
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
      else context.present(replayBlocks(answer, context.speaker))
      if (answer.differences.length > 0) process.exitCode = 1
    })
}
