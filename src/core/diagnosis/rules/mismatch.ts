import type { Severity } from '../../../logs/model/finding.js'
import { listed } from '../../../text/language.js'
import { figure } from '../../../text/numbers.js'
import { byGravity } from '../rule.js'
import { limitsOf, runRule, settingUnknown, threshold } from '../run-rule.js'
import { type Curve, medianOf, within } from '../signs/curve.js'
import { whereLasting } from '../signs/lasting.js'
import { type Subject, wholeRun } from '../subject.js'

const THRESHOLDS = {
  CHI2: threshold(1, {
    en: '`rollout.chi2.token`, an error above it (verl docs/algo/rollout_corr.md).',
    zh: '`rollout.chi2.token`，超过即为错误（verl docs/algo/rollout_corr.md）。',
  }),
  KL: threshold(0.1, {
    en: "`kl.train_infer` (verl docs/algo/rollout_corr.md). `rollout.logprob_diff`, the mean size of the difference of log-probabilities, and OpenRLHF's vllm_kl share it: a healthy engine shows about 0.011 (vime #64), dropout left on 0.86 (reef #536).",
    zh: '`kl.train_infer`（verl docs/algo/rollout_corr.md）。`rollout.logprob_diff`（对数概率差的平均绝对值）、OpenRLHF 的 vllm_kl 同用此值：正常引擎约 0.011（vime #64），忘关 dropout 时 0.86（reef #536）。',
  }),
  PROBABILITY: threshold(0.01, {
    en: '`rollout.prob_diff`: above it is a precision problem (verl docs/faq, PR #3595).',
    zh: '`rollout.prob_diff`：超过说明精度有问题（verl docs/faq、PR #3595）。',
  }),
  RATIO: threshold(2, {
    en: '`rollout.ratio`, either way (verl docs/algo/rollout_corr.md).',
    zh: '`rollout.ratio`，偏高偏低皆然（verl docs/algo/rollout_corr.md）。',
  }),
  EFFECTIVE_SAMPLES: threshold(0.3, {
    en: '`rollout.ratio.ess`, below it (verl docs/algo/rollout_corr.md).',
    zh: '`rollout.ratio.ess`，低于此值（verl docs/algo/rollout_corr.md）。',
  }),
  RATIO_SPREAD: threshold(1, {
    en: '`rollout.ratio.std` (verl docs/algo/rollout_corr.md).',
    zh: '`rollout.ratio.std`（verl docs/algo/rollout_corr.md）。',
  }),
  PROBABILITY_FACTOR: threshold(1.05, {
    en: "`rollout.prob_error`, the mean of exp |Δ log p|: the limit that NeMo-RL sets itself in its tests and docs (docs/guides/grpo.md). A note, since 1.05 is a difference of about 0.05 nats, within twice a healthy engine's on long answers.",
    zh: '`rollout.prob_error`，即 exp |Δ log p| 的均值：NeMo-RL 自己的测试与文档所设的界限（docs/guides/grpo.md）。只作提示，因为 1.05 相当于约 0.05 nat 的差异。',
  }),
  FEWEST_POINTS: threshold(5, { en: 'Points that it must last. Derived.', zh: '须持续这么多个点。推得。' }),
}
const { CHI2, KL, PROBABILITY, RATIO, EFFECTIVE_SAMPLES, RATIO_SPREAD, PROBABILITY_FACTOR } = limitsOf(THRESHOLDS)

interface Gauge {
  readonly meaning: string
  readonly isOff: (value: number) => boolean
  /** As a reader sees it. */
  readonly healthy: string
  /** Of this gauge alone; a warning, unless said otherwise. */
  readonly severity?: Severity
}

const GAUGES: readonly Gauge[] = [
  { meaning: 'rollout.chi2.token', isOff: value => value > CHI2, healthy: `≤ ${CHI2}`, severity: 'error' },
  { meaning: 'kl.train_infer', isOff: value => Math.abs(value) > KL, healthy: `≤ ${KL}` },
  { meaning: 'rollout.logprob_diff', isOff: value => Math.abs(value) > KL, healthy: `≤ ${KL}` },
  { meaning: 'rollout.prob_diff', isOff: value => value > PROBABILITY, healthy: `≤ ${PROBABILITY}` },
  { meaning: 'rollout.ratio', isOff: value => value < 1 / RATIO || value > RATIO, healthy: `${1 / RATIO}–${RATIO}` },
  { meaning: 'rollout.ratio.ess', isOff: value => value < EFFECTIVE_SAMPLES, healthy: `≥ ${EFFECTIVE_SAMPLES}` },
  { meaning: 'rollout.ratio.std', isOff: value => value > RATIO_SPREAD, healthy: `≤ ${RATIO_SPREAD}` },
  {
    meaning: 'rollout.prob_error',
    isOff: value => value > PROBABILITY_FACTOR,
    healthy: `≤ ${PROBABILITY_FACTOR}`,
    severity: 'note',
  },
]

export const trainInferenceMismatch = runRule({
  id: 'train-inference-mismatch',
  severity: 'warning',
  about: {
    en: 'The trainer and the sampler compute different probabilities for the same tokens: the update is off-policy unseen. This is no KL to the reference, and no rule about that looks at it.',
    zh: '训练端与采样端对同样的 token 算出不同的概率：更新在不知不觉中变成 off-policy。这不是与参考策略的 KL，参考 KL 的规则不看它。',
  },
  needs: [GAUGES.map(({ meaning }) => meaning)],
  thresholds: THRESHOLDS,
  says: {
    'train-inference-mismatch': {
      en: 'trainer and sampler disagree on the same tokens: {list}; healthy values are in brackets',
      zh: '训练端与推理端对同样的 token 给出不同概率：{list}（括号内为正常范围）',
    },
  },
  remedy: {
    en: 'check in this order: dropout off in the policy, the same precision and weights in both engines (on other GPUs than Hopper vLLM with disable_cascade_attn=True), the same temperature; then use truncated importance sampling',
    zh: '依次检查：策略是否关闭 dropout；两端精度与权重是否一致（非 Hopper GPU 上 vLLM 设 disable_cascade_attn=True）；temperature 是否一致；最后再用截断的重要性采样',
  },
  check(subject, { say }) {
    const off = GAUGES.flatMap(gauge => offGauge(subject, gauge))
    if (off.length === 0) return
    return {
      severity: off.map(({ gauge }) => ({ severity: gauge.severity ?? 'warning' })).toSorted(byGravity)[0].severity,
      steps: [Math.min(...off.map(({ from }) => from)), Math.max(...off.map(({ to }) => to))],
      evidence: {
        metrics: off.map(({ curve }) => curve.metric),
        values: off.map(({ level }) => level),
        healthy: off.map(({ gauge }) => gauge.healthy),
      },
      message: say('train-inference-mismatch', {
        list: listed(off.map(({ curve, level, gauge }) => `${curve.metric} = ${figure(level)} (${gauge.healthy})`)),
      }),
    }
  },
})

interface OffGauge {
  readonly gauge: Gauge
  readonly curve: Curve
  readonly level: number
  readonly from: number
  readonly to: number
}

function offGauge(subject: Subject, gauge: Gauge): OffGauge[] {
  const { FEWEST_POINTS } = trainInferenceMismatch.limits
  const curve = subject.curve(gauge.meaning)
  if (curve === undefined) return []
  const found = whereLasting(curve, gauge.isOff, Math.min(FEWEST_POINTS, curve.steps.length))
  if (found === undefined) return []
  const level = medianOf(within(curve, found))
  return [{ gauge, curve, level, from: curve.steps[found.from], to: curve.steps[found.to - 1] }]
}

const KEY = 'gym.show_reward'

export const trainEvalPromptMismatch = runRule({
  id: 'train-eval-prompt-mismatch',
  severity: 'warning',
  about: {
    en: 'What the policy reads differs between training and evaluation, by the config: in multi-turn gyms the usual one is a reward that is shown behind each answer in training only, as in UserRL. A policy that has learned to steer by it is blind where it is not there.',
    zh: '由配置可知，策略在训练与评测时读到的内容不同：多轮 gym 中常见的是只在训练时于每次回答后显示 reward（UserRL 即如此）。学会据此行动的策略，在看不到 reward 时就失去了依据。',
  },
  needs: [],
  says: {
    'train-eval-prompt-mismatch': {
      en: 'in training the policy sees its reward after every response ({key}={value}), in evaluation it does not: it is evaluated on prompts it was not trained on',
      zh: '训练时策略能看到每次回答的 reward（{key}={value}），评测时却看不到：评测所用的 prompt 与训练时不同',
    },
  },
  remedy: {
    en: 'show the reward in both or in neither (klens: gym.show_reward=never), train again, and do not compare this run with runs trained differently',
    zh: '训练与评测要么都显示 reward，要么都不显示（klens：gym.show_reward=never），重新训练；不要与其他显示方式训练的 run 比较',
  },
  check(subject, { say }) {
    const shown = subject.settings.get(KEY)?.effective
    if (shown === undefined) return settingUnknown(KEY)
    if (shown !== 'training') return
    return {
      steps: wholeRun(subject),
      evidence: { [KEY]: shown },
      message: say('train-eval-prompt-mismatch', { key: KEY, value: shown }),
    }
  },
})

export const weightsNotLoaded = runRule({
  id: 'weights-not-loaded',
  severity: 'error',
  about: {
    en: 'A loader printed that keys were missing or unexpected and went on: part of the model is not what the checkpoint holds.',
    zh: '加载时打印了缺失或意外的键却继续运行：模型的一部分并非 checkpoint 中的权重。',
  },
  needs: [],
  says: {
    'weights-not-loaded': {
      en: 'the console says that weights did not match the model when they were loaded: {missing} missing, {unexpected} unexpected ({examples}); the missing ones stayed randomly initialised, so the scores are not those of the checkpoint',
      zh: '控制台显示加载权重时与模型不符：缺失 {missing} 个键，意外 {unexpected} 个键（{examples}）；缺失的部分保持随机初始化，得到的分数并不属于这个 checkpoint',
    },
  },
  remedy: {
    en: 'load with strict=True, or use names that the model has (klens weights convert writes those of Lever-Plus); then evaluate again: docs/identical-results.md',
    zh: '用 strict=True 加载，或改用模型认识的名字（klens weights convert 会为 Lever-Plus 写出正确的名字），然后重新评测：见 docs/identical-results.md',
  },
  check(subject, { say }) {
    const keysIn = (setting: string): readonly string[] => {
      const said = subject.config[setting]
      return typeof said === 'string' ? said.split(' ') : []
    }
    const [missing, unexpected] = [keysIn('weights.missing_keys'), keysIn('weights.unexpected_keys')]
    if (missing.length + unexpected.length === 0) return
    const examples = [...missing.slice(0, 2), ...unexpected.slice(0, 1)].join(', ')
    const counts = { missing: missing.length, unexpected: unexpected.length }
    return {
      steps: wholeRun(subject),
      evidence: counts,
      message: say('weights-not-loaded', { ...counts, examples }),
    }
  },
})
