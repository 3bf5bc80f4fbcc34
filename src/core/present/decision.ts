import type { z } from 'zod'
import { comparisonSentences } from '../../text/compare.js'
import type { Encoded } from '../../text/encode.js'
import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import type { decisionAmongRuns } from '../analysis/decide/candidates.js'
import { type Block, list, pairs, paragraph, section, strong, table } from './blocks.js'
import { settlingRows } from './comparison.js'
import { goalBlocks } from './goal.js'
import { type Speaker, saying } from './speaker.js'
import { shortStep } from './terminal-text.js'
import { verdictBlock } from './verdict.js'

/** What to ship, how surely no other setting is better, what there is to choose from, and what to run next. */

export type DecideAnswer = Encoded<z.infer<typeof decisionAmongRuns>>

const said = sentences({
  'decision.ship': { en: 'Ship {name} at step {step}.', zh: '选用 {name} 的 step {step}。' },
  'decision.no-cost': {
    en: 'The cost of a run is unknown, so no setting can be called the cheapest.',
    zh: '无从得知一个 run 的成本，因此无法指出哪个配置最便宜。',
  },
  'decision.why': {
    en: 'Its setting is {setting}; judged by {metric}: {why}.',
    zh: '其配置为 {setting}；依据 {metric}：{why}。',
  },
  'decision.unsaved': { en: 'It is unknown whether this step was saved.', zh: '无从得知该 step 是否已保存。' },
  'decision.not-saved': { en: 'This step was not saved.', zh: '该 step 没有保存。' },
  'decision.loss': {
    en: 'Expected loss (regret) of shipping it today, against {rival}: {loss}.',
    zh: '今天这样选，相对 {rival} 的期望损失：{loss}。',
  },
  'decision.other-side': {
    en: 'Over the end of training {side} is ahead; at the step to ship {setting} scores higher.',
    zh: '从训练末段看 {side} 更高；而在要选用的 step 上 {setting} 得分更高。',
  },
  'decision.alone': {
    en: 'There is no other setting to compare it with; {assumption}.',
    zh: '没有其他配置可比；{assumption}。',
  },
  'decision.judged': { en: '{other} vs {baseline}', zh: '{other} 对比 {baseline}' },
  'decision.settings': { en: 'Settings to choose from', zh: '可供选择的配置' },
  'decision.setting': { en: 'candidate', zh: '候选' },
  'decision.runs': { en: 'runs', zh: 'run 数' },
  'decision.mean': { en: 'final mean', zh: '训练末段均值' },
  'decision.value': { en: 'best run', zh: '最佳 run 在所选 step 的估计' },
  'decision.for': { en: 'chosen for', zh: '适合的目标' },
  'decision.for.score': { en: 'score', zh: '得分' },
  'decision.for.worst-seed': { en: 'worst seed', zh: '最差种子' },
  'decision.for.cost': { en: 'cost', zh: '成本' },
  'decision.next': { en: 'Next experiments', zh: '接下来做什么实验' },
  'decision.experiment': {
    en: '{what} (expected improvement {gain}, {price}): {why}',
    zh: '{what}（期望改善 {gain}，{price}）：{why}',
  },
  'decision.hours': { en: '{hours} h', zh: '{hours} 小时' },
  'decision.hours-unknown': { en: 'cost unknown', zh: '成本未知' },
  'decision.no-training': { en: 'no training', zh: '无需训练' },
  'decision.order': {
    en: 'Ordered by expected improvement per hour, in the unit of {metric}.',
    zh: '按每小时的期望改善排序，以 {metric} 的单位计。',
  },
  'decision.no-experiment': {
    en: 'With three or more seeds per setting, neither more seeds nor more prompts or steps are expected to change this choice.',
    zh: '每种配置已有三个以上种子；追加种子、样本或步数预计都不会改变这一选择。',
  },
  'decision.no-rival': {
    en: 'Run another setting: one setting leaves nothing to choose.',
    zh: '再跑一种配置：只有一种时无从选择。',
  },
})

const AIMS = ['score', 'worst-seed', 'cost'] as const
const MOST_EXPERIMENTS = 6

export function decisionBlocks(answer: DecideAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, said)
  const { ship } = answer
  return [
    ...(ship === null ? [paragraph(strong(say('decision.no-cost', {})))] : shipBlocks(answer, ship, speaker)),
    ...goalBlocks(answer, speaker),
    section(say('decision.settings', {}), settingsTable(answer, speaker)),
    ...(ship === null ? [] : [section(say('decision.next', {}), ...experimentBlocks(answer, speaker))]),
  ]
}

type Shipped = NonNullable<DecideAnswer['ship']>

function shipBlocks(answer: DecideAnswer, ship: Shipped, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, said)
  const { metric, assumption } = answer
  const { name, step, setting, saved, why } = ship
  const kept = saved === null ? 'decision.unsaved' : 'decision.not-saved'
  return [
    paragraph(
      strong(say('decision.ship', { name, step: shortStep(step) })),
      ` ${say('decision.why', { setting, metric, why })}`,
      ...(saved === true ? [] : [` ${say(kept, {})}`]),
    ),
    ...(answer.judged === null
      ? [paragraph(speaker.sentence(say('decision.alone', { assumption })))]
      : rivalBlocks(answer, answer.judged, ship, speaker)),
  ]
}

/** The same verdict, odds and suggestions as `klens compare` of the two settings gives. */
function rivalBlocks(
  { expectedLoss }: DecideAnswer,
  { verdict, choose, unused }: NonNullable<DecideAnswer['judged']>,
  { setting }: Shipped,
  speaker: Speaker,
): readonly Block[] {
  const say = saying(speaker, said)
  const compared = saying(speaker, comparisonSentences)
  const { baseline, other, answer } = verdict
  const rival = other === setting ? baseline : other
  const isOpen = answer === 'undetermined' && choose !== null
  const settling = settlingRows(verdict, { unused }, speaker).map(({ about, text }) => [about, text] as const)
  return [
    section(
      say('decision.judged', { other, baseline }),
      verdictBlock(verdict, speaker),
      ...(isOpen ? [pairs([[compared('compare.head.choose', {}), choose.sentence]])] : []),
      ...(choose === null || choose.side === setting
        ? []
        : [paragraph(say('decision.other-side', { side: choose.side, setting }))]),
      ...(expectedLoss === null ? [] : [paragraph(say('decision.loss', { loss: figure(expectedLoss, 2), rival }))]),
    ),
    ...(settling.length === 0 ? [] : [section(compared('compare.head.settle', {}), pairs(settling))]),
  ]
}

function settingsTable({ settings, aims }: DecideAnswer, speaker: Speaker): Block {
  const say = saying(speaker, said)
  const header = (['setting', 'runs', 'mean', 'value', 'for'] as const).map(name => say(`decision.${name}`, {}))
  return table(
    header,
    settings.map(({ setting, runs, mean, value }) => [
      setting,
      String(runs.length),
      figure(mean, 4),
      figure(value, 4),
      speaker.listed(AIMS.filter(aim => aims[aim] === setting).map(aim => say(`decision.for.${aim}`, {}))) || '–',
    ]),
  )
}

function experimentBlocks({ metric, next, settings }: DecideAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, said)
  if (next.length === 0) {
    return [paragraph(say(settings.length < 2 ? 'decision.no-rival' : 'decision.no-experiment', {}))]
  }
  const price = (cost: number | null): string => {
    if (cost === null) return say('decision.hours-unknown', {})
    return cost === 0 ? say('decision.no-training', {}) : say('decision.hours', { hours: figure(cost, 2) })
  }
  const items = next
    .slice(0, MOST_EXPERIMENTS)
    .map(({ what, cost, gain, why }) => [
      say('decision.experiment', { what, gain: figure(gain, 2), price: price(cost), why }),
    ])
  return [list(items), paragraph(say('decision.order', { metric }))]
}
