import type { Templates } from './language.js'

/** `klens checkpoints`: which one to ship. */
export const checkpointTexts = {
  'checkpoints.about': {
    en: 'which checkpoint to ship, and which ones are indistinguishable from it',
    zh: '该选哪个 checkpoint，哪些与它无法区分',
  },
  'checkpoints.option.metric': {
    en: 'metric to rank by, raw or canonical (default val.score, or val.loss where that rests on more queries)',
    zh: '排序所用的指标，原名或规范名（默认 val.score；若 val.loss 基于更多查询则用 val.loss）',
  },
  'checkpoints.option.max-kl': {
    en: 'only checkpoints whose KL to the reference is at most this',
    zh: '只考虑与参考策略的 KL 不超过此值的 checkpoint',
  },
  'checkpoints.no-goal': {
    en: 'klens does not know which direction of "{metric}" is better; say --goal max or --goal min',
    zh: '不知道“{metric}”哪个方向更好；请加 --goal max 或 --goal min',
  },
  'checkpoints.empty': { en: 'run {run} has no finite value of "{metric}"', zh: 'run {run} 的“{metric}”没有有限值' },
  'checkpoints.headline': {
    en: 'take step {step}: {why}',
    zh: '建议取 step {step}：{why}',
  },
  'checkpoints.best': {
    en: 'best reported: {value} at step {step}; worth about {shrunken} once the luck of the draw is taken off ({low} … {high})',
    zh: '报告的最优值：step {step} 的 {value}；去掉挑选带来的运气后约为 {shrunken}（{low} … {high}）',
  },
  'checkpoints.loss': {
    en: 'by the same course the best step, saved or not, is worth {loss} more',
    zh: '按同一条去噪曲线，最优的 step（不论是否保存）还要高 {loss}',
  },
  'checkpoints.saved-unknown': {
    en: 'nothing tells which steps were saved: make sure that this one was',
    zh: '日志和配置都没有说明保存了哪些 step：请先确认这一步的 checkpoint 存在',
  },
  'checkpoints.best-plain': {
    en: 'best reported: {value} at step {step}',
    zh: '报告的最优值：step {step} 的 {value}',
  },
  'checkpoints.alike': {
    en: '{count} of {all} evaluations cannot be told from the best at this n, which does not make them as good',
    zh: '在现有样本量下，{all} 次验证中有 {count} 次与最优无法区分，但这不等于同样好',
  },
  'checkpoints.held-out': {
    en: 'chosen on one half of the prompts and scored on the other: {value} (mean of 200 halvings)',
    zh: '用一半样本挑选、另一半样本评分：{value}（200 次对半划分的均值）',
  },
  'checkpoints.best-is-last': {
    en: 'the best is the last evaluation (step {step}): training may not have peaked yet',
    zh: '最优值就是最后一次验证（step {step}）：训练可能尚未到顶',
  },
  'checkpoints.no-error': {
    en: 'the error of one evaluation is unknown: {n} {n|evaluation|evaluations}, and neither the number of prompts nor their scores',
    zh: '单次验证的误差未知：只有 {n} 次验证，既没有样本数也没有逐样本得分',
  },
  'checkpoints.error-from-scores': {
    en: 'error of one evaluation {error}, from the scores of {n} prompts',
    zh: '单次验证的标准误 {error}，由 {n} 个样本的得分算出',
  },
  'checkpoints.error-from-n': {
    en: 'error of one evaluation at most {error}, from {n} prompts',
    zh: '单次验证的标准误至多 {error}，由样本数 {n} 推得',
  },
  'checkpoints.error-from-jitter': {
    en: 'error of one evaluation about {error}, roughly, from how the curve jitters',
    zh: '单次验证的标准误约 {error}，由曲线抖动粗略估计',
  },
  'checkpoints.column.alike': { en: 'not separable', zh: '无法区分' },
} as const satisfies Templates
