import { figure, percentage } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { meanFactor } from '../rate.js'
import { type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.evals-in-warmup': {
    en: 'the warm-up lasts {warmup} of {total} steps and covers the first {n} evaluations (steps {first}–{last}): until then the mean learning rate is {rate}, {share} % of the peak. A comparison that stops before step {warmup} compares runs at that rate',
    zh: 'warmup 占 {total} 步中的 {warmup} 步，覆盖前 {n} 次验证（step {first}–{last}）：其间平均学习率为 {rate}，是峰值的 {share}%。在 step {warmup} 之前停下的对比，比的就是这个学习率下的 run',
  },
  'launch.evals-in-warmup.all': {
    en: 'all {n} compared evaluations (steps {first}–{last}) lie inside the warm-up of {warmup} steps: the mean learning rate until then is {rate}, {share} % of the peak',
    zh: '要比较的全部 {n} 次验证（step {first}–{last}）都在 {warmup} 步的 warmup 内：其间平均学习率为 {rate}，是峰值的 {share}%',
  },
  'launch.evals-in-warmup.remedy': {
    en: 'shorten the warm-up (10 steps do), or compare only evaluations well past step {warmup}',
    zh: '缩短 warmup（10 步足够），或只比较 step {warmup} 之后足够远的验证',
  },
  'launch.evals-in-warmup.cannot.length': {
    en: 'how long the training and its warm-up last: needs the rows of the training data, or a number of steps',
    zh: '无法得知训练及 warmup 的步数：需要训练数据的行数，或给定步数',
  },
})

/** One or two evaluations at a lower rate are what a warm-up is for. */
const FEWEST = 3

export const evalsInWarmup: LaunchRule = {
  id: 'evals-in-warmup',
  severity: 'warning',
  about: {
    en: 'Three or more planned evaluations fall into the learning-rate warm-up; with `--until`, those up to that step.',
    zh: '有三次或更多计划中的验证落在学习率 warmup 内；给定 `--until` 时只看到该步为止的验证。',
  },
  check(subject) {
    const { rate, amounts, until, setting } = subject
    if (rate === null || rate.warmupSteps === 0 || amounts.evaluateEvery === 0) return
    const { warmupSteps, factorAt, peak } = rate
    if (warmupSteps === null || factorAt === null || amounts.evaluationSteps === null || amounts.totalSteps === null) {
      return { cannotTell: say('launch.evals-in-warmup.cannot.length', {}) }
    }
    const compared = amounts.evaluationSteps.filter(step => step > 0 && step <= (until ?? Number.POSITIVE_INFINITY))
    const inside = compared.filter(step => step <= warmupSteps)
    if (inside.length < FEWEST) return
    const [first, last] = [inside[0], inside[inside.length - 1]]
    const share = meanFactor(factorAt, last)
    const said = {
      n: inside.length,
      first,
      last,
      warmup: warmupSteps,
      rate: figure(share * peak, 2),
      share: percentage(share),
    }
    const steps = setting('lr.warmup.steps')
    const isBySteps = typeof steps.value === 'number' && steps.value > 0
    return {
      ...placeOf(subject, isBySteps ? steps.written : setting('lr.warmup.ratio').written, 'lr.warmup'),
      message:
        inside.length === compared.length
          ? say('launch.evals-in-warmup.all', said)
          : say('launch.evals-in-warmup', { ...said, total: amounts.totalSteps }),
      remedy: say('launch.evals-in-warmup.remedy', { warmup: warmupSteps }),
    }
  },
}
