import type { z } from 'zod'
import type { Encoded } from '../../text/encode.js'
import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import type { decisionAmongRuns } from '../analysis/decide/candidates.js'
import { type Block, list, paragraph, section, strong, table } from './blocks.js'
import { goalBlocks } from './goal.js'
import { type Speaker, saying } from './speaker.js'
import { shortStep } from './terminal-text.js'

/** What to ship, what that gives away, what there is to choose from, and what the next hours should buy. */

export type DecideAnswer = Encoded<z.infer<typeof decisionAmongRuns>>

const said = sentences({
  'decision.ship': { en: 'Ship {name} at step {step}.', zh: '选用 {name} 的 step {step}。' },
  'decision.no-cost': {
    en: 'Nothing tells what a run costs, so no setting can be called the cheapest.',
    zh: '无从得知一个 run 的成本，因此无法指出哪个配置最便宜。',
  },
  'decision.why': {
    en: 'Its setting is {setting}; judged by {metric}: {why}.',
    zh: '其配置为 {setting}；依据 {metric}：{why}。',
  },
  'decision.unsaved': { en: 'Nothing tells whether this step was saved.', zh: '无从得知该 step 是否已保存。' },
  'decision.not-saved': { en: 'This step was not saved.', zh: '该 step 没有保存。' },
  'decision.loss': {
    en: 'Shipping it today gives away {loss} on average, as against knowing the truth; {assumption}.',
    zh: '与知道真相相比，今天这样选平均损失 {loss}；{assumption}。',
  },
  'decision.alone': { en: 'There is no other setting; {assumption}.', zh: '没有其他配置可比；{assumption}。' },
  'decision.settings': { en: 'What there is to choose from', zh: '可供选择的配置' },
  'decision.setting': { en: 'setting', zh: '配置' },
  'decision.runs': { en: 'runs', zh: 'run 数' },
  'decision.mean': { en: 'mean at the end of training', zh: '训练末段均值' },
  'decision.for': { en: 'chosen for', zh: '适合的目标' },
  'decision.for.score': { en: 'score', zh: '得分' },
  'decision.for.worst-seed': { en: 'worst seed', zh: '最差种子' },
  'decision.for.cost': { en: 'cost', zh: '成本' },
  'decision.next': { en: 'What to buy next', zh: '接下来买什么' },
  'decision.purchase': { en: '{what} (gains {gain}, {price}): {why}', zh: '{what}（平均收益 {gain}，{price}）：{why}' },
  'decision.hours': { en: '{hours} h', zh: '{hours} 小时' },
  'decision.hours-unknown': { en: 'cost unknown', zh: '成本未知' },
  'decision.no-training': { en: 'no training', zh: '无需训练' },
  'decision.order': {
    en: 'In the order of gain per hour; a gain is in the unit of {metric}.',
    zh: '按每小时收益排序；收益以 {metric} 的单位计。',
  },
  'decision.no-purchase': {
    en: 'Nothing: neither another seed nor more prompts or steps would improve this choice.',
    zh: '无：再加种子、样本或步数都不会改善这一选择。',
  },
})

const AIMS = ['score', 'worst-seed', 'cost'] as const
const MOST_PURCHASES = 6

export function decisionBlocks(answer: DecideAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, said)
  const { ship } = answer
  return [
    ...(ship === null ? [paragraph(strong(say('decision.no-cost', {})))] : shipBlocks(answer, ship, speaker)),
    ...goalBlocks(answer, speaker),
    section(say('decision.settings', {}), settingsTable(answer, speaker)),
    ...(ship === null ? [] : [section(say('decision.next', {}), ...purchaseBlocks(answer, speaker))]),
  ]
}

function shipBlocks(
  { metric, expectedLoss, assumption }: DecideAnswer,
  { name, step, setting, saved, why }: NonNullable<DecideAnswer['ship']>,
  speaker: Speaker,
): readonly Block[] {
  const say = saying(speaker, said)
  const kept = saved === null ? 'decision.unsaved' : 'decision.not-saved'
  const loss =
    expectedLoss === null
      ? say('decision.alone', { assumption })
      : say('decision.loss', { loss: figure(expectedLoss, 2), assumption })
  return [
    paragraph(
      strong(say('decision.ship', { name, step: shortStep(step) })),
      ` ${say('decision.why', { setting, metric, why })}`,
      ...(saved === true ? [] : [` ${say(kept, {})}`]),
    ),
    paragraph(speaker.sentence(loss)),
  ]
}

function settingsTable({ settings, aims }: DecideAnswer, speaker: Speaker): Block {
  const say = saying(speaker, said)
  const header = (['setting', 'runs', 'mean', 'for'] as const).map(name => say(`decision.${name}`, {}))
  return table(
    header,
    settings.map(({ setting, runs, mean }) => [
      setting,
      String(runs.length),
      figure(mean, 4),
      speaker.listed(AIMS.filter(aim => aims[aim] === setting).map(aim => say(`decision.for.${aim}`, {}))) || '–',
    ]),
  )
}

function purchaseBlocks({ metric, next }: DecideAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, said)
  if (next.length === 0) return [paragraph(say('decision.no-purchase', {}))]
  const price = (cost: number | null): string => {
    if (cost === null) return say('decision.hours-unknown', {})
    return cost === 0 ? say('decision.no-training', {}) : say('decision.hours', { hours: figure(cost, 2) })
  }
  const items = next
    .slice(0, MOST_PURCHASES)
    .map(({ what, cost, gain, why }) => [
      say('decision.purchase', { what, gain: figure(gain, 2), price: price(cost), why }),
    ])
  return [list(items), paragraph(say('decision.order', { metric }))]
}
