import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { median } from '../../../stats/descriptive.js'
import { figure, percentage } from '../../../text/numbers.js'
import { type CannotSay, cannotSay, runRule, type Symptom, threshold, tooShort } from '../run-rule.js'
import { DEAD_THRESHOLDS, deadEnd, deadPoints, FEWEST_DEAD, NOTHING, updateSize } from '../signs/acting.js'
import { between, type Curve, ends, lastOf, medianOf, stepsOf, within } from '../signs/curve.js'
import { lastingToTheEnd } from '../signs/lasting.js'
import type { Subject } from '../subject.js'

export const runDead = runRule({
  id: 'run-dead',
  severity: 'error',
  about: {
    en: 'No gradient and no loss up to the end of the log: every further step is paid for and does nothing. Without a gradient norm, no loss, no KL to the last policy, nothing clipped, and a return that never changes.',
    zh: '直到日志末尾梯度与 loss 都为 0：之后每一步都在花钱而毫无作用。没有梯度范数时，看 loss、与上一策略的 KL、裁剪比例是否都为 0，且回报始终不变。',
  },
  needs: [
    ['loss.policy', 'loss.total'],
    ['grad.norm', 'kl.old', 'clip.frac'],
  ],
  uses: ['score.mean', 'reward.mean'],
  thresholds: DEAD_THRESHOLDS,
  says: {
    'run-dead': {
      en: 'gradient and loss are 0 on {share} % of the steps from {from} to {to}: training has stopped learning',
      zh: '从 step {from} 到 step {to}，{share}% 的 step 梯度和 loss 均为 0：梯度归零，已停止更新',
    },
    'run-dead.start': {
      en: 'gradient and loss are 0 on {share} % of the steps from the first, {from}, to {to}: the policy is not updated',
      zh: '从最初的 step {from} 到 step {to}，{share}% 的 step 梯度和 loss 均为 0：策略没有更新',
    },
    'run-dead.still': {
      en: 'loss, KL and clip fraction are 0 and {metric} is {score} at every step from {from} to {to}: the policy is no longer updated',
      zh: '从 step {from} 到 step {to}，loss、KL 与裁剪比例均为 0，{metric} 始终是 {score}：策略已不再更新',
    },
    'run-dead.remedy': {
      en: 'stop the run; use the best checkpoint before step {from}, and check entropy, rewards and learning rate just before it',
      zh: '停止该 run；取 step {from} 之前最好的 checkpoint，并查看此前的熵、reward 和学习率',
    },
    'run-dead.start.remedy': {
      en: 'stop the run; check from step {from} that rewards differ within a group, that the sampler has the trained weights, and that parameters are not frozen',
      zh: '停止该 run；从 step {from} 起检查：组内 reward 是否有差异、采样端是否加载了训练权重、参数是否被冻结',
    },
  },
  check(subject, { say }) {
    const update = updateSize(subject)
    if (update === undefined) return ofStandstill(subject)
    const { metric, steps } = update
    if (steps.length < FEWEST_DEAD) return tooShort(update, FEWEST_DEAD)
    const dead = deadEnd(update)
    if (dead === undefined) return
    const [from, to] = stepsOf(dead)
    const born = from === steps[0]
    return {
      steps: [from, to],
      evidence: { gradient: metric, deadPoints: deadPoints(dead), points: dead.steps.length },
      message: say(born ? 'run-dead.start' : 'run-dead', {
        from,
        to,
        share: percentage(deadPoints(dead) / dead.steps.length),
      }),
      remedy: say(born ? 'run-dead.start.remedy' : 'run-dead.remedy', { from }),
    }
  },
})

/** Loss and clip fraction alone are 0 on-policy by construction; a return that stands still with them is not. */
function ofStandstill({ curve }: Subject): Symptom | CannotSay | undefined {
  const traces = ['loss.policy', 'loss.total', 'kl.old', 'clip.frac'].flatMap(meaning => curve(meaning) ?? [])
  const score = curve('score.mean') ?? curve('reward.mean')
  if (score === undefined) return undefined
  if (score.steps.length < FEWEST_DEAD) return tooShort(score, FEWEST_DEAD)
  const last = lastOf(score)
  const from = score.values.findLastIndex(value => value !== last) + 1
  const lastMove = Math.max(
    ...traces.map(({ steps, values }) => steps[values.findLastIndex(value => Math.abs(value) >= NOTHING)] ?? 0),
    score.steps[from - 1] ?? 0,
  )
  const dead = between(score, lastMove, Number.POSITIVE_INFINITY)
  const still = dead.steps[0] === lastMove ? within(dead, { from: 1, to: dead.steps.length }) : dead
  if (still.steps.length < FEWEST_DEAD || traces.some(trace => between(trace, ...stepsOf(still)).steps.length === 0)) {
    return undefined
  }
  const [first, to] = stepsOf(still)
  return {
    steps: [first, to],
    evidence: {
      metrics: [...traces.map(({ metric }) => metric), score.metric],
      score: last,
      points: still.steps.length,
    },
    message: runDead.say('run-dead.still', { metric: score.metric, score: figure(last), from: first, to }),
    remedy: runDead.say('run-dead.remedy', { from: first }),
  }
}

export const gradVanishing = runRule({
  id: 'grad-vanishing',
  severity: 'warning',
  about: {
    en: 'The gradient has become a hundredth of what it was, and stays there.',
    zh: '梯度降到原来的百分之一，并停在那里。',
  },
  needs: ['grad.norm'],
  uses: ['loss.policy', 'loss.total'],
  thresholds: {
    SHARE_OF_START: threshold(0.01, {
      en: 'Derived: healthy norms stay within a factor of ten of their start (0.97 → 1.24, 1.4 → 1).',
      zh: '推得：健康 run 的梯度范数与开始时相差不超过 10 倍（0.97 → 1.24，1.4 → 1）。',
    }),
    FEWEST: threshold(10, { en: 'Points that it must last. Derived.', zh: '须持续这么多个点。推得。' }),
  },
  says: {
    'grad-vanishing': {
      en: 'the gradient norm is {share} % of what it was at the start, since step {step}',
      zh: '自 step {step} 起梯度范数只有开始时的 {share}%',
    },
    'grad-vanishing.zero': {
      en: 'the gradient norm is exactly 0 from the first step, {step}, on: nothing is learned',
      zh: '从最初的 step {step} 起梯度范数恰为 0：什么也没学到',
    },
    'grad-vanishing.cannot.dead': { en: 'the gradient is exactly 0: see run-dead', zh: '梯度恰为 0：见 run-dead' },
  },
  remedy: {
    en: 'check the fraction of groups with equal rewards and the entropy: if both show that all responses are identical, stop and go back to an earlier checkpoint',
    zh: '查看零方差组比例和熵：若两者都表明回答全都一样，请停止训练并退回到此前的 checkpoint',
  },
  check(subject, { say, needed: [gradient], SHARE_OF_START, FEWEST }) {
    const { metric, steps } = gradient
    if (steps.length < FEWEST) return tooShort(gradient, FEWEST)
    const update = updateSize(subject)
    if (update !== undefined && deadEnd(update) !== undefined) return cannotSay(say('grad-vanishing.cannot.dead', {}))
    const start = medianOf(ends(gradient).start)
    const found = lastingToTheEnd(gradient, norm => norm < Math.max(NOTHING, SHARE_OF_START * start), FEWEST)
    if (found === undefined) return
    const small = within(gradient, found)
    return {
      steps: stepsOf(small),
      evidence: { metric, start, end: medianOf(small) },
      message:
        start === 0
          ? say('grad-vanishing.zero', { step: small.steps[0] })
          : say('grad-vanishing', { share: percentage(medianOf(small) / start), step: small.steps[0] }),
    }
  },
})

const SHOWN = 20

export const gradSpike = runRule({
  id: 'grad-spike',
  severity: 'warning',
  about: { en: 'Gradient norms far above their surroundings.', zh: '梯度范数远高于邻近值。' },
  needs: ['grad.norm'],
  thresholds: {
    TIMES_NEIGHBOURS: threshold(20, {
      en: "Derived: in 56 healthy runs 99.9 % of the norms lie within 20 times their neighbours' median.",
      zh: '推得：56 个健康 run 中，99.9% 的范数不超过邻近中位数的 20 倍。',
    }),
    REACH: threshold(10, { en: 'Neighbours on each side.', zh: '每侧的邻近点数。' }),
    USUAL_CLIP: threshold(1, {
      en: "verl's and TRL's default: a norm below it is not even clipped.",
      zh: 'verl 与 TRL 的默认值：低于它的范数根本不会被裁剪。',
    }),
    MANY: threshold(5, {
      en: 'Derived: healthy runs have up to two such steps in 400; clipping makes them harmless. Many of them are a habit.',
      zh: '推得：健康 run 每 400 步最多两次，裁剪后无害；多了就是常态。',
    }),
    MANY_SHARE: threshold(0.01, { en: 'And so much of the log. Derived.', zh: '且占日志的这一比例。推得。' }),
  },
  says: {
    'grad-spike': {
      en: '{spikes} gradient norms are more than {times} times their neighbours; the largest is {norm} at step {step} (usually {usual})',
      zh: '有 {spikes} 个 step 的梯度范数超过邻近值的 {times} 倍；最大 {norm}（step {step}），平时约 {usual}',
    },
    'grad-spike.few': {
      en: '{spikes} isolated gradient {spikes|norm is|norms are} more than {times} times {spikes|its|their} neighbours: {norm} at step {step} (usually {usual})',
      zh: '有 {spikes} 个孤立的梯度尖峰超过邻近值的 {times} 倍：step {step} 为 {norm}，平时约 {usual}',
    },
    'grad-spike.few.remedy': {
      en: 'nothing to do if gradients are clipped; read the responses of step {step} if the score changed there',
      zh: '若已开启梯度裁剪则无需处理；如果得分在 step {step} 处有变化，请查看该 step 的回答',
    },
  },
  remedy: {
    en: 'check that gradients are clipped (grad_clip or max_grad_norm 1.0); lower the learning rate; with KL in the loss, clamp its log-ratio or use k2, since k3 grows like exp',
    zh: '确认开启了梯度裁剪（grad_clip 或 max_grad_norm 为 1.0）；降低学习率；若 loss 中有 KL，请截断 log-ratio 或改用 k2，因为 k3 按指数增长',
  },
  check({ settings }, { say, needed: [gradient], TIMES_NEIGHBOURS, REACH, USUAL_CLIP, MANY, MANY_SHARE }) {
    const { metric, steps, values } = gradient
    if (steps.length < 2 * REACH) return tooShort(gradient, 2 * REACH)
    const clip = numberOf(settings.get('grad.clip')?.effective ?? undefined)
    const spikes = spikesOf(gradient, clip === null || clip <= 0 ? USUAL_CLIP : clip)
    if (spikes.length === 0) return
    const many = spikes.length >= Math.max(MANY, MANY_SHARE * values.length)
    const highest = spikes.reduce((most, i) => (values[i] > values[most] ? i : most))
    const usual = usualAround(gradient, highest)
    return {
      ...(many ? {} : { severity: 'note' }),
      steps: [steps[spikes[0]], steps[spikes[spikes.length - 1]]],
      evidence: {
        metric,
        spikes: spikes.length,
        spikeSteps: spikes.slice(0, SHOWN).map(i => steps[i]),
        spikeNorms: spikes.slice(0, SHOWN).map(i => values[i]),
        usual,
      },
      message: say(many ? 'grad-spike' : 'grad-spike.few', {
        spikes: spikes.length,
        times: TIMES_NEIGHBOURS,
        norm: figure(values[highest]),
        step: steps[highest],
        usual: figure(usual),
      }),
      remedy: many ? undefined : say('grad-spike.few.remedy', { step: steps[highest] }),
    }
  },
})

/** Indices of the points that stand out from the points around them. A stray gradient in a dead run is none. */
function spikesOf(gradient: Curve, clip: number): number[] {
  const { TIMES_NEIGHBOURS } = gradSpike.limits
  return Array.from(gradient.values.keys()).filter(i => {
    if (!(gradient.values[i] > clip) || !mayStandOut(gradient, i)) return false
    const usual = usualAround(gradient, i)
    return usual > 0 && gradient.values[i] > TIMES_NEIGHBOURS * usual
  })
}

/** Above so many times the least of its neighbours: asked of every point, before their median is. */
function mayStandOut({ values }: Curve, i: number): boolean {
  const { TIMES_NEIGHBOURS, REACH } = gradSpike.limits
  const last = Math.min(values.length - 1, i + REACH)
  for (let j = Math.max(0, i - REACH); j <= last; j += 1) if (values[i] > TIMES_NEIGHBOURS * values[j]) return true
  return false
}

function usualAround({ values }: Curve, i: number): number {
  const { REACH } = gradSpike.limits
  return median([...values.subarray(Math.max(0, i - REACH), i), ...values.subarray(i + 1, i + 1 + REACH)])
}
