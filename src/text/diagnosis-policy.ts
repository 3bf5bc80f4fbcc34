import type { Templates } from './language.js'

/** What the rules about the policy's update say: KL, losses, entropy, groups, gradients, rates. */
export const diagnosisPolicyTexts = {
  'kl-inert': {
    en: 'the KL term is {share} % of the policy loss: the policy trains as if it had no reference',
    zh: 'KL 项只有策略 loss 的 {share}%：训练相当于没有参考策略',
  },
  'kl-inert.remedy': {
    en: 'if the KL is meant to hold the policy, raise its coefficient tenfold; else switch it off and save the reference pass',
    zh: '若要用 KL 约束策略，把系数提高到 10 倍；否则关掉它，省去参考策略的前向计算',
  },
} as const satisfies Templates
