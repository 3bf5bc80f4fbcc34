import { liveFall } from '../../stats/live-fall.js'
import { figure, percentage } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { downward, type ScoreCourse, type StopRule, upward } from './look.js'

/** The score has collapsed: far below the level it held, twice in a row, and beyond all that it ever came back from. */

const say = sentences({
  'stop.collapse': {
    en: '{metric} has collapsed: {now} over the last evaluations, after {held} ({lost} % lost; one evaluation is known to ±{noise})',
    zh: '{metric} 已崩塌：最近几次验证为 {now}，此前保持在 {held}（损失 {lost}%；单次验证的波动约 ±{noise}）',
  },
  'stop.collapse.false': {
    en: 'stopped none of the 106 healthy runs of two labs that it was tuned on; in simulations up to 1.5 % of healthy runs, while one evaluation scatters by less than a tenth of the level and its autocorrelation is at most 0.6 (docs/verbs/watch.md)',
    zh: '调整规则时所用的两个实验室的 106 个健康 run 中无一被误停；模拟中，只要单次验证的波动低于水平的十分之一、自相关不超过 0.6，健康 run 被误停的比例至多 1.5%（docs/verbs/watch.zh.md）',
  },
})

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
      falseStops: say('stop.collapse.false', {}),
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
