import { rememberedText } from './remembered.js'
import { isStatistic, shotsOf, withoutBrackets } from './words.js'

/**
 * Is a column header the name of a metric, or of a run? `Train Loss` and `KL值` are metrics; `无KL约束`, `KL 0.1` and
 * `PPO` are runs. So every word must be known, and one of them must be a quantity: a single strange word, or a
 * number with a point, makes it a name.
 */
export const isMetricName = rememberedText((header: string): boolean => {
  const bare = withoutBrackets(header).toLowerCase()
  if (bare.length > LONGEST_NAME || bare === '') return false
  if (shotsOf(bare) !== null || isStatistic(bare)) return true
  if (/[=＝]/.test(bare)) return false
  if (TRACKER_NAME.test(bare)) return true
  let quantities = 0
  for (const word of bare.match(WORD) ?? []) {
    const kind = kindOf(word)
    if (kind === 'strange') return false
    if (kind === 'quantity') quantities += 1
  }
  return quantities > 0
})

const LONGEST_NAME = 80
/** `actor/kl_loss`, `val-core/math/reward/mean@8`. */
const TRACKER_NAME = /^[a-z][\w.-]*(?:\/[\w.@-]+)+$/
const WORD = /[a-z]+|\d+(?:\.\d+)?|\p{Script=Han}+|[^\s\w@%#/_.:,()-]/gu

function kindOf(word: string): 'quantity' | 'qualifier' | 'strange' {
  if (QUANTITIES.has(word)) return 'quantity'
  if (QUALIFIERS.has(word) || /^\d{1,3}$/.test(word)) return 'qualifier'
  if (!/^\p{Script=Han}/u.test(word)) return 'strange'
  const rest = word.replace(CHINESE_QUANTITY, '')
  if (rest.replace(CHINESE_QUALIFIER, '') !== '') return 'strange'
  return rest === word ? 'qualifier' : 'quantity'
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const QUANTITIES = words(
  'loss kl entropy reward rewards return returns acc accuracy score scores lr adv advantage advantages ratio norm ' +
    'clipfrac perplexity ppl beta f em bleu rouge pass maj mse mae auc error err length len tokens throughput mfu time ' +
    'divergence temperature value values coef coefficient rate frac fraction performance perf exact',
)
const QUALIFIERS = words(
  'train training val valid validation eval evaluation test dev policy ppo grpo rce actor critic pg vf ref reference ' +
    'grad gradient learning mean avg average std max min median total final best of per at step epoch token response ' +
    'prompt sample group zero clip clipped pct percent win match task raw approx explained variance num top shot shots ' +
    'k s ms sec secs seconds the in and seq sequence output input global online offline held out core aux',
)
const CHINESE_QUANTITY =
  /损失|奖励|回报|得分|分数|准确率|正确率|精度|性能|散度|熵|比率|比例|优势|梯度范数|梯度|范数|学习率|数值|长度|时间|耗时|吞吐量|吞吐|误差|困惑度|系数|温度|胜率|通过率|截断率|值/g
const CHINESE_QUALIFIER =
  /训练|验证|测试|评估|评测|推理|策略|参考|平均|均值|最大|最小|最高|最低|最佳|最优|标准差|方差|最终|初始|每步|单步|响应|回复|输出|序列|裁剪|更新|总|集|的|率|数|每/g
