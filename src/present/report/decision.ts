import type { Candidate } from '../../analysis/decide/beliefs.js'
import type { Decision } from '../../analysis/decide/decide.js'
import { mean } from '../../stats/descriptive.js'
import { shownName } from '../../store/manifest.js'
import type { LoadedRun } from '../../store/series.js'
import { figure as short } from '../../text/numbers.js'
import { reportSentences as words } from '../../text/report.js'
import { sentences } from '../../text/sentences.js'
import { type Block, figure, heading, paragraph, strong, table } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import type { ReportContent } from './frame.js'
import { evidenceBlocks, type Frame, framed } from './frame.js'
import type { Memory } from './memory.js'

/** One page: what to ship, what that gives away, and what the next hours should buy. */
export interface DecisionInput extends Omit<Frame, 'before'> {
  readonly metric: string
  readonly sign: 1 | -1
  readonly candidates: readonly Candidate[]
  readonly decision: Decision
  readonly runs: readonly LoadedRun[]
}

const say = sentences({
  'report.decision.title': { en: 'What to ship, and what to buy next', zh: '现在用哪个，接下来买什么' },
  'report.decision.ship': { en: 'Ship {run} at step {step}.', zh: '选用 {run} 的 step {step}。' },
  'report.decision.no-cost': {
    en: 'Nothing tells what a run costs, so no setting can be called the cheapest.',
    zh: '无从得知一个 run 的成本，因此无法指出哪个配置最便宜。',
  },
  'report.decision.why': {
    en: 'Its setting is {setting}; judged by {metric}: {why}.',
    zh: '其配置为 {setting}；依据 {metric}：{why}。',
  },
  'report.decision.unsaved': {
    en: 'Nothing tells whether this step was saved.',
    zh: '无从得知该 step 是否已保存。',
  },
  'report.decision.not-saved': { en: 'This step was not saved.', zh: '该 step 没有保存。' },
  'report.decision.loss': {
    en: 'Shipping it today gives away {loss} on average, as against knowing the truth; {assumption}.',
    zh: '与知道真相相比，今天这样选平均损失 {loss}；{assumption}。',
  },
  'report.decision.alone': { en: 'There is no other setting; {assumption}.', zh: '没有其他配置可比；{assumption}。' },
  'report.decision.settings': { en: 'What there is to choose from', zh: '可供选择的配置' },
  'report.decision.setting': { en: 'setting', zh: '配置' },
  'report.decision.runs': { en: 'runs', zh: 'run 数' },
  'report.decision.mean': { en: 'mean at the end of training', zh: '训练末段均值' },
  'report.decision.for': { en: 'chosen for', zh: '适合的目标' },
  'report.decision.for.score': { en: 'score', zh: '得分' },
  'report.decision.for.worst-seed': { en: 'worst seed', zh: '最差种子' },
  'report.decision.for.cost': { en: 'cost', zh: '成本' },
  'report.decision.next': { en: 'What to buy next', zh: '接下来买什么' },
  'report.decision.buy': { en: 'purchase', zh: '可买的' },
  'report.decision.gain': { en: 'gain on average', zh: '平均收益' },
  'report.decision.hours': { en: 'hours', zh: '小时' },
  'report.decision.reason': { en: 'why', zh: '理由' },
  'report.decision.order': {
    en: 'In the order of gain per hour; a gain is in the unit of {metric}, and 0 hours means that nothing has to be trained.',
    zh: '按每小时收益排序；收益以 {metric} 的单位计，0 小时表示无需训练。',
  },
  'report.decision.no-purchase': {
    en: 'Nothing: neither another seed nor more prompts or steps would improve this choice.',
    zh: '无：再加种子、样本或步数都不会改善这一选择。',
  },
})

const AIMS = ['score', 'worst-seed', 'cost'] as const
const MOST_PURCHASES = 6

export function decisionReport(speaker: Speaker, input: DecisionInput): ReportContent {
  const { decision, runs, provenance } = input
  return framed(speaker, input, {
    title: speaker.say(say('report.decision.title', {})),
    memory: memoryOf(input),
    blocks: [
      ...shipBlocks(speaker, input),
      ...(decision.ship === null
        ? []
        : [heading(speaker.say(say('report.decision.next', {}))), ...purchases(speaker, input)]),
      heading(speaker.say(say('report.decision.settings', {}))),
      settingsTable(speaker, input),
      ...evidenceBlocks(speaker, runs, [], provenance),
    ],
  })
}

function shipBlocks(speaker: Speaker, { metric, decision, runs }: DecisionInput): readonly Block[] {
  const { ship, expectedLoss } = decision
  const assumption = speaker.say(decision.assumption)
  const shipped = runs.find(({ manifest }) => manifest.id === ship?.run)
  if (ship === null || shipped === undefined) {
    return [paragraph(strong(speaker.say(say('report.decision.no-cost', {}))))]
  }
  const run = shownName(shipped.manifest)
  const kept = ship.saved === null ? say('report.decision.unsaved', {}) : say('report.decision.not-saved', {})
  return [
    paragraph(
      strong(speaker.say(say('report.decision.ship', { run, step: ship.step }))),
      ' ',
      speaker.say(say('report.decision.why', { setting: ship.label, metric, why: speaker.say(ship.why) })),
      ...(ship.saved === true ? [] : [' ', speaker.say(kept)]),
    ),
    paragraph(
      speaker.sentence(
        speaker.say(
          expectedLoss === null
            ? say('report.decision.alone', { assumption })
            : say('report.decision.loss', { loss: short(expectedLoss, 2), assumption }),
        ),
      ),
    ),
  ]
}

function purchases(speaker: Speaker, { metric, decision: { next } }: DecisionInput): readonly Block[] {
  if (next.length === 0) return [paragraph(speaker.say(say('report.decision.no-purchase', {})))]
  const header = (['buy', 'gain', 'hours', 'reason'] as const).map(name =>
    speaker.say(say(`report.decision.${name}`, {})),
  )
  const rows = next
    .slice(0, MOST_PURCHASES)
    .map(({ message, gain, cost, why }) => [
      speaker.say(message),
      short(gain, 2),
      cost === null ? '–' : short(cost, 2),
      speaker.say(why),
    ])
  return [table(header, rows), paragraph(speaker.say(say('report.decision.order', { metric })))]
}

function settingsTable(speaker: Speaker, { metric, candidates, decision, sign }: DecisionInput): Block {
  const header = (['setting', 'runs', 'mean', 'for'] as const).map(name =>
    speaker.say(say(`report.decision.${name}`, {})),
  )
  return table(
    header,
    candidates.map(({ label, runs }) => [
      label,
      String(runs.length),
      figure(
        short(sign * mean(runs.map(({ level }) => level)), 4),
        speaker.say(words('report.source', { metric, runs: runs.map(({ name }) => name).join(', '), aggregate: '' })),
      ),
      speaker.listed(
        AIMS.filter(aim => decision.aims[aim] === label).map(aim => speaker.say(say(`report.decision.for.${aim}`, {}))),
      ) || '–',
    ]),
  )
}

/** Nothing that a later page would be held against: a decision is made anew. */
function memoryOf({ metric, runs }: DecisionInput): Memory {
  return { runs: runs.map(({ manifest }) => manifest.id).sort(), metric, evaluations: 0, verdicts: [], findings: [] }
}
