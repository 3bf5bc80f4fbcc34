import { figure } from '../../../text/numbers.js'
import { type Message, sentences } from '../../../text/sentences.js'
import type { KlForm, KlWeight } from './kl-gradient.js'
import type { Objective, ObjectiveKl } from './objective.js'

/** The loss written out with the figures of one training; a figure that is not known stays a letter. */
export interface LossFormula {
  readonly loss: string
  readonly where: readonly { readonly symbol: string; readonly meaning: Message }[]
}

// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'objective.where.formula': { en: '{formula}', zh: '{formula}' },
  'objective.where.named': { en: 'the loss that {framework} calls {name}', zh: '{framework} 中名为 {name} 的损失' },
  'objective.where.loss-unknown': { en: 'policy loss, not named in the config', zh: '策略损失，配置未说明' },
  'objective.where.dual': { en: 'at most {dual}·|A| where A < 0 (dual clip)', zh: 'A < 0 时不超过 {dual}·|A|（dual clip）' },
  'objective.where.ratio.batch-start': { en: 'π / π_old of a token, π_old as at the start of the batch', zh: '每个 token 的 π / π_old，π_old 为本批开始时的策略' },
  'objective.where.ratio.sampler': { en: 'π / π_old of a token, π_old as the sampler reports it', zh: '每个 token 的 π / π_old，π_old 取自采样器' },
  'objective.where.ratio.reference': { en: 'π / π_ref', zh: 'π / π_ref' },
  'objective.where.ratio.sequence': { en: '(π / π_old of the whole response)^(1/length)', zh: '（整条回答的 π / π_old）的 1/长度 次方' },
  'objective.where.ratio.answer': { en: 'π / π_old of the whole response', zh: '整条回答的 π / π_old' },
  'objective.where.ratio.one': { en: '{ratio}; 1 at the only update on a batch', zh: '{ratio}；每批只更新一次，恒为 1' },
  'objective.where.adv.group-z': { en: '(R − mean) / std of the group{size}', zh: '（R − 均值）/ 标准差，组内计算{size}' },
  'objective.where.adv.group-mean': { en: 'R − mean of the group{size}', zh: 'R − 组内均值{size}' },
  'objective.where.adv.group-batch-std': { en: '(R − mean of the group{size}) / std of the batch', zh: '（R − 组内均值{size}）/ 批次标准差' },
  'objective.where.adv.group-unknown': { en: 'R − mean of the group{size}; whether it is divided by the std is unknown', zh: 'R − 组内均值{size}；是否再除以标准差未知' },
  'objective.where.adv.leave-one-out': { en: 'R − mean of the other responses of the group{size}', zh: 'R − 组内其他回答的均值{size}' },
  'objective.where.adv.gae': { en: 'generalised advantage estimate with a critic (γ = {gamma}, λ = {lambda})', zh: '带 critic 的广义优势估计（γ = {gamma}，λ = {lambda}）' },
  'objective.where.adv.reinforce++': { en: 'return from the token on (γ = {gamma}), standardised over the batch', zh: '从该 token 起的回报（γ = {gamma}），在批次内标准化' },
  'objective.where.adv.reinforce++-baseline': { en: 'R − mean of the group{size}, standardised over the batch', zh: 'R − 组内均值{size}，在批次内标准化' },
  'objective.where.adv.remax': { en: 'R − R of the greedy response', zh: 'R − 贪心回答的 R' },
  'objective.where.adv.opo': { en: 'R − mean of the group{size} weighted by length', zh: 'R − 按长度加权的组内均值{size}' },
  'objective.where.adv.gpg': { en: 'R − mean of the group{size}, scaled by the share of groups that are not tied', zh: 'R − 组内均值{size}，按非零方差组的比例缩放' },
  'objective.where.adv.other': { en: 'by the estimator {name}', zh: '由估计器 {name} 计算' },
  'objective.where.adv.unknown': { en: 'advantages, not named in the config', zh: '优势，配置未说明算法' },
  'objective.where.adv.turns': { en: '{advantage}, spread over turns ({turns})', zh: '{advantage}，再分配到各轮（{turns}）' },
  'objective.where.group': { en: ' of {n}', zh: '（{n} 条回答）' },
  'objective.where.reward': { en: 'score − {coefficient}·Σ {form} over the response’s tokens', zh: '得分 − {coefficient}·Σ {form}（对回答的 token 求和）' },
  'objective.where.entropy': { en: 'entropy of a token', zh: 'token 的熵' },
})

export function lossFormula(objective: Objective): LossFormula {
  const { aggregation, klAggregation, kl, entropy, surrogate, clip } = objective
  const inLoss = kl?.find(({ place }) => place === 'loss')
  const inReward = kl?.find(({ place }) => place === 'reward')
  const policy = policyTerm(objective)
  const hasRatio = surrogate.kind !== 'plain'
  const terms = [
    `${aggregation ?? 'mean'}[${policy}]`,
    ...(inLoss === undefined ? [] : [`+ ${coefficient(inLoss)}·${klAggregation ?? 'mean'}[${weighted(inLoss)}]`]),
    ...(kl === null ? ['+ β·KL?'] : []),
    ...(entropy === null ? ['− c·H?'] : entropy === 0 ? [] : [`− ${figure(entropy)}·${klAggregation ?? 'mean'}[H]`]),
  ]
  const formula = (text: string): Message => say('objective.where.formula', { formula: text })
  return {
    loss: terms.join(' '),
    where: [
      ...(surrogate.kind === 'named'
        ? [
            {
              symbol: policy,
              meaning:
                surrogate.name === ''
                  ? say('objective.where.loss-unknown', {})
                  : say('objective.where.named', { framework: objective.framework, name: surrogate.name }),
            },
          ]
        : []),
      ...(clip.dual === null || surrogate.kind !== 'clip'
        ? []
        : [{ symbol: 'max(…)', meaning: say('objective.where.dual', { dual: figure(clip.dual) }) }]),
      ...(hasRatio ? [{ symbol: 'r', meaning: ratioMeaning(objective) }] : []),
      { symbol: 'A', meaning: advantageMeaning(objective) },
      ...(inReward === undefined
        ? []
        : [
            {
              symbol: 'R',
              meaning: say('objective.where.reward', {
                coefficient: coefficient(inReward),
                form: inReward.form ?? 'KL',
              }),
            },
          ]),
      ...[inLoss, inReward].flatMap(term =>
        term === undefined || term.form === null
          ? []
          : [{ symbol: term.form, meaning: formula(KL_FORMULAS[term.form]) }],
      ),
      ...(entropy === 0 ? [] : [{ symbol: 'H', meaning: say('objective.where.entropy', {}) }]),
    ],
  }
}

const KL_FORMULAS: { readonly [form in KlForm]: string } = {
  k1: 'd = log π − log π_ref',
  k2: 'd²/2, d = log π − log π_ref',
  k3: 'e^(−d) − 1 + d, d = log π − log π_ref',
  abs: '|d|, d = log π − log π_ref',
  'k1+': 'd = log π − log π_ref, ∇ = ∇k2',
  'k3+': 'e^(−d) − 1 + d, d = log π − log π_ref, ∇ = ∇k2',
  'abs+': '|d|, d = log π − log π_ref, ∇ = ∇k2',
  'k3-inverse': 'e^d − 1 − d, d = log π − log π_ref',
  exact: 'Σ π·(log π − log π_ref)',
  forward: 'Σ π_ref·(log π_ref − log π)',
}

const WEIGHTS: { readonly [weight in KlWeight]: string } = {
  none: '',
  detached: 'sg[r]·',
  score: '(π/sg[π])·',
  ratio: 'r·',
  sequence: 'r·',
}

function weighted({ form, weight }: ObjectiveKl): string {
  return `${weight === null ? 'w?·' : WEIGHTS[weight]}${form ?? 'KL'}`
}

function coefficient({ coefficient: value, isAdaptive }: ObjectiveKl): string {
  return value === null ? 'β' : `${figure(value)}${isAdaptive ? '→β_t' : ''}`
}

function policyTerm({ surrogate, clip: { low, high }, framework }: Objective): string {
  const range = clipRange(low, high)
  switch (surrogate.kind) {
    case 'clip':
    case 'sequence-clip':
      return `max(−A·r, −A·clip(r, ${range}))`
    case 'weight':
      // TRL bounds the weight from above alone, and by the setting itself.
      return framework === 'trl'
        ? `−sg[min(r, ${high === null ? 'ε' : figure(high)})]·A·log π`
        : `−sg[clip(r, ${range})]·A·log π`
    case 'geometric':
      return `−A·exp(mean_t clip(log r, −${low === null ? 'ε' : figure(low)}, ${high === null ? 'ε' : figure(high)}))`
    case 'plain':
      return '−A·log π'
    case 'named':
      return `L(r, A)`
  }
}

function clipRange(low: number | null, high: number | null): string {
  if (low !== null && low === high) return `1±${figure(low)}`
  return `1−${low === null ? 'ε_low' : figure(low)}, 1+${high === null ? 'ε_high' : figure(high)}`
}

function ratioMeaning(objective: Objective): Message {
  const { surrogate, ratioTo, updates, aggregation } = objective
  const ratio =
    surrogate.kind === 'sequence-clip'
      ? say('objective.where.ratio.sequence', {})
      : ratioTo === 'batch-start' && surrogate.kind === 'clip' && aggregation === 'seq-mean'
        ? say('objective.where.ratio.answer', {})
        : say(`objective.where.ratio.${ratioTo}`, {})
  return isRatioOne(objective) && updates === 1 ? say('objective.where.ratio.one', { ratio }) : ratio
}

/** At the only update on answers that the policy has just written. */
export function isRatioOne({ updates, ratioTo, isAsynchronous }: Objective): boolean {
  return updates === 1 && ratioTo === 'batch-start' && !isAsynchronous
}

function advantageMeaning({ advantage }: Objective): Message {
  const { kind, name, groupSize, gamma, lambda, turns } = advantage
  const size = groupSize === null ? '' : say('objective.where.group', { n: groupSize })
  const known = (value: number | null): string => (value === null ? '?' : figure(value))
  const made = say(`objective.where.adv.${kind}`, { size, name, gamma: known(gamma), lambda: known(lambda) })
  return turns === null ? made : say('objective.where.adv.turns', { advantage: made, turns })
}
