import { mean } from '../../../stats/descriptive.js'
import { jitter } from '../../../stats/trend.js'
import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, tooShort, type UntreatedSymptom } from '../run-rule.js'
import { type Curve, combined, stepsOf } from '../signs/curve.js'
import type { JudgedPair } from '../subject.js'

export const overoptimised = runRule({
  id: 'overoptimised',
  severity: 'error',
  about: {
    en: 'The optimised reward rises on the validation prompts while a score that nothing in training feeds hardly gains: the policy has learned the reward, not the task. Both are evaluated on the same prompts, so no shift of prompts explains it. Measured from the first evaluations to the last; what happened before the first evaluation does not show.',
    zh: '验证 prompt 上被优化的奖励上升，而训练中不使用的独立得分几乎没有提高：策略学会的是奖励，不是任务。两者在同一批 prompt 上评测，因此不是 prompt 变化造成的。从最初几次验证量到最后几次；首次验证之前发生的看不到。',
  },
  needs: [],
  thresholds: {
    ERRORS: threshold(5, {
      en: 'The reward must have risen by so many standard errors, its lead over the score too, and at the end the reward must lie above the score by as many. Derived: evaluations drift, and the jitter between neighbours sees none of that.',
      zh: '奖励须上升这么多个标准误，它对得分的领先也须扩大这么多，且末段奖励须高出得分这么多。推得：验证会漂移，相邻两次的抖动看不到漂移。',
    }),
    SHARE: threshold(0.5, {
      en: 'The score gained less than this share of what the reward gained. A quarter, as chosen on lab 3, missed 4 of 20 overoptimised runs of two new draws; with a half all of them are marked. Confirmed on two further draws: 30 of 30 overoptimised runs, 5 of 10 whose score fell and came back to its start, none of 160 healthy ones.',
      zh: '得分的提高不到奖励提高的这一比例。在实验三上选定的四分之一，在两组新实验的 20 个过优化 run 中漏掉 4 个；取一半则全部标出。又在两组实验上确认：30 个过优化的 run 全部标出，10 个先跌后回到起点的标出 5 个，160 个健康的一个也没有。',
    }),
    LEFT_BEHIND: threshold(0.5, {
      en: 'A score that gained at all must end below this share of the reward: one that wavers upwards behind it is no overoptimisation. Chosen on two draws of a lab (248 runs), where two such runs were marked and all 46 right marks stay; on the 64 runs of a third draw it changes nothing.',
      zh: '若得分有所提高，它须低于奖励的这一比例：落在奖励之后但仍在波动上升的得分不算过优化。在两组实验（248 个 run）上选定：去掉两个误报，46 个正确的全部保留；在第三组的 64 个 run 上没有变化。',
    }),
    FEWEST: threshold(8, {
      en: 'Evaluations that are needed: the ends are eighths. Derived.',
      zh: '至少需要的验证次数：首尾各取八分之一。推得。',
    }),
  },
  says: {
    overoptimised: {
      en: 'overoptimised: on the validation prompts the optimised reward {reward} rose from {rewardStart} to {rewardEnd} while {metric}, which training does not use, went from {start} to {end}',
      zh: '过优化：验证 prompt 上被优化的奖励 {reward} 从 {rewardStart} 升到 {rewardEnd}，而训练中不使用的 {metric} 从 {start} 到 {end}',
    },
    'overoptimised.no-start': {
      en: 'overoptimised: on the validation prompts the optimised reward {reward} rose from {rewardStart} to {rewardEnd} while {metric}, which training does not use, went from {start} to {end}. The first evaluation is at step {first}: a loss before it is not visible',
      zh: '过优化：验证 prompt 上被优化的奖励 {reward} 从 {rewardStart} 升到 {rewardEnd}，而训练中不使用的 {metric} 从 {start} 到 {end}。首次验证在 step {first}：此前的损失看不到',
    },
    'overoptimised.cannot.pair': {
      en: 'no independent score is validated next to the optimised reward',
      zh: '没有与被优化的奖励一同验证的独立得分',
    },
  },
  remedy: {
    en: 'choose checkpoint and settings by the independent score; raise the KL coefficient, stop earlier, or improve the reward (more labels, a larger reward model). Evaluate at step 0 too (TRL: eval_on_start; verl: val_before_train)',
    zh: '按独立得分选择 checkpoint 和配置；提高 KL 系数、提前停止，或改进奖励（更多标注、更大的奖励模型）。在 step 0 也做验证（TRL：eval_on_start；verl：val_before_train）',
  },
  check({ judgedPairs }, { say, FEWEST }) {
    if (judgedPairs.length === 0) return cannotSay(say('overoptimised.cannot.pair', {}))
    const [{ independent }] = judgedPairs
    if (independent.steps.length < FEWEST) return tooShort(independent, FEWEST)
    return judgedPairs.flatMap(pair => symptomOf(pair) ?? [])
  },
})

function symptomOf(pair: JudgedPair): UntreatedSymptom | undefined {
  const { ERRORS, SHARE, LEFT_BEHIND, FEWEST } = overoptimised.limits
  const score = combined(pair.independent, pair.optimised, own => own)
  const reward = combined(pair.optimised, pair.independent, own => own)
  if (score.steps.length < FEWEST) return
  const [paid, earned] = [gainOf(reward), gainOf(score)]
  const lead = gainOf(combined(reward, score, (a, b) => a - b))
  if (!(paid.gain > ERRORS * paid.error)) return
  const isBehind = earned.gain < SHARE * paid.gain && (earned.gain <= 0 || earned.end < LEFT_BEHIND * paid.end)
  const hasParted = lead.gain > ERRORS * lead.error && lead.end > ERRORS * lead.error && isBehind
  // Of a reward on another scale only its direction can be compared with the score. One that begins below the score is.
  const isOneScale = isShare(reward) && isShare(score) && lead.start > -ERRORS * lead.error
  const hasFallen = earned.gain < -ERRORS * earned.error
  if (!(isOneScale ? hasParted : hasFallen)) return
  const [first, last] = stepsOf(score)
  const figures = {
    reward: reward.metric,
    rewardStart: figure(paid.start),
    rewardEnd: figure(paid.end),
    metric: score.metric,
    start: figure(earned.start),
    end: figure(earned.end),
  }
  return {
    steps: [first, last],
    evidence: {
      reward: reward.metric,
      rewardStart: paid.start,
      rewardEnd: paid.end,
      metric: score.metric,
      start: earned.start,
      end: earned.end,
      error: earned.error,
    },
    message:
      first > 0
        ? overoptimised.say('overoptimised.no-start', { ...figures, first })
        : overoptimised.say('overoptimised', figures),
  }
}

function isShare({ values }: Curve): boolean {
  return values.every(value => value >= 0 && value <= 1)
}

/** From the first eighth of the evaluations to the last, with the standard error of the difference. */
function gainOf({ steps, values }: Curve) {
  const count = Math.max(1, Math.floor(values.length / 8))
  const [start, end] = [mean(values.subarray(0, count)), mean(values.subarray(-count))]
  return { start, end, gain: end - start, error: jitter(steps, values) * Math.sqrt(2 / count) }
}
