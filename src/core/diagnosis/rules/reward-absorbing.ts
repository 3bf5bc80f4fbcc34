import { figure, percentage } from '../../../text/numbers.js'
import { runRule, threshold, tooShort, type UntreatedSymptom } from '../run-rule.js'
import { type Curve, combined, stepsOf, within } from '../signs/curve.js'
import { stretches } from '../signs/lasting.js'
import { isPrintedInFull } from '../signs/printed.js'
import { hasLearned, SCORES } from '../signs/score.js'
import type { Subject } from '../subject.js'

export const rewardAbsorbing = runRule({
  id: 'reward-absorbing',
  severity: 'error',
  about: {
    en: 'Every answer of the batch gets the same reward: there is nothing to climb, and no way out by itself.',
    zh: '一批中所有回答的 reward 都相同：没有可以提升的方向，也不会自行恢复。',
  },
  needs: [['score.max', 'reward.max', 'reward.std', 'score.mean', 'reward.mean']],
  uses: ['score.min', 'reward.min', ...SCORES],
  thresholds: {
    FEWEST: threshold(10, {
      en: 'Derived: with eight answers to each of 32 prompts, ten steps without two different rewards are no coincidence.',
      zh: '推得：32 个 prompt 各 8 个回答，连续 10 步没有两个不同的 reward，不是巧合。',
    }),
    CHANCE: threshold(0.001, {
      en: 'Small batches tie now and then: the last steps, all of them tied, must be less likely than this at the share of tied steps before.',
      zh: '小 batch 时常打平：按此前打平的比例，末尾连续打平的概率须低于此值。',
    }),
    FEWEST_MEANS: threshold(20, {
      en: 'Where only the mean of a batch is logged, it must be the same at so many steps, and at all of them. Derived.',
      zh: '只记录了均值时，须在这么多个 step、且在全部 step 上相同。推得。',
    }),
    MANY_TIED: threshold(0.25, {
      en: 'Derived: a quarter of the steps without any difference is a quarter of the budget; a note.',
      zh: '推得：四分之一的 step 没有差异，就是四分之一的预算白费；只作提示。',
    }),
  },
  says: {
    'reward-absorbing': {
      en: 'every response gets the reward {reward} since step {from}: there is no gradient to follow',
      zh: '自 step {from} 起所有回答的 reward 都是 {reward}：没有可以提升的方向',
    },
    'reward-absorbing.deviation': {
      en: 'the rewards of a batch are all equal since step {from}: there is no gradient to follow',
      zh: '自 step {from} 起同一批的 reward 没有差异：没有可以提升的方向',
    },
    'reward-absorbing.never': {
      en: '{metric} is {reward} at each of the {n} step{n||s}: the reward never separated one response from another, and nothing can be learned from it',
      zh: '{metric} 在全部 {n} 个 step 上都是 {reward}：reward 从未区分过回答好坏，什么也学不到',
    },
    'reward-absorbing.tied': {
      en: 'at {share} % of the steps all compared rewards are equal (at most {longest} step{longest||s} in a row): these steps give no gradient',
      zh: '{share}% 的 step 上参与比较的 reward 全都相同（最多连续 {longest} 步）：这些 step 学不到东西',
    },
    'reward-absorbing.tied.remedy': {
      en: 'use more prompts per step, more responses per prompt, or prompts that are sometimes solved',
      zh: '增加每步的 prompt 数或每个 prompt 的回答数，或换成有时对有时错的 prompt',
    },
    'reward-absorbing.solved': {
      en: 'every response gets the best reward, {reward}, since step {from}: these prompts are learned',
      zh: '自 step {from} 起所有回答都得到最高 reward {reward}：这批 prompt 已经学会',
    },
    'reward-absorbing.solved.remedy': {
      en: 'stop here, or continue with harder prompts',
      zh: '可以到此为止，或换更难的 prompt 继续',
    },
  },
  remedy: {
    en: 'stop; read ten responses and their rewards, fix the reward function or the environment, and go back to an earlier checkpoint',
    zh: '停止训练；查看 10 个回答及其 reward，修复 reward 函数或环境，再退回到此前的 checkpoint',
  },
  check(subject, { FEWEST }) {
    const spreads = spreadsOf(subject)
    const means = meansOf(subject)
    const [longest] = [...spreads, ...means].toSorted((a, b) => b.steps.length - a.steps.length)
    if (longest === undefined) return
    if (longest.steps.length < FEWEST) return tooShort(longest, FEWEST)
    const stuck = spreads.map(tiedToTheEnd).find(flat => flat !== undefined)
    if (stuck !== undefined) return ofStuck(stuck, subject)
    if (spreads.length === 0) return ofMeans(means, subject)
    return ofTied(spreads[0])
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

function meansOf({ curve }: Subject): readonly Curve[] {
  return ['score.mean', 'reward.mean'].flatMap(meaning => curve(meaning) ?? [])
}

/**
 * The last steps, without an exception. Of one prompt with four answers every other batch ties, so the stretch must be
 * longer than chance makes it.
 */
function tiedToTheEnd(spread: Curve): Curve | undefined {
  const { FEWEST, CHANCE } = rewardAbsorbing.limits
  const from = spread.values.findLastIndex(value => value !== 0) + 1
  const flat = within(spread, { from, to: spread.values.length })
  const tiedBefore = spread.values.subarray(0, from).filter(value => value === 0).length
  const chance = ((tiedBefore + 1) / (from + 2)) ** flat.values.length
  return flat.values.length >= FEWEST && chance < CHANCE ? flat : undefined
}

/** Stuck at the best reward after there were worse ones is a task that has been solved. */
function ofStuck(flat: Curve, subject: Subject): UntreatedSymptom {
  const [from, to] = stepsOf(flat)
  const [range] = (['score', 'reward'] as const).flatMap(name => {
    const [highest, lowest] = [subject.curve(`${name}.max`), subject.curve(`${name}.min`)]
    return highest?.metric === flat.metric && lowest !== undefined ? [{ highest, lowest }] : []
  })
  const [mean] = meansOf(subject)
  const { highest, lowest } = range ?? { highest: mean, lowest: mean }
  const reward = highest?.values[highest.steps.indexOf(to)]
  const solved =
    reward !== undefined &&
    highest?.values.every(value => value <= reward) === true &&
    lowest?.values.some(value => value < reward) === true
  return {
    ...(solved ? { severity: 'note' } : {}),
    steps: [from, to],
    evidence: { metric: flat.metric, points: flat.steps.length, ...(reward !== undefined && { reward }) },
    message:
      reward === undefined || (range === undefined && !solved)
        ? rewardAbsorbing.say('reward-absorbing.deviation', { from })
        : rewardAbsorbing.say(solved ? 'reward-absorbing.solved' : 'reward-absorbing', {
            from,
            reward: figure(reward),
          }),
    remedy: solved ? rewardAbsorbing.say('reward-absorbing.solved.remedy', {}) : undefined,
  }
}

/** A mean that never moves: of rewards that are all the same, unless the log prints too few digits to tell. */
function ofMeans(means: readonly Curve[], subject: Subject): UntreatedSymptom | undefined {
  const { FEWEST_MEANS } = rewardAbsorbing.limits
  const still = means.find(({ values }) => values.length >= FEWEST_MEANS && values.every(value => value === values[0]))
  const isMoving = means.some(({ values }) => values.some(value => value !== values[0]))
  if (still === undefined || isMoving || hasLearned(subject) === true) return undefined
  const reward = still.values[0]
  return {
    ...(reward === 0 && isPrintedInFull(subject.manifest) ? {} : { severity: 'warning' }),
    steps: stepsOf(still),
    evidence: { metric: still.metric, points: still.steps.length, reward },
    message: rewardAbsorbing.say('reward-absorbing.never', {
      metric: still.metric,
      reward: figure(reward),
      n: still.steps.length,
    }),
  }
}

function ofTied(spread: Curve): UntreatedSymptom | undefined {
  const { FEWEST, MANY_TIED } = rewardAbsorbing.limits
  const tied = stretches(spread, value => value === 0)
  const share = tied.reduce((sum, { from, to }) => sum + to - from, 0) / spread.values.length
  if (spread.values.length < 2 * FEWEST || share < MANY_TIED) return undefined
  const longest = Math.max(...tied.map(({ from, to }) => to - from))
  return {
    severity: 'note',
    steps: stepsOf(spread),
    evidence: { metric: spread.metric, share, longest },
    message: rewardAbsorbing.say('reward-absorbing.tied', { share: percentage(share), longest }),
    remedy: rewardAbsorbing.say('reward-absorbing.tied.remedy', {}),
  }
}
