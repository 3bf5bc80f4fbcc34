import type { Templates } from './language.js'

/** `klens checkpoints`: which one to ship. */
export const checkpointTexts = {
  'checkpoints.about': {
    en: 'which checkpoint to ship, and which ones are tied with it',
    zh: '该选哪个 checkpoint，哪些与它并列',
  },
  'checkpoints.option.metric': {
    en: 'metric to rank by, raw or canonical (default val.score, or val.loss if that covers more queries)',
    zh: '排序所用的指标，原名或规范名（默认 val.score；若 val.loss 基于更多查询则用 val.loss）',
  },
  'checkpoints.option.max-kl': {
    en: 'only checkpoints whose KL to the reference is at most this',
    zh: '只考虑与参考策略的 KL 不超过此值的 checkpoint',
  },
  'checkpoints.no-goal': {
    en: 'it is unknown which direction of "{metric}" is better; set --goal max or --goal min',
    zh: '不知道“{metric}”哪个方向更好；请加 --goal max 或 --goal min',
  },
  'checkpoints.empty': { en: 'run {run} has no finite value of "{metric}"', zh: 'run {run} 的“{metric}”没有有限值' },
  'checkpoints.headline': {
    en: 'use step {step}: {why}',
    zh: '建议取 step {step}：{why}',
  },
  'checkpoints.best': {
    en: 'best reported: {value} at step {step}; estimated true value {shrunken} ({low} … {high})',
    zh: '报告的最优值：step {step} 的 {value}；真实值估计为 {shrunken}（{low} … {high}）',
  },
  'checkpoints.loss': {
    en: 'the best step of the smoothed curve, saved or not, is {loss} better',
    zh: '按同一条去噪曲线，最优的 step（不论是否保存）还要高 {loss}',
  },
  'checkpoints.saved-unknown': {
    en: 'the log does not say which steps were saved: check that this one was',
    zh: '日志和配置都没有说明保存了哪些 step：请先确认这一步的 checkpoint 存在',
  },
  'checkpoints.best-plain': {
    en: 'best reported: {value} at step {step}',
    zh: '报告的最优值：step {step} 的 {value}',
  },
  'checkpoints.alike': {
    en: '{count} of {all} evaluation{all||s} are tied with the best; tied does not mean equally good',
    zh: '在现有样本量下，{all} 次验证中有 {count} 次与最优无法区分，但这不等于同样好',
  },
  'checkpoints.held-out': {
    en: 'chosen on half of the prompts, scored on the other half: {value} (mean of 200 splits)',
    zh: '用一半样本挑选、另一半样本评分：{value}（200 次对半划分的均值）',
  },
  'checkpoints.best-is-last': {
    en: 'the best is the last evaluation (step {step}): the peak may not be reached yet',
    zh: '最优值就是最后一次验证（step {step}）：训练可能尚未到顶',
  },
  'checkpoints.no-error': {
    en: 'the error of one evaluation is unknown: {n} {n|evaluation|evaluations}, and neither the number of prompts nor per-prompt scores',
    zh: '单次验证的误差未知：只有 {n} 次验证，既没有样本数也没有逐样本得分',
  },
  'checkpoints.error-from-scores': {
    en: 'error of one evaluation {error}, from the scores of {n} prompt{n||s}',
    zh: '单次验证的标准误 {error}，由 {n} 个样本的得分算出',
  },
  'checkpoints.error-from-n': {
    en: 'error of one evaluation at most {error}, from {n} prompt{n||s}',
    zh: '单次验证的标准误至多 {error}，由样本数 {n} 推得',
  },
  'checkpoints.error-from-jitter': {
    en: 'error of one evaluation roughly {error}, from the noise of the curve',
    zh: '单次验证的标准误约 {error}，由曲线抖动粗略估计',
  },
  'checkpoints.column.alike': { en: 'tied with best', zh: '与最优并列' },
} as const satisfies Templates
