import { numberOf } from '../../model/vocabulary/config-value.js'
import { median } from '../../stats/descriptive.js'
import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import type { Curve } from '../signs/curve.js'

/** Derived: in 56 healthy runs 99.9 % of the norms lie within 20 times their neighbours' median. */
const TIMES_NEIGHBOURS = 20
/** Neighbours on each side. */
const REACH = 10
/** verl's and TRL's default: a norm below it is not even clipped. */
const USUAL_CLIP = 1
/** Derived: healthy runs have up to two such steps in 400; clipping makes them harmless. Many of them are a habit. */
const MANY = 5
const MANY_SHARE = 0.01
const SHOWN = 20

/** Gradient norms far above their surroundings. */
export const gradSpike: Rule = {
  id: 'grad-spike',
  severity: 'warning',
  needs: ['grad.norm'],
  detect({ curve, settings }) {
    const gradient = curve('grad.norm')
    if (gradient === undefined) return
    const { metric, steps, values } = gradient
    if (steps.length < 2 * REACH) {
      return cannotSay(message('diagnose.too-short', { n: steps.length, metric, needed: 2 * REACH }))
    }
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
      message: message(many ? 'grad-spike' : 'grad-spike.few', {
        spikes: spikes.length,
        times: TIMES_NEIGHBOURS,
        norm: figure(values[highest]),
        step: steps[highest],
        usual: figure(usual),
      }),
      remedy: message(many ? 'grad-spike.remedy' : 'grad-spike.few.remedy', { step: steps[highest] }),
    }
  },
}

/** Indices of the points that stand out from the points around them. A stray gradient in a dead run is none. */
function spikesOf(gradient: Curve, clip: number): number[] {
  return Array.from(gradient.values.keys()).filter(i => {
    if (!(gradient.values[i] > clip) || !mayStandOut(gradient, i)) return false
    const usual = usualAround(gradient, i)
    return usual > 0 && gradient.values[i] > TIMES_NEIGHBOURS * usual
  })
}

/** Above so many times the least of its neighbours: asked of every point, before their median is. */
function mayStandOut({ values }: Curve, i: number): boolean {
  const last = Math.min(values.length - 1, i + REACH)
  for (let j = Math.max(0, i - REACH); j <= last; j += 1) if (values[i] > TIMES_NEIGHBOURS * values[j]) return true
  return false
}

function usualAround({ values }: Curve, i: number): number {
  return median([...values.subarray(Math.max(0, i - REACH), i), ...values.subarray(i + 1, i + 1 + REACH)])
}
