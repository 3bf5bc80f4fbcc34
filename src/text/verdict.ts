import type { Templates } from './language.js'

/** How a verdict is said, wherever it is shown: its answer, its question, its scope and its tags. */
export const verdictTexts = {
  'says.better': { en: '{other} is better than {baseline}', zh: '{other} 优于 {baseline}' },
  'says.worse': { en: '{other} is worse than {baseline}', zh: '{other} 不如 {baseline}' },
  'says.higher': { en: '{other} is higher than {baseline}', zh: '{other} 高于 {baseline}' },
  'says.lower': { en: '{other} is lower than {baseline}', zh: '{other} 低于 {baseline}' },
  'says.same': {
    en: '{other} and {baseline} differ by less than the margin',
    zh: '{other} 与 {baseline} 的差异小于等效界限',
  },
  'says.different-but-small': {
    en: '{other} differs from {baseline}, by less than the margin',
    zh: '{other} 与 {baseline} 有差异，但小于等效界限',
  },
  'says.undetermined': {
    en: '{other} and {baseline} are not significantly different',
    zh: '现有数据分不出 {other} 与 {baseline} 孰优孰劣',
  },
  'says.no-interval': {
    en: 'not enough data to compare {other} with {baseline}',
    zh: '现有数据无法比较 {other} 与 {baseline}',
  },
  'says.on-these-prompts': { en: '{said}, on this eval set only', zh: '{said}，仅限这批验证样本' },
  'tag.fragile': { en: 'fragile: few or strongly autocorrelated evaluations', zh: '不牢靠：验证次数少或自相关强' },
  'tag.optimised-reward': {
    en: 'optimised reward only: no independent score confirms it',
    zh: '仅依据被优化的奖励，没有独立得分印证',
  },
  'tag.overoptimised': {
    en: 'overoptimised: the optimised reward and the independent score disagree',
    zh: '过度优化：被优化的奖励与独立得分相反',
  },
  'tag.these-prompts': { en: 'on this eval set only', zh: '仅限这批样本' },
  'tag.looked-once': {
    en: 'holds if this is the only interim analysis: the log does not say that training is over (--ended if it is)',
    zh: '仅在只看这一次时成立：没有记录表明训练已结束（已结束请加 --ended）',
  },
  'tag.house-noise': {
    en: 'seeds of one setting often differ as much',
    zh: '同一配置的重复实验也常有这么大的差异',
  },
  'answer.better': { en: 'BETTER', zh: '更好' },
  'answer.worse': { en: 'WORSE', zh: '更差' },
  'answer.same': { en: 'ABOUT THE SAME', zh: '相当' },
  'answer.different-but-small': { en: 'DIFFERENT, BUT SMALLER THAN THE MARGIN', zh: '有差异，但小于等效界限' },
  'answer.undetermined': { en: 'UNDETERMINED', zh: '无法判定' },
  'answer.higher': { en: 'HIGHER', zh: '更高' },
  'answer.lower': { en: 'LOWER', zh: '更低' },
  'question.checkpoint': { en: 'checkpoint', zh: 'checkpoint' },
  'question.level': { en: 'training average', zh: '整体水平' },
  'question.final': { en: 'final score', zh: '后期水平' },
  'question.speed': { en: 'convergence', zh: '收敛速度' },
  'question.stability': { en: 'stability', zh: '稳定性' },
  'question.cost': { en: 'cost', zh: '开销' },
  'scope.checkpoints': { en: 'these checkpoints', zh: '这些 checkpoint' },
  'scope.runs': { en: 'these runs', zh: '这些 run' },
  'scope.configs': { en: 'the settings', zh: '配置' },
  'verdict.source': { en: '{metric} of {runs}, {aggregate}', zh: '{runs} 的 {metric}，{aggregate}' },
} as const satisfies Templates
