import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, tooShort, type UntreatedSymptom } from '../run-rule.js'
import { type Curve, combined, stepsOf, within } from '../signs/curve.js'
import { whereLasting } from '../signs/lasting.js'
import type { Subject } from '../subject.js'

export const rewardAbsorbing = runRule({
  id: 'reward-absorbing',
  severity: 'error',
  about: {
    en: 'Every answer of the batch gets the same reward: there is nothing to climb, and no way out by itself.',
    zh: '一批中所有回答的 reward 都相同：没有可以提升的方向，也不会自行恢复。',
  },
  needs: [['score.max', 'reward.max', 'reward.std']],
  uses: ['score.min', 'reward.min'],
  thresholds: {
    FEWEST: threshold(10, {
      en: 'Derived: with eight answers to each of 32 prompts, ten steps without two different rewards are no coincidence.',
      zh: '推得：32 个 prompt 各 8 个回答，连续 10 步没有两个不同的 reward，不是巧合。',
    }),
  },
  says: {
    'reward-absorbing': {
      en: 'every answer gets the reward {reward} since step {from}: there is nothing to climb',
      zh: '自 step {from} 起所有回答的 reward 都是 {reward}：没有可以提升的方向',
    },
    'reward-absorbing.deviation': {
      en: 'the rewards of a batch do not differ since step {from}: there is nothing to climb',
      zh: '自 step {from} 起同一批的 reward 没有差异：没有可以提升的方向',
    },
    'reward-absorbing.solved': {
      en: 'every answer gets the best reward, {reward}, since step {from}: these prompts are learned',
      zh: '自 step {from} 起所有回答都得到最高 reward {reward}：这批 prompt 已经学会',
    },
    'reward-absorbing.solved.remedy': {
      en: 'stop here, or go on with harder prompts',
      zh: '可以到此为止，或换更难的 prompt 继续',
    },
    'reward-absorbing.cannot.not-told': {
      en: 'the log does not tell how far the rewards of a batch lie apart',
      zh: '日志没有说明同一批 reward 的差异',
    },
  },
  remedy: {
    en: 'stop; read ten answers and their rewards, repair the reward function or the environment, and go back to a checkpoint from before it',
    zh: '停止训练；查看 10 个回答及其 reward，修复 reward 函数或环境，再退回到此前的 checkpoint',
  },
  check(subject, { say, FEWEST }) {
    const spreads = spreadsOf(subject)
    const [longest] = spreads.toSorted((a, b) => b.steps.length - a.steps.length)
    if (longest === undefined) return cannotSay(say('reward-absorbing.cannot.not-told', {}))
    if (longest.steps.length < FEWEST) return tooShort(longest, FEWEST)
    for (const spread of spreads) {
      const found = whereLasting(spread, value => value === 0, FEWEST)
      if (found !== undefined) return symptom(within(spread, found), subject)
    }
    return
  },
})

/** How far apart the rewards of a batch lie: the task's own score first, then what is optimised. */
function spreadsOf({ curve }: Subject): readonly Curve[] {
  const spread = (highest: Curve | undefined, lowest: Curve | undefined): Curve[] => {
    return highest === undefined || lowest === undefined ? [] : [combined(highest, lowest, (a, b) => a - b)]
  }
  const deviation = curve('reward.std')
  return [
    ...spread(curve('score.max'), curve('score.min')),
    ...spread(curve('reward.max'), curve('reward.min')),
    ...(deviation === undefined ? [] : [deviation]),
  ]
}

/** Stuck at the best reward after there were worse ones is a task that has been solved. */
function symptom(flat: Curve, { curve }: Subject): UntreatedSymptom {
  const [from, to] = stepsOf(flat)
  const stuckAt = (['score', 'reward'] as const).flatMap(name => {
    const [highest, lowest] = [curve(`${name}.max`), curve(`${name}.min`)]
    if (highest?.metric !== flat.metric || lowest === undefined) return []
    const reward = highest.values[highest.steps.indexOf(to)]
    return [
      { reward, solved: highest.values.every(value => value <= reward) && lowest.values.some(value => value < reward) },
    ]
  })[0]
  const solved = stuckAt?.solved === true
  return {
    ...(solved ? { severity: 'note' } : {}),
    steps: [from, to],
    evidence: { metric: flat.metric, points: flat.steps.length, ...(stuckAt && { reward: stuckAt.reward }) },
    message:
      stuckAt === undefined
        ? rewardAbsorbing.say('reward-absorbing.deviation', { from })
        : rewardAbsorbing.say(solved ? 'reward-absorbing.solved' : 'reward-absorbing', {
            from,
            reward: figure(stuckAt.reward),
          }),
    remedy: solved ? rewardAbsorbing.say('reward-absorbing.solved.remedy', {}) : undefined,
  }
}
