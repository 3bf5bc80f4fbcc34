import { type Message, sentences } from '../../../text/sentences.js'

/**
 * Which gradient a KL term really has. An estimate of the KL that is right as a number may have no gradient in
 * expectation, or that of another distance (arXiv 2510.01555, 2512.21852): it depends on where the term stands and on
 * whether the probability of the samples is differentiated too. With d = log π − log reference of a sampled token:
 *
 *   in the loss      k1: E ∇d = 0            k2: E d ∇log π = ∇KL(π ‖ reference)      k3: E (1 − e^−d) ∇log π = ∇KL(reference ‖ π)
 *   times a ratio    k1, k3: the score term k·∇log π comes on top and makes it right; k2 becomes the gradient of E d²/2
 *   in the reward    only the score term: right for k1, whose own gradient is 0 in expectation, and for no other
 *
 * docs/objective.md has all of them measured on a policy whose expectations are sums (calibration/studies/kl-gradient.ts);
 * kl-gradient.test.ts holds the table below to it.
 */

/** The estimate, whatever a framework calls it; `exact` and `forward` are sums over all choices. A `+` has the value of the one before it and the slope of k2. */
export const KL_FORMS = ['k1', 'k2', 'k3', 'abs', 'k1+', 'k3+', 'abs+', 'k3-inverse', 'exact', 'forward'] as const
export type KlForm = (typeof KL_FORMS)[number]

/**
 * What the estimate in the loss is multiplied by. `detached`: the importance ratio as a number; `ratio`: the same with its
 * gradient; `score`: 1, with the gradient of the token's log-probability; `sequence`: the geometric mean of the ratios of an answer.
 */
export const KL_WEIGHTS = ['none', 'detached', 'score', 'ratio', 'sequence'] as const
export type KlWeight = (typeof KL_WEIGHTS)[number]

export interface KlPlacement {
  readonly place: 'loss' | 'reward'
  readonly form: KlForm
  readonly weight: KlWeight
}

export const KL_GRADIENTS = ['right', 'biased', 'none'] as const
export type KlGradient = (typeof KL_GRADIENTS)[number]

// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'kl-gradient.k1': { en: 'k1 in the loss has no gradient in expectation: every sampled token has the same slope, for any reference. The coefficient only adds noise', zh: 'loss 中的 k1 在期望上没有梯度：每个采样 token 的斜率都相同，与参考策略无关。系数只会增加噪声' },
  'kl-gradient.k2': { en: '{form} in the loss has the gradient of KL(policy ‖ reference) at every visited token', zh: 'loss 中的 {form} 在每个访问到的 token 处梯度等于 KL(策略 ‖ 参考) 的梯度' },
  'kl-gradient.k3': { en: 'k3 in the loss has the gradient of KL(reference ‖ policy), not of KL(policy ‖ reference). The two agree near the reference and differ as the KL grows', zh: 'loss 中的 k3 的梯度是 KL(参考 ‖ 策略) 的梯度，而不是 KL(策略 ‖ 参考) 的。靠近参考策略时两者一致，KL 越大差别越大' },
  'kl-gradient.abs': { en: '|log ratio| in the loss has the gradient of twice the total variation distance, not of the KL', zh: 'loss 中的 |log 比值| 的梯度是两倍全变差距离的梯度，而不是 KL 的' },
  'kl-gradient.chi': { en: 'k3 with the ratio upside down has the gradient of half the χ² distance, not of the KL', zh: '比值取倒数的 k3，其梯度是 χ² 距离的一半的梯度，而不是 KL 的' },
  'kl-gradient.exact': { en: 'the KL is summed over all choices: its gradient is exact at every visited token', zh: 'KL 对所有选项求和：在每个访问到的 token 处梯度精确' },
  'kl-gradient.forward': { en: 'the KL is summed over all choices in the other direction: its gradient is that of KL(reference ‖ policy)', zh: 'KL 对所有选项求和，但方向相反：其梯度是 KL(参考 ‖ 策略) 的梯度' },
  'kl-gradient.weighted': { en: '{form} times the ratio has the gradient of KL(policy ‖ reference) at every visited token', zh: '{form} 乘以重要性比值，在每个访问到的 token 处梯度等于 KL(策略 ‖ 参考) 的梯度' },
  'kl-gradient.scored': { en: '{form} with the gradient of the sampling probability has the gradient of KL(policy ‖ reference) at every visited token', zh: '{form} 加上采样概率的梯度，在每个访问到的 token 处梯度等于 KL(策略 ‖ 参考) 的梯度' },
  'kl-gradient.weighted-biased': { en: '{form} times the ratio has the gradient of the mean of {form}, which is not the KL', zh: '{form} 乘以重要性比值，其梯度是 {form} 均值的梯度，而 {form} 的均值不是 KL' },
  'kl-gradient.sequence': { en: '{form} of a token times the ratio of its whole response is not corrected token by token: its gradient is biased', zh: 'token 的 {form} 乘以整条回答的比值，并非逐 token 校正：梯度有偏' },
  'kl-gradient.reward': { en: 'k1 in the reward has the gradient of KL(policy ‖ reference) of whole responses', zh: '奖励中的 k1 的梯度是整条回答的 KL(策略 ‖ 参考) 的梯度' },
  'kl-gradient.reward-biased': { en: '{form} in the reward has a gradient that hardly points to the reference: only k1 belongs in the reward', zh: '奖励中的 {form} 的梯度几乎不指向参考策略：只有 k1 适合放进奖励' },
})

interface GradientClaim {
  readonly gradient: KlGradient
  readonly reason: Message
}

/** In expectation over answers that the policy itself has just sampled. */
export function klGradient({ place, form, weight }: KlPlacement): GradientClaim {
  if (place === 'reward') {
    return form === 'k1' || form === 'k1+'
      ? { gradient: 'right', reason: say('kl-gradient.reward', {}) }
      : { gradient: 'biased', reason: say('kl-gradient.reward-biased', { form: form.replace('+', '') }) }
  }
  if (weight === 'sequence') return { gradient: 'biased', reason: say('kl-gradient.sequence', { form }) }
  if (form === 'exact') return { gradient: 'right', reason: say('kl-gradient.exact', {}) }
  if (form === 'forward') return { gradient: 'biased', reason: say('kl-gradient.forward', {}) }
  if (weight === 'none' || weight === 'detached') return plainGradient(form)
  if (form !== 'k1' && form !== 'k3') {
    return { gradient: 'biased', reason: say('kl-gradient.weighted-biased', { form }) }
  }
  return {
    gradient: 'right',
    reason: say(weight === 'ratio' ? 'kl-gradient.weighted' : 'kl-gradient.scored', { form }),
  }
}

function plainGradient(form: Exclude<KlForm, 'exact' | 'forward'>): GradientClaim {
  switch (form) {
    case 'k1':
      return { gradient: 'none', reason: say('kl-gradient.k1', {}) }
    case 'k2':
    case 'k1+':
    case 'k3+':
    case 'abs+':
      return { gradient: 'right', reason: say('kl-gradient.k2', { form }) }
    case 'k3':
      return { gradient: 'biased', reason: say('kl-gradient.k3', {}) }
    case 'abs':
      return { gradient: 'biased', reason: say('kl-gradient.abs', {}) }
    case 'k3-inverse':
      return { gradient: 'biased', reason: say('kl-gradient.chi', {}) }
  }
}

/** Whether the term is put right for answers of an earlier policy: later updates on one batch, stale rollouts. */
export function isCorrectedWhenStale({ place, form, weight }: KlPlacement): boolean {
  // In the reward the policy loss brings the ratio; the exact KL of a prefix needs no sample of its token.
  return place === 'reward' || weight === 'ratio' || weight === 'detached' || (form === 'exact' && weight === 'none')
}
