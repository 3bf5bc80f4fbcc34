import { figure } from '../../../text/numbers.js'
import { type Message, sentences } from '../../../text/sentences.js'
import { isRatioOne } from './loss-formula.js'
import type { Objective, ObjectiveKl } from './objective.js'

/**
 * What will look odd in the log of this very objective and is as it must be: the questions that are asked most often of
 * such logs (loss 0, negative loss, KL 0, no KL, clip fraction 0), answered from the settings.
 */

// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'odd.loss-zero': { en: 'the logged {metric} prints about 0 from start to end: the ratio is 1, beta is 0, and the advantages of a group sum to 0. The gradient is not 0: watch grad_norm and the reward', zh: '日志中的 {metric} 自始至终约为 0：比值恒为 1，beta 为 0，组内优势之和为 0。梯度并不为 0：请看 grad_norm 和 reward' },
  'odd.policy-zero': { en: 'the logged {metric} prints about 0 from start to end: the ratio is 1 and the advantages of a group sum to 0. The gradient is not 0: watch the gradient norm and the reward', zh: '日志中的 {metric} 自始至终约为 0：比值恒为 1，组内优势之和为 0。梯度并不为 0：请看梯度范数和 reward' },
  'odd.loss-is-kl': { en: 'the logged {metric} is about {coefficient} times the KL: it starts at 0 and rises. The ratio is 1 and the advantages of a group sum to 0, so the policy term prints 0', zh: '日志中的 {metric} 约为 {coefficient} 乘以 KL：从 0 开始上升。比值恒为 1，组内优势之和为 0，策略项显示为 0' },
  'odd.loss-is-advantage': { en: 'the logged {metric} is minus the mean advantage weighted by length, positive or negative: the ratio is 1. It does not measure progress', zh: '日志中的 {metric} 等于按长度加权的平均优势的相反数，可正可负：比值恒为 1。它不反映训练进展' },
  'odd.loss-negative': { en: 'the logged {metric} may be negative and need not fall: it is not a distance. Progress shows in the reward', zh: '日志中的 {metric} 可以为负，也不必下降：它不是距离。进展要看 reward' },
  'odd.clip-zero': { en: 'the clip metrics ({metrics}) stay at or near 0: with one update per batch the ratio is 1 and the clip has no effect', zh: '裁剪指标（{metrics}）一直为 0 或接近 0：每批只更新一次，比值为 1，裁剪不起作用' },
  'odd.clip-first': { en: 'the clip metrics ({metrics}) are above 0 from the first update on: the ratio is to the sampler, which computes probabilities with other kernels', zh: '裁剪指标（{metrics}）从第一次更新起就大于 0：比值相对的是采样器，其概率由另一套内核计算' },
  'odd.clip-sequence': { en: 'the clip metrics ({metrics}) are far higher than with token ratios: a whole response is clipped at once', zh: '裁剪指标（{metrics}）远高于按 token 计算比值时：整条回答一起被裁剪' },
  'odd.kl-start': { en: 'the logged {metric} begins at about 0: the policy starts as a copy of the reference', zh: '日志中的 {metric} 从约 0 开始：策略一开始就是参考策略的副本' },
  'odd.kl-reset': { en: 'the logged {metric} falls every {steps} step{steps||s}: the reference moves towards the policy, and the KL is measured from there', zh: '日志中的 {metric} 每 {steps} 步下降一次：参考策略向当前策略移动，KL 从新的参考算起' },
  'odd.kl-missing': { en: 'no KL to the reference is logged ({metric}): without a KL term no reference is loaded. To see the KL, set a tiny coefficient', zh: '日志中没有到参考策略的 KL（{metric}）：没有 KL 项就不会加载参考模型。想看 KL，可设一个极小的系数' },
  'odd.kl-negative': { en: 'the logged {metric} may be negative: k1 of a batch is a mean of log ratios, not a distance', zh: '日志中的 {metric} 可能为负：一批样本的 k1 是 log 比值的均值，不是距离' },
  'odd.kl-does-nothing': { en: 'the KL grows as if there were no penalty: k1 in the loss does not pull towards the reference', zh: 'KL 会像没有惩罚一样增长：loss 中的 k1 不会把策略拉向参考' },
  'odd.rewards-below': { en: 'the logged {rewards} is below {score}: the KL penalty is subtracted from it', zh: '{rewards} 低于 {score}：其中已减去 KL 惩罚' },
  'odd.critic-names': { en: 'metrics named critic/… appear although there is no critic: verl files scores, rewards and advantages there', zh: '虽然没有 critic，仍会出现 critic/… 指标：verl 把得分、奖励和优势记录在这里' },
  'odd.ties': { en: 'a step may have grad_norm 0 or nearly so: if all responses of a group score the same, the group gives no gradient', zh: '某些 step 的 grad_norm 可能为 0 或接近 0：组内回答得分全相同时，这一组没有梯度信号' },
})

interface LoggedNames {
  /** Of the loss that is printed, and whether the KL is in it. */
  readonly loss: string
  readonly isTotal: boolean
  readonly clip: string | null
  readonly kl: string
  readonly klInReward: string
}

const NAMES: { readonly [framework: string]: LoggedNames } = {
  verl: {
    loss: 'actor/pg_loss',
    isTotal: false,
    clip: 'actor/pg_clipfrac, actor/ppo_kl',
    kl: 'actor/kl_loss',
    klInReward: 'actor/reward_kl_penalty',
  },
  trl: { loss: 'loss', isTotal: true, clip: 'clip_ratio/*', kl: 'kl', klInReward: 'kl' },
  openrlhf: { loss: 'policy_loss', isTotal: false, clip: 'ppo_clip_ratio, ppo_kl', kl: 'kl', klInReward: 'kl' },
  'nemo-rl': {
    loss: 'train/loss',
    isTotal: true,
    clip: null,
    kl: 'train/kl_penalty',
    klInReward: 'train/kl_penalty',
  },
  klens: { loss: 'loss.policy', isTotal: false, clip: 'clip.frac', kl: 'kl.ref', klInReward: 'kl.ref' },
}

export function looksOdd(objective: Objective): readonly Message[] {
  const names = NAMES[objective.logsAs]
  if (names === undefined) return []
  const { kl, surrogate, ratioTo, advantage, framework, referenceSync, isKlLogged } = objective
  const term = kl?.[0]
  const isGroup = advantage.kind.startsWith('group')
  const isClipped = names.clip !== null && (surrogate.kind === 'clip' || surrogate.kind === 'sequence-clip')
  const clip = { metrics: names.clip ?? '' }
  return [
    lossSentence(objective, names),
    ...(isRatioOne(objective) && isClipped ? [say('odd.clip-zero', clip)] : []),
    ...(ratioTo === 'sampler' && isClipped ? [say('odd.clip-first', clip)] : []),
    ...(surrogate.kind === 'sequence-clip' && isClipped && !isRatioOne(objective)
      ? [say('odd.clip-sequence', clip)]
      : []),
    ...(kl === null
      ? []
      : term === undefined
        ? [say(isKlLogged ? 'odd.kl-start' : 'odd.kl-missing', { metric: names.kl })]
        : withKl(term, framework, names)),
    ...(referenceSync === null || kl?.length === 0
      ? []
      : [say('odd.kl-reset', { metric: names.kl, steps: referenceSync })]),
    ...(framework === 'verl' && advantage.kind !== 'gae' ? [say('odd.critic-names', {})] : []),
    ...(isGroup && kl?.length === 0 ? [say('odd.ties', {})] : []),
  ]
}

/** With a ratio of 1 the policy term is −A: 0 where every answer weighs alike, else by how lengths and advantages go together. */
function lossSentence(objective: Objective, { loss: metric, isTotal }: LoggedNames): Message {
  const { advantage, aggregation, kl, entropy } = objective
  const isCentred = advantage.kind === 'group-z' || advantage.kind === 'group-mean'
  if (!isRatioOne(objective) || !isCentred || advantage.turns !== null) return say('odd.loss-negative', { metric })
  if (aggregation !== 'seq-mean-token-mean' && aggregation !== 'seq-mean') {
    return aggregation === null ? say('odd.loss-negative', { metric }) : say('odd.loss-is-advantage', { metric })
  }
  const inLoss = kl?.find(({ place }) => place === 'loss')
  if (kl === null || (entropy !== 0 && isTotal)) return say('odd.loss-negative', { metric })
  if (!isTotal) return say('odd.policy-zero', { metric })
  if (inLoss === undefined) return say('odd.loss-zero', { metric })
  return inLoss.coefficient === null
    ? say('odd.loss-negative', { metric })
    : say('odd.loss-is-kl', { metric, coefficient: figure(inLoss.coefficient) })
}

function withKl({ place, form, weight }: ObjectiveKl, framework: string, names: LoggedNames): readonly Message[] {
  const metric = place === 'loss' ? names.kl : names.klInReward
  return [
    say('odd.kl-start', { metric }),
    ...(form === 'k1' ? [say('odd.kl-negative', { metric })] : []),
    ...(place === 'loss' && form === 'k1' && (weight === 'none' || weight === 'detached')
      ? [say('odd.kl-does-nothing', {})]
      : []),
    ...(place === 'reward' && framework === 'verl'
      ? [say('odd.rewards-below', { rewards: 'critic/rewards/mean', score: 'critic/score/mean' })]
      : []),
  ]
}
