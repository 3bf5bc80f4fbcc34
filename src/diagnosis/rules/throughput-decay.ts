import { trend } from '../../stats/trend.js'
import { percentage } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import { type Curve, ends, inBlocks, medianOf, paired, stepsOf } from '../signs/curve.js'
import { settledFrom } from '../signs/lasting.js'
import type { Subject } from '../subject.js'

/** Derived: allocator and cache effects stay within a few per cent; a quarter is money, a half is a leak or a neighbour. */
const SLOWER = 1.25
const MUCH_SLOWER = 1.5
const FEWEST_POINTS = 40
/** The first steps compile and warm caches. */
const SKIPPED = 3
const BLOCKS = 20
/** Compared are the first and the last fifth. */
const ENDS = 0.2
const P = 0.01

/**
 * The same work takes longer and longer. A step that is longer because answers are longer is no decay, so growth of the
 * work is taken off; tokens per second alone would also fall when answers merely become short.
 */
export const throughputDecay: Rule = {
  id: 'throughput-decay',
  severity: 'warning',
  needs: [['time.step', 'throughput']],
  uses: ['tokens', 'len.response'],
  detect(subject) {
    const time = timeOf(subject)
    if (time === undefined) return
    const n = time.steps.length
    if (n < FEWEST_POINTS) {
      return cannotSay(message('diagnose.too-short', { n, metric: time.metric, needed: FEWEST_POINTS }))
    }
    const work = workOf(subject)
    const growth = work === undefined ? 1 : Math.max(1, growthOf(work))
    const factor = growthOf(time) / growth
    if (!(factor >= SLOWER)) return
    const blocks = inBlocks(time, BLOCKS)
    const { slope, p } = trend(blocks.steps, blocks.values)
    if (!(slope > 0 && p < P)) return
    const [start, end] = [medianOf(ends(time, ENDS).start), medianOf(ends(time, ENDS).end)]
    const from = Math.max(
      0,
      settledFrom(time, value => value > (start + end) / 2),
    )
    return {
      severity: factor >= MUCH_SLOWER ? 'warning' : 'note',
      steps: [time.steps[from], stepsOf(time)[1]],
      evidence: {
        metric: time.metric,
        start,
        end,
        factor,
        ...(work !== undefined && { work: work.metric, growth }),
        p,
      },
      message: message('throughput-decay', { metric: time.metric, percent: percentage(factor - 1) }),
      remedy: message('throughput-decay.remedy', { from: time.steps[from] }),
    }
  },
}

/** Time per step; where only tokens per second are logged, what they say of it. */
function timeOf(subject: Subject): Curve | undefined {
  const time = subject.curve('time.step')
  if (time !== undefined) return warm(time)
  const speed = subject.curve('throughput')
  if (speed === undefined) return
  const work = subject.curve('tokens') ?? subject.curve('len.response')
  const pairs = work === undefined ? [] : paired(speed, work)
  if (pairs.length < FEWEST_POINTS) return warm({ ...speed, values: speed.values.map(value => 1 / value) })
  return warm({
    metric: speed.metric,
    steps: Float64Array.from(pairs, ({ step }) => step),
    values: Float64Array.from(pairs, ({ first, second }) => second / first),
  })
}

function workOf(subject: Subject): Curve | undefined {
  const work = subject.curve('tokens') ?? subject.curve('len.response')
  return work === undefined || work.steps.length < FEWEST_POINTS ? undefined : warm(work)
}

function growthOf(curve: Curve): number {
  const { start, end } = ends(curve, ENDS)
  return medianOf(end) / medianOf(start)
}

function warm({ metric, steps, values }: Curve): Curve {
  return { metric, steps: steps.subarray(SKIPPED), values: values.subarray(SKIPPED) }
}
