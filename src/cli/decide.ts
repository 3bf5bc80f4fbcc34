import type { Command } from 'commander'
import { type DecideAnswer, decide } from '../ask/decide.js'
import { figure } from '../text/numbers.js'
import { sentences } from '../text/sentences.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { alignTable, printable, shortStep } from './print/style.js'

const say = sentences({
  'decide.runs': {
    en: 'runs to choose from; all of the workspace without any',
    zh: '供选择的 run；不写则为工作区中的全部',
  },
  'decide.option.for': { en: 'what counts: score, worst-seed, cost', zh: '目标：score、worst-seed、cost' },
  'decide.ship': { en: 'ship {name} at step {step}  ({setting})', zh: '选用 {name} 的 step {step}（{setting}）' },
  'decide.no-cost': {
    en: 'nothing tells what a run costs, so no setting can be called the cheapest',
    zh: '无从得知一个 run 的成本，因此无法指出哪个配置最便宜',
  },
  'decide.unsaved': { en: 'nothing tells whether this step was saved', zh: '无从得知该 step 是否已保存' },
  'decide.not-saved': { en: 'this step was not saved', zh: '该 step 没有保存' },
  'decide.loss': {
    en: 'choosing this today gives away {loss} on average, as against knowing the truth',
    zh: '与知道真相相比，今天这样选平均损失 {loss}',
  },
  'decide.agree': {
    en: 'for the score, the worst seed and the cost it is the same setting',
    zh: '就得分、最差种子和成本而言，都是同一个配置',
  },
  'decide.aim': { en: 'for {aim}: {setting}', zh: '若看重 {aim}：{setting}' },
  'decide.next': { en: 'What to buy next', zh: '接下来买什么' },
  'decide.gain': { en: 'gains {gain}', zh: '平均收益 {gain}' },
  'decide.hours': { en: '{hours} h', zh: '{hours} 小时' },
  'decide.hours-unknown': { en: 'cost unknown', zh: '成本未知' },
  'decide.no-training': { en: 'no training', zh: '无需训练' },
  'decide.nothing-to-buy': {
    en: 'nothing: neither another seed nor more prompts or steps would improve this choice',
    zh: '无：再加种子、样本或步数都不会改善这一选择',
  },
})

export function decideVerb(context: Context): Command {
  return verb('decide', context.say('decide.about', {}), context)
    .argument('[run...]', context.render(say('decide.runs', {})))
    .option('--for <aim>', context.render(say('decide.option.for', {})), 'score')
    .option('--metric <metric>', context.say('compare.option.metric', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .action(async (runs: string[], options: { readonly json?: boolean; readonly for: string }) => {
      const answer = await interruptible(signal => context.ask(decide, { ...options, runs }, { signal }))
      if (options.json) context.printJson(answer)
      else printDecision(context, answer)
    })
}

function printDecision(
  context: Context,
  { ship, aims, expectedLoss, next, settings, assumption, metric }: DecideAnswer,
): void {
  const { paint } = context
  if (ship !== null) {
    const { step, saved } = ship
    const setting = printable(ship.setting, 80)
    const line = say('decide.ship', { name: printable(ship.name, 60), step: shortStep(step), setting })
    context.print(paint('bold', context.render(line)))
    context.print(`  ${printable(ship.why, 300)}`)
    if (saved !== true) {
      context.print(`  ${context.render(say(saved === null ? 'decide.unsaved' : 'decide.not-saved', {}))}`)
    }
    if (expectedLoss !== null)
      context.print(`  ${context.render(say('decide.loss', { loss: figure(expectedLoss, 2) }))}`)
    printAims(context, aims)
  } else context.print(context.render(say('decide.no-cost', {})))
  context.print('')
  const rows = [...settings].map(({ setting, runs, mean }) => [
    printable(setting, 60),
    String(runs.length),
    figure(mean, 4),
  ])
  for (const row of alignTable([[printable(metric, 60), 'n', ''], ...rows])) context.print(`  ${row}`)
  if (ship === null) return
  context.print('')
  context.print(paint('bold', context.render(say('decide.next', {}))))
  if (next.length === 0) context.print(`  ${context.render(say('decide.nothing-to-buy', {}))}`)
  for (const { what, cost, gain, why } of next.slice(0, MOST_SHOWN)) {
    const price =
      cost === null
        ? say('decide.hours-unknown', {})
        : cost === 0
          ? say('decide.no-training', {})
          : say('decide.hours', { hours: figure(cost, 2) })
    const worth = context.render(say('decide.gain', { gain: figure(gain, 2) }))
    context.print(`  ${printable(what, 100)}   ${worth}   ${context.render(price)}`)
    context.print(paint('dim', `      ${printable(why, 300)}`))
  }
  context.print(paint('dim', `  ${printable(assumption, 200)}`))
}

const MOST_SHOWN = 5

function printAims(context: Context, aims: DecideAnswer['aims']): void {
  const told = Object.entries(aims).filter(([, setting]) => setting !== null)
  if (new Set(told.map(([, setting]) => setting)).size === 1 && told.length > 1) {
    context.print(`  ${context.render(say('decide.agree', {}))}`)
    return
  }
  for (const [aim, setting] of told) {
    context.print(`  ${context.render(say('decide.aim', { aim, setting: printable(setting ?? '', 80) }))}`)
  }
}
