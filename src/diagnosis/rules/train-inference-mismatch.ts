import { figure, listed } from '../../text/figure.js'
import { message } from '../../text/say.js'
import type { Rule } from '../rule.js'
import { type Curve, medianOf, within } from '../signs/curve.js'
import { whereLasting } from '../signs/lasting.js'
import type { Subject } from '../subject.js'

interface Gauge {
  readonly meaning: string
  readonly isOff: (value: number) => boolean
  /** As a reader sees it. */
  readonly healthy: string
  readonly isSevere?: boolean
}

/**
 * A rollout_probs_diff above 0.01 is a precision problem (verl docs/faq, PR #3595); the others are
 * from verl docs/algo/rollout_corr.md. TRL's mean log-prob difference and OpenRLHF's vllm_kl share the limit of the KL:
 * a healthy engine shows about 0.011 (vime #64), dropout left on 0.86 (reef #536).
 */
const GAUGES: readonly Gauge[] = [
  { meaning: 'rollout.chi2.token', isOff: value => value > 1, healthy: '≤ 1', isSevere: true },
  { meaning: 'kl.train_infer', isOff: value => Math.abs(value) > 0.1, healthy: '≤ 0.1' },
  { meaning: 'rollout.prob_diff', isOff: value => value > 0.01, healthy: '≤ 0.01' },
  { meaning: 'rollout.ratio', isOff: value => value < 0.5 || value > 2, healthy: '0.5–2' },
  { meaning: 'rollout.ratio.ess', isOff: value => value < 0.3, healthy: '≥ 0.3' },
  { meaning: 'rollout.ratio.std', isOff: value => value > 1, healthy: '≤ 1' },
]
const FEWEST_POINTS = 5

/** The trainer and the sampler compute different probabilities for the same tokens: the update is off-policy unseen. */
export const trainInferenceMismatch: Rule = {
  id: 'train-inference-mismatch',
  severity: 'warning',
  needs: [GAUGES.map(({ meaning }) => meaning)],
  detect(subject) {
    const off = GAUGES.flatMap(gauge => offGauge(subject, gauge))
    if (off.length === 0) return
    return {
      severity: off.some(({ gauge }) => gauge.isSevere === true) ? 'error' : 'warning',
      steps: [Math.min(...off.map(({ from }) => from)), Math.max(...off.map(({ to }) => to))],
      evidence: {
        metrics: off.map(({ curve }) => curve.metric),
        values: off.map(({ level }) => level),
        healthy: off.map(({ gauge }) => gauge.healthy),
      },
      message: message('train-inference-mismatch', {
        list: listed(off.map(({ curve, level, gauge }) => `${curve.metric} = ${figure(level)} (${gauge.healthy})`)),
      }),
      remedy: message('train-inference-mismatch.remedy', {}),
    }
  },
}

interface OffGauge {
  readonly gauge: Gauge
  readonly curve: Curve
  readonly level: number
  readonly from: number
  readonly to: number
}

function offGauge(subject: Subject, gauge: Gauge): OffGauge[] {
  const curve = subject.curve(gauge.meaning)
  if (curve === undefined) return []
  const found = whereLasting(curve, gauge.isOff, Math.min(FEWEST_POINTS, curve.steps.length))
  if (found === undefined) return []
  const level = medianOf(within(curve, found))
  return [{ gauge, curve, level, from: curve.steps[found.from], to: curve.steps[found.to - 1] }]
}
