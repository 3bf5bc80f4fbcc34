import { liveFall } from '../../stats/live-fall.js'
import { figure, percentage } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { downward, type ScoreCourse, type StopRule, upward } from './look.js'

/** The score has collapsed: far below the level it held, not once only, and beyond all that it ever came back from. */

const say = sentences({
  'stop.collapse': {
    en: '{metric} has collapsed: {now} over the last evaluations, after {held} ({lost} % lost; one evaluation is known to ±{noise})',
    zh: '{metric} 已崩塌：最近几次验证为 {now}，此前保持在 {held}（损失 {lost}%；单次验证的波动约 ±{noise}）',
  },
  'stop.collapse.false': {
    en: 'stopped none of the 106 healthy runs of two labs, half of which it had not been tuned on; in simulations under 1 % of healthy runs while one evaluation scatters by up to a tenth of the level (autocorrelation up to 0.9) or by up to a third (up to 0.6); up to {worst} % with heavy tails or outliers, up to {wander} % of policies that wander by a third of their level (docs/statistics.md)',
    zh: '两个实验室的 106 个健康 run 中无一被误停，其中一半未用于调整规则；模拟中，单次验证的波动不超过水平的十分之一（自相关至 0.9）或不超过三分之一（自相关至 0.6）时，健康 run 被误停的比例低于 1%；有厚尾或离群值时至多 {worst}%，策略本身以水平的三分之一缓慢游走时至多 {wander}%（docs/statistics.md）',
  },
})

/** Measured by `npm run calibrate`, false-stops: the worst cells, in per cent. */
const SIMULATED = { worst: '1.6', wander: '9' }

/** Over a whole run. */
const FALSE_STOPS = 0.01

export const collapse: StopRule = {
  id: 'collapse',
  decide({ step, score }) {
    if (score === null) return null
    const values = upward(score)
    const fall = liveFall(values, { alpha: FALSE_STOPS, floor: floorOf(score), knownNoise: samplingNoise(score) })
    if (fall === null) return null
    const [held, now] = [downward(score, fall.held), downward(score, fall.now)]
    const lost = (fall.held - fall.now) / (fall.held - floorOf(score))
    return {
      rule: 'collapse',
      step,
      message: say('stop.collapse', {
        metric: score.metric,
        now: figure(now),
        held: figure(held),
        lost: percentage(Math.min(1, lost)),
        noise: figure(fall.noise),
      }),
      evidence: { metric: score.metric, held, now, noise: fall.noise, evaluations: score.values.length },
      falseStops: say('stop.collapse.false', SIMULATED),
    }
  },
}

/** The worst that can be: nothing for scores, and for what may be negative or should be small, where it began, and below. */
function floorOf(score: ScoreCourse): number {
  const values = upward(score)
  return values.every(value => value >= 0) ? 0 : Math.min(...values.slice(0, 3))
}

function samplingNoise({ prompts, values }: ScoreCourse): number {
  if (prompts === null || values.some(value => value < 0 || value > 1)) return 0
  const share = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt((share * (1 - share)) / prompts)
}
