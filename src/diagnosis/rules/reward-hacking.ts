import { jitter } from '../../stats/best.js'
import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import { between, type Curve, stepsOf } from '../signs/curve.js'
import { settledFrom } from '../signs/lasting.js'
import { isRewardTheScore, type LevelChange, levelChange, type RewardPart, rewardParts } from '../signs/score.js'
import { evaluationNoise, validationCurves } from '../signs/validation.js'
import { FEWEST_FOR_TREND, fallOf } from '../signs/validation-fall.js'
import type { Subject } from '../subject.js'

/** In standard errors of the difference. Derived: batches drift, and the step-to-step jitter sees none of that. */
const ERRORS = 5
/** The share of the task score that must be lost: the usual margin of docs/statistics.md */
const SMALLEST_FALL = 0.05
/** Of a part of the reward a fifth: parts trade places a little in every run. Below 0.8 is the limit of a collapse. */
const SMALLEST_FALL_OF_PART = 0.2
/** Fewer steps are no course of training. Derived. */
const FEWEST_STEPS = 20

/**
 * What is optimised rises while what is wanted falls: the reward pays for something else than the task
 * (reward saturates while an independent task metric falls).
 */
export const rewardHacking: Rule = {
  id: 'reward-hacking',
  severity: 'error',
  needs: ['reward.mean', ['score.mean', 'val.score', 'reward.part']],
  detect(subject) {
    const reward = subject.curve('reward.mean')
    if (reward === undefined) return
    if (reward.steps.length < FEWEST_STEPS) {
      const params = { n: reward.steps.length, metric: reward.metric, needed: FEWEST_STEPS }
      return cannotSay(message('diagnose.too-short', params))
    }
    const parts = rewardParts(subject)
    const isScoreTold = !isRewardTheScore(subject) && subject.kl.inReward.on !== true
    const isValidated = validationCurves(subject).some(({ steps }) => steps.length >= FEWEST_FOR_TREND)
    if (!isScoreTold && !isValidated && parts.length < 2) return cannotSay(message('reward-hacking.same', {}))
    const found = isScoreTold ? againstScore(subject, reward) : undefined
    return found ?? amongParts(parts, reward) ?? againstValidation(subject, reward)
  },
}

/** Not asked with the KL in the reward: then reward and score part ways without anybody cheating. */
function againstScore({ curve }: Subject, reward: Curve): Symptom | undefined {
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
    message: message('reward-hacking', {
      rewardStart: figure(gain.start),
      rewardEnd: figure(gain.end),
      metric: score.metric,
      start: figure(loss.start),
      end: figure(loss.end),
    }),
    remedy: message('reward-hacking.remedy', {}),
  }
}

/**
 * One part of the reward is given up for another, and the sum gains by it. A part that pays for form may well fall while
 * the task rises, and penalties fall as answers grow: what falls must be earned for content. Where what rises is no
 * form either, it may be a trade that somebody wants.
 */
function amongParts(parts: readonly RewardPart[], reward: Curve): Symptom | undefined {
  for (const { curve: fallen, ofForm } of parts) {
    if (ofForm || !(fallen.values[0] > 0)) continue
    const fall = fallOf(fallen, jitter(fallen.steps, fallen.values), SMALLEST_FALL_OF_PART)
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
      message: message('reward-hacking.parts', {
        risen: risen.curve.metric,
        risenStart: figure(gain.start),
        risenEnd: figure(gain.end),
        fallen: fallen.metric,
        start: figure(fall.before),
        end: figure(fall.after),
      }),
      remedy: message('reward-hacking.parts.remedy', { risen: risen.curve.metric, fallen: fallen.metric }),
    }
  }
  return undefined
}

/** Overfitting looks the same from here, so this is milder. */
function againstValidation(subject: Subject, reward: Curve): Symptom[] {
  return validationCurves(subject).flatMap((validation): Symptom[] => {
    const fall = fallOf(validation, evaluationNoise(subject, validation))
    if (fall === null) return []
    const gain = levelChange(between(reward, fall.beforeSteps[0], Number.POSITIVE_INFINITY))
    if (!(gain.errors >= ERRORS)) return []
    return [
      {
        severity: 'warning',
        steps: fall.steps,
        evidence: evidenceOf(reward, gain, validation, { start: fall.before, end: fall.after, errors: Number.NaN }),
        message: message('reward-hacking.validation', {
          rewardStart: figure(gain.start),
          rewardEnd: figure(gain.end),
          metric: validation.metric,
          start: figure(fall.before),
          end: figure(fall.after),
        }),
        remedy: message('reward-hacking.validation.remedy', { step: fall.beforeSteps[1] }),
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
