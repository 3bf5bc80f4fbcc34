import { figure } from '../../../text/numbers.js'
import { runRule, settingUnknown, threshold, type UntreatedSymptom } from '../run-rule.js'
import { configuredRate, loggedRate } from '../signs/acting.js'
import { type Curve, firstOf, lastOf, medianOf, stepsOf, within } from '../signs/curve.js'
import { stretches } from '../signs/lasting.js'
import { decimalsOf, isPrintedInFull, rangeOf } from '../signs/printed.js'
import { hasLearned, SCORES } from '../signs/score.js'
import { type Subject, wholeRun } from '../subject.js'

export const lrPrintsZero = runRule({
  id: 'lr-prints-zero',
  severity: 'note',
  about: {
    en: 'The logged rate is zero: because it was printed with three decimals, or because it is.',
    zh: '日志中的学习率为 0：要么是只打印了三位小数，要么真的是 0。',
  },
  needs: ['lr'],
  thresholds: {
    FEWEST_IDLE: threshold(10, {
      en: 'Derived: a warm-up starts at 0 and a decay ends there, for a point or two; more than these are steps without learning.',
      zh: '推得：warmup 从 0 开始、衰减到 0 结束，只占一两个点；超过此数就是没有学习的 step。',
    }),
    IDLE_SHARE: threshold(0.05, { en: 'And so much of the log. Derived.', zh: '且占日志的这一比例。推得。' }),
    LARGEST_THAT_VANISHES: threshold(0.0005, {
      en: 'verl 0.4 prints three decimals; a rate of 1e-4 and less then prints as 0.000.',
      zh: 'verl 0.4 只打印三位小数，1e-4 及以下的学习率显示为 0.000。',
    }),
  },
  says: {
    'lr-prints-zero': {
      en: 'the log shows a learning rate of 0 because it is printed with few decimals; {configured} is configured',
      zh: '日志中学习率显示为 0 只是因为小数位太少；配置值是 {configured}',
    },
    'lr-prints-zero.unknown': {
      en: 'the log shows a learning rate of 0 with few decimals, and no config was read: it may be a real 0 or a rounded one',
      zh: '日志小数位很少，学习率显示为 0，又没有配置说明：无法判断是否真的为 0',
    },
    'lr-prints-zero.always': {
      en: 'the learning rate is 0 from step {from} to step {to}: nothing can be learned',
      zh: '从 step {from} 到 step {to} 学习率为 0：不可能学到任何东西',
    },
    'lr-prints-zero.idle': {
      en: 'the learning rate is 0 from step {from} to step {to}: the schedule is shorter than the training, or the warm-up does not start',
      zh: '从 step {from} 到 step {to} 学习率为 0：调度步数少于训练步数，或 warmup 没有推进',
    },
    'lr-prints-zero.always.remedy': {
      en: 'check the learning rate in the config, the scheduler, and that the optimiser has the parameters; then start again',
      zh: '检查配置中的学习率、调度器以及优化器是否拿到了参数，然后重新开始',
    },
    'lr-prints-zero.idle.remedy': {
      en: 'set the total steps of the schedule to the steps you train, or stop where it ends',
      zh: '把调度的总步数设为实际训练步数，或在调度结束时停止',
    },
  },
  remedy: {
    en: 'draw no conclusion about warm-up from it; read the learning rate from TensorBoard, wandb or verl’s file logger, which keep all digits',
    zh: '不要据此判断 warmup；请从 TensorBoard、wandb 或 verl 的文件日志读取学习率，它们保留全部小数位',
  },
  check(subject, { FEWEST_IDLE, IDLE_SHARE }) {
    const rate = loggedRate(subject)
    if (rate === undefined) return
    const zeros = stretches(rate, value => value === 0)
    const longest = zeros.reduce((most, { from, to }) => Math.max(most, to - from), 0)
    if (longest === 0) return
    const all = longest === rate.values.length
    if (!isPrintedInFull(subject.manifest) && decimalsOf(rate) !== 'full')
      return all ? rounded(rate, subject) : undefined
    if (longest < Math.max(FEWEST_IDLE, IDLE_SHARE * rate.values.length)) return
    const found = zeros.find(({ from, to }) => to - from === longest)
    return found === undefined ? undefined : idle(within(rate, found), all)
  },
})

function rounded(rate: Curve, subject: Subject): UntreatedSymptom | undefined {
  const { LARGEST_THAT_VANISHES } = lrPrintsZero.limits
  const configured = configuredRate(subject)
  if (configured !== null && !(configured > 0 && configured < LARGEST_THAT_VANISHES)) return idle(rate, true)
  return {
    steps: stepsOf(rate),
    evidence: { metric: rate.metric, points: rate.values.length, ...(configured === null ? {} : { configured }) },
    message:
      configured === null
        ? lrPrintsZero.say('lr-prints-zero.unknown', {})
        : lrPrintsZero.say('lr-prints-zero', { configured: figure(configured) }),
  }
}

/** Really zero. At the end of a run it is a schedule that was shorter than the training. */
function idle(zero: Curve, all: boolean): UntreatedSymptom {
  const [from, to] = stepsOf(zero)
  return {
    severity: all ? 'error' : 'warning',
    steps: [from, to],
    evidence: { metric: zero.metric, points: zero.values.length },
    message: lrPrintsZero.say(all ? 'lr-prints-zero.always' : 'lr-prints-zero.idle', { from, to }),
    remedy: lrPrintsZero.say(all ? 'lr-prints-zero.always.remedy' : 'lr-prints-zero.idle.remedy', {}),
  }
}

export const lrNegligible = runRule({
  id: 'lr-negligible',
  severity: 'warning',
  about: { en: 'The learning rate is too small to change the policy at all.', zh: '学习率小到策略根本不会改变。' },
  needs: [],
  uses: ['lr', 'kl.ref', 'clip.frac', 'reward.std', 'group.zero_std_frac', 'score.max', 'score.min', ...SCORES],
  thresholds: {
    SMALLEST_USUAL: threshold(1e-7, {
      en: 'Typical rates of RL with Adam are 1e-7 to 1e-4 (1e-6, 3e-6, 1e-5).',
      zh: 'RL 用 Adam 时常见学习率为 1e-7 ~ 1e-4（1e-6、3e-6、1e-5）。',
    }),
    HOPELESS: threshold(1e-8, {
      en: 'Derived: ten times below it nothing can move in any affordable number of steps, whatever the curves say.',
      zh: '推得：再低 10 倍，无论曲线如何，在负担得起的步数内都不可能有变化。',
    }),
    UNMOVED_KL: threshold(1e-5, {
      en: 'Derived: same weights give 1e-6 and more by other kernels alone.',
      zh: '推得：权重相同时，仅算子不同就有 1e-6 以上。',
    }),
    FEWEST_EVALUATIONS: threshold(5, {
      en: 'Derived: three evaluations in a row may agree by chance, five do not.',
      zh: '推得：连续 3 次验证可能碰巧相同，5 次则不会。',
    }),
    HARDLY_MOVED: threshold(0.001, {
      en: 'KL and clip fraction below it at every step, while rewards differ and no score rises, at whatever rate. Six runs at 1e-7 in three labs stay below 0.001, all others pass 0.013 within 50 steps.',
      zh: '在 reward 有差异、得分没有上升时，每一步的 KL 与裁剪比例都低于此值，无论学习率多少。三个实验中 6 个学习率 1e-7 的 run 始终低于 0.001，其余都在 50 步内超过 0.013。',
    }),
    FEWEST_UNMOVED: threshold(50, {
      en: 'Rows for that. Derived: a warm-up holds the policy still for a while.',
      zh: '所需行数。推得：warmup 会让策略在一段时间内不动。',
    }),
    LONG_UNMOVED: threshold(200, {
      en: 'Rows from which it is a warning, not a note: a large model at 1e-6 moves slowly at first. Derived.',
      zh: '达到这么多行才是警告，否则只作提示：大模型在 1e-6 下起初移动很慢。推得。',
    }),
  },
  says: {
    'lr-negligible': {
      en: 'the learning rate is {rate}; RL is usually run at 1e-7 to 1e-4, and at this rate nothing moves',
      zh: '学习率是 {rate}；RL 通常为 1e-7 ~ 1e-4，这样的学习率不会有任何变化',
    },
    'lr-negligible.still': {
      en: 'the learning rate is {rate} and the policy has not moved; RL is usually run at 1e-7 to 1e-4',
      zh: '学习率是 {rate}，策略没有任何变化；RL 通常为 1e-7 ~ 1e-4',
    },
    'lr-negligible.unmoved': {
      en: 'the policy hardly moves: over {n} row{n||s} KL to the reference is at most {kl}, although rewards differ, and no score has risen',
      zh: '策略几乎没有移动：{n} 行中与参考策略的 KL 最高只有 {kl}，而 reward 有差异，得分也没有上升',
    },
    'lr-negligible.unmoved.remedy': {
      en: 'raise the learning rate tenfold (now {rate}), or lower the KL coefficient if it is large; try ten steps and check that KL rises above 0.001',
      zh: '把学习率（现为 {rate}）提高 10 倍，KL 系数较大时也可降低；先试 10 步，看 KL 是否超过 0.001',
    },
  },
  remedy: {
    en: 'start again at about 1e-6 for a language model, 1e-5 with LoRA, 1e-4 for a small model; conclude nothing from this run',
    zh: '重新开始：语言模型约 1e-6，LoRA 约 1e-5，小模型约 1e-4；不要从该 run 得出任何结论',
  },
  check(subject, { say, SMALLEST_USUAL, HOPELESS, UNMOVED_KL, FEWEST_EVALUATIONS }) {
    const rate = peakRate(subject)
    if (rate === null) return unmoved(subject, null) ?? settingUnknown('lr')
    if (!(rate > 0 && rate < SMALLEST_USUAL)) return unmoved(subject, rate)
    const [kl, score] = [subject.curve('kl.ref'), subject.curve('val.score')]
    // A KL printed as 0.000 may be anything up to 0.0005.
    const highest = kl === undefined ? undefined : rangeOf(largest(kl), decimalsOf(kl)).high
    const still = highest !== undefined && highest < UNMOVED_KL
    const frozen = score !== undefined && score.steps.length >= FEWEST_EVALUATIONS && isConstant(score)
    if (rate >= HOPELESS && !still && !frozen) return unmoved(subject, rate)
    const logged = loggedRate(subject)
    return {
      ...(still || frozen ? { severity: 'error' } : {}),
      steps: logged === undefined ? wholeRun(subject) : stepsOf(logged),
      evidence: {
        rate,
        usual: [SMALLEST_USUAL, 1e-4],
        ...(highest === undefined ? {} : { highestKl: highest }),
        ...(frozen ? { score: score.values[0] } : {}),
      },
      message: say(still || frozen ? 'lr-negligible.still' : 'lr-negligible', { rate: figure(rate) }),
    }
  },
})

function unmoved(subject: Subject, rate: number | null): UntreatedSymptom | undefined {
  const { HARDLY_MOVED, FEWEST_UNMOVED, LONG_UNMOVED } = lrNegligible.limits
  const [kl, clipped] = [subject.curve('kl.ref'), subject.curve('clip.frac')]
  const n = kl?.steps.length ?? 0
  if (kl === undefined || n < FEWEST_UNMOVED || !doRewardsDiffer(subject)) return undefined
  const highest = rangeOf(largest(kl), decimalsOf(kl)).high
  const isStill = highest > 0 && highest < HARDLY_MOVED && (clipped === undefined || largest(clipped) < HARDLY_MOVED)
  if (!isStill || hasLearned(subject) !== false) return undefined
  return {
    ...(n < LONG_UNMOVED ? { severity: 'note' } : {}),
    steps: stepsOf(kl),
    evidence: { metric: kl.metric, highestKl: highest, rows: n, ...(rate !== null && { rate }) },
    message: lrNegligible.say('lr-negligible.unmoved', { n, kl: figure(highest) }),
    remedy: lrNegligible.say('lr-negligible.unmoved.remedy', { rate: rate === null ? '?' : figure(rate) }),
  }
}

/** Else there is nothing to move for, whatever the rate. */
function doRewardsDiffer({ curve }: Subject): boolean {
  const [tied, deviation, highest, lowest] = [
    curve('group.zero_std_frac'),
    curve('reward.std'),
    curve('score.max'),
    curve('score.min'),
  ]
  if (tied !== undefined) return medianOf(tied) < 0.5
  if (deviation !== undefined) return medianOf(deviation) > 0
  return highest !== undefined && lowest !== undefined && medianOf(highest) > medianOf(lowest)
}

/** The highest that was logged; where that prints as 0, or is still warming up, what was configured. */
function peakRate(subject: Subject): number | null {
  const logged = loggedRate(subject)
  const peak = logged === undefined ? 0 : largest(logged)
  const isWarmingUp = logged !== undefined && firstOf(logged) < peak && lastOf(logged) === peak
  return peak > 0 && !isWarmingUp ? peak : configuredRate(subject)
}

function largest({ values }: Curve): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}

function isConstant({ values }: Curve): boolean {
  return values.every(value => value === values[0])
}
