import { jitter } from '../../../stats/trend.js'
import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, tooShort, type UntreatedSymptom } from '../run-rule.js'
import { savedUpTo } from '../signs/acting.js'
import { between, type Curve, stepsOf } from '../signs/curve.js'
import { settledFrom } from '../signs/lasting.js'
import { isRewardTheScore, type LevelChange, levelChange, type RewardPart, rewardParts } from '../signs/score.js'
import { validationCurves } from '../signs/validation.js'
import { FEWEST_FOR_TREND, fallOf, validationFalls } from '../signs/validation-fall.js'
import type { Subject } from '../subject.js'

export const rewardHacking = runRule({
  id: 'reward-hacking',
  severity: 'error',
  about: {
    en: "What is optimised rises while what is wanted falls: the reward pays for something else than the task. Compared with the reward: the task's own score, the parts of the reward (TRL's `rewards/<function>/mean`), validation. Where the log has none of them it could not be checked. A part that pays for form may fall while the task rises; which parts do is told by their names.",
    zh: '被优化的在上升，想要的却在下降：reward 奖励的不是任务本身。与 reward 对照的有：任务自身的得分、reward 的各分项（TRL 的 `rewards/<function>/mean`）、验证。日志中都没有时无法检查。奖励格式的分项可以在任务上升时下降；哪些是格式项由名称判断。',
  },
  needs: ['reward.mean', ['score.mean', 'val.score', 'reward.part']],
  thresholds: {
    ERRORS: threshold(5, {
      en: 'In standard errors of the difference. Derived: batches drift, and the step-to-step jitter sees none of that.',
      zh: '以差值的标准误计。推得：batch 会漂移，而相邻步的抖动看不到漂移。',
    }),
    SMALLEST_FALL: threshold(0.05, {
      en: 'The share of the task score that must be lost: the usual margin of docs/statistics.md.',
      zh: '任务得分至少要损失的比例：docs/statistics.md 的常用界限。',
    }),
    SMALLEST_FALL_OF_PART: threshold(0.2, {
      en: 'Of a part of the reward a fifth: parts trade places a little in every run. Below 0.8 is the limit of a collapse.',
      zh: '对 reward 的分项为五分之一：各分项在任何 run 中都会略有消长。低于 0.8 是崩塌的界限。',
    }),
    FEWEST_STEPS: threshold(20, {
      en: 'Fewer steps make no curve. Derived.',
      zh: '步数更少则谈不上训练走势。推得。',
    }),
  },
  says: {
    'reward-hacking': {
      en: 'the training reward rose from {rewardStart} to {rewardEnd} while the task score {metric} fell from {start} to {end}: the reward pays for something other than the task',
      zh: '训练 reward 从 {rewardStart} 升到 {rewardEnd}，而任务得分 {metric} 从 {start} 降到 {end}：reward 奖励的不是任务本身（reward hacking）',
    },
    'reward-hacking.parts': {
      en: 'one part of the reward rises at the cost of another: {risen} went from {risenStart} to {risenEnd}, {fallen} from {start} to {end}',
      zh: 'reward 靠一项上升、另一项下降而提高：{risen} 从 {risenStart} 到 {risenEnd}，{fallen} 从 {start} 到 {end}',
    },
    'reward-hacking.parts.remedy': {
      en: 'lower the weight of {risen}, or pay it only for responses that also earn {fallen}; choose checkpoints by {fallen}, not by the sum',
      zh: '降低 {risen} 的权重，或只在回答同时得到 {fallen} 时才给；按 {fallen} 而不是总 reward 选 checkpoint',
    },
    'reward-hacking.validation': {
      en: 'the training reward rose from {rewardStart} to {rewardEnd} while validation {metric} fell from {start} to {end}: the policy exploits the reward or overfits the training prompts',
      zh: '训练 reward 从 {rewardStart} 升到 {rewardEnd}，而验证 {metric} 从 {start} 降到 {end}：策略在利用 reward 的漏洞，或对训练 prompt 过拟合',
    },
    'reward-hacking.validation.remedy': {
      en: 'use the checkpoint near step {step}; compare responses to training and validation prompts: if both share the same odd habit it is the reward, otherwise use more prompts or a larger KL coefficient',
      zh: '改用 step {step} 附近的 checkpoint；对比训练与验证 prompt 的回答：两边有同样的异常套路则是 reward 的问题，否则增加 prompt 或提高 KL 系数',
    },
    'reward-hacking.cannot.same': {
      en: 'the reward is the only task signal in the log: there is no separate score, no validation and no second reward part to compare it with',
      zh: '任务方面只记录了 reward 本身：没有独立的得分、没有验证，也没有第二个 reward 分项可以对照',
    },
  },
  remedy: {
    en: 'read the highest-rewarded responses, remove or cap the term that they exploit (usually length or format), and resume from an earlier checkpoint; choose checkpoints by the task score, never by this reward',
    zh: '查看 reward 最高的回答，去掉或限制被利用的奖励项（常见的是长度和格式），从此前的 checkpoint 恢复；按任务得分选 checkpoint，不要按该 reward 选',
  },
  check(subject, { say, needed: [reward], FEWEST_STEPS }) {
    if (reward.steps.length < FEWEST_STEPS) return tooShort(reward, FEWEST_STEPS)
    const parts = rewardParts(subject)
    const isScoreTold = !isRewardTheScore(subject) && subject.kl.inReward.on !== true
    const isValidated = validationCurves(subject).some(({ steps }) => steps.length >= FEWEST_FOR_TREND)
    if (!isScoreTold && !isValidated && parts.length < 2) return cannotSay(say('reward-hacking.cannot.same', {}))
    const found = isScoreTold ? againstScore(subject, reward) : undefined
    return found ?? amongParts(parts, reward) ?? againstValidation(subject, reward)
  },
})

/** Not asked with the KL in the reward: then reward and score part ways without anybody cheating. */
function againstScore({ curve }: Subject, reward: Curve): UntreatedSymptom | undefined {
  const { ERRORS, SMALLEST_FALL } = rewardHacking.limits
  const score = curve('score.mean')
  if (score === undefined) return
  const gain = levelChange(reward)
  const loss = levelChange(score)
  if (!(gain.errors >= ERRORS && loss.errors <= -ERRORS)) return
  if (loss.start - loss.end < SMALLEST_FALL * Math.abs(loss.start)) return
  const middle = (loss.start + loss.end) / 2
  const from = settledFrom(score, value => value < middle)
  return {
    steps: [score.steps[Math.max(0, from)], score.steps[score.steps.length - 1]],
    evidence: evidenceOf(reward, gain, score, loss),
    message: rewardHacking.say('reward-hacking', {
      rewardStart: figure(gain.start),
      rewardEnd: figure(gain.end),
      metric: score.metric,
      start: figure(loss.start),
      end: figure(loss.end),
    }),
  }
}

/**
 * One part of the reward is given up for another, and the sum gains by it. A part that pays for form may well fall while
 * the task rises, and penalties fall as answers grow: what falls must be earned for content. Where what rises is no
 * form either, it may be a trade that somebody wants.
 */
function amongParts(parts: readonly RewardPart[], reward: Curve): UntreatedSymptom | undefined {
  const { ERRORS, SMALLEST_FALL_OF_PART } = rewardHacking.limits
  for (const { curve: fallen, ofForm } of parts) {
    if (ofForm || !(fallen.values[0] > 0)) continue
    const fall = fallOf(fallen, jitter(fallen.steps, fallen.values), { smallest: SMALLEST_FALL_OF_PART })
    if (fall === null) continue
    const since = (curve: Curve): LevelChange =>
      levelChange(between(curve, fall.beforeSteps[0], Number.POSITIVE_INFINITY))
    if (!(since(reward).errors >= ERRORS)) continue
    const risen = parts
      .filter(({ curve }) => curve !== fallen && since(curve).errors >= ERRORS)
      .toSorted((a, b) => Number(b.ofForm) - Number(a.ofForm))[0]
    if (risen === undefined) continue
    const gain = since(risen.curve)
    return {
      severity: risen.ofForm ? 'warning' : 'note',
      steps: fall.steps,
      evidence: evidenceOf(risen.curve, gain, fallen, { start: fall.before, end: fall.after, errors: Number.NaN }),
      message: rewardHacking.say('reward-hacking.parts', {
        risen: risen.curve.metric,
        risenStart: figure(gain.start),
        risenEnd: figure(gain.end),
        fallen: fallen.metric,
        start: figure(fall.before),
        end: figure(fall.after),
      }),
      remedy: rewardHacking.say('reward-hacking.parts.remedy', { risen: risen.curve.metric, fallen: fallen.metric }),
    }
  }
  return undefined
}

/** Overfitting looks the same from here, so this is milder. */
function againstValidation(subject: Subject, reward: Curve): UntreatedSymptom[] {
  const { ERRORS } = rewardHacking.limits
  return validationFalls(subject).flatMap(({ curve: validation, fall, standing }): UntreatedSymptom[] => {
    if (standing !== 'fell') return []
    const gain = levelChange(between(reward, fall.beforeSteps[0], Number.POSITIVE_INFINITY))
    if (!(gain.errors >= ERRORS)) return []
    return [
      {
        severity: 'warning',
        steps: fall.steps,
        evidence: evidenceOf(reward, gain, validation, { start: fall.before, end: fall.after, errors: Number.NaN }),
        message: rewardHacking.say('reward-hacking.validation', {
          rewardStart: figure(gain.start),
          rewardEnd: figure(gain.end),
          metric: validation.metric,
          start: figure(fall.before),
          end: figure(fall.after),
        }),
        remedy: rewardHacking.say('reward-hacking.validation.remedy', {
          step: savedUpTo(subject, fall.beforeSteps[1]),
        }),
      },
    ]
  })
}

function evidenceOf(reward: Curve, gain: LevelChange, task: Curve, loss: LevelChange) {
  return {
    reward: reward.metric,
    rewardStart: gain.start,
    rewardEnd: gain.end,
    rewardSteps: stepsOf(reward),
    metric: task.metric,
    start: loss.start,
    end: loss.end,
  }
}
