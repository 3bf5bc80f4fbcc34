import type { Command } from 'commander'
import { goalsBlocks } from '../../core/present/goals.js'
import { sentences } from '../../text/sentences.js'
import { goals, setGoal } from '../ask/goal.js'
import { type Context, verb } from './context.js'
import { printable } from './print/style.js'

const say = sentences({
  'goal.metric': {
    en: 'the metric to judge runs by, raw or canonical; without it, print the metric of each run',
    zh: '用来判定 run 的指标（原名或统一名）；不写则显示各 run 的判定依据',
  },
  'goal.direction': { en: 'max or min: which is better', zh: 'max 或 min：越高越好还是越低越好' },
  'goal.option.clear': { en: 'judge each run by its own log again', zh: '恢复为按各自日志判定' },
  'goal.set': {
    en: 'judged by {metric} ({direction}) from now on: {runs} {runs|run logs|runs log} it; klens goal --clear undoes this',
    zh: '今后按 {metric}（{direction}）判定：{runs} 个 run 记录了它；klens goal --clear 可撤销',
  },
  'goal.cleared': { en: 'each run is judged by its own log again', zh: '各 run 按各自日志判定' },
})

interface Options {
  readonly json?: boolean
  readonly clear?: boolean
}

export function goalVerb(context: Context): Command {
  return verb('goal', context.say('goal.about', {}), context)
    .argument('[metric]', context.render(say('goal.metric', {})))
    .argument('[max|min]', context.render(say('goal.direction', {})))
    .option('--clear', context.render(say('goal.option.clear', {})))
    .action(async (metric: string | undefined, direction: string | undefined, { json, clear }: Options) => {
      if (metric === undefined && clear !== true) {
        const answer = await context.ask(goals, {})
        if (json) context.printJson(answer)
        else context.present(goalsBlocks(answer, context.speaker))
        return
      }
      const answer = await context.ask(setGoal, { metric: clear === true ? null : metric, goal: direction ?? null })
      if (json) return context.printJson(answer)
      const { set, runs } = answer
      const done =
        set === null
          ? say('goal.cleared', {})
          : say('goal.set', { metric: printable(set.metric), direction: set.goal ?? '–', runs })
      context.print(context.render(done))
    })
}
