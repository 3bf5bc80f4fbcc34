import { trend } from '../../../stats/trend.js'
import { percentage } from '../../../text/numbers.js'
import { runRule, threshold, tooShort } from '../run-rule.js'
import { type Curve, ends, inBlocks, medianOf, paired, stepsOf } from '../signs/curve.js'
import { settledFrom } from '../signs/lasting.js'
import type { Subject } from '../subject.js'

const BLOCKS = 20

export const throughputDecay = runRule({
  id: 'throughput-decay',
  severity: 'warning',
  about: {
    en: 'The same work takes longer and longer. A step that is longer because answers are longer is no decay, so growth of the work is taken off; tokens per second alone would also fall when answers merely become short.',
    zh: '同样的工作量耗时越来越长。因回答变长而变慢不算，因此会扣除工作量的增长；只看每秒 token 数则在回答变短时也会下降。',
  },
  needs: [['time.step', 'throughput']],
  uses: ['tokens', 'len.response'],
  thresholds: {
    SLOWER: threshold(1.25, {
      en: 'Derived: allocator and cache effects stay within a few per cent; a quarter is money, a half is a leak or a neighbour.',
      zh: '推得：分配器与缓存的影响在百分之几以内；慢四分之一就是钱，慢一半则是泄漏或邻居。',
    }),
    MUCH_SLOWER: threshold(1.5, { en: 'See SLOWER; below it a note.', zh: '见 SLOWER；低于此值只作提示。' }),
    FEWEST_POINTS: threshold(40, { en: 'Points that are needed. Derived.', zh: '至少需要的点数。推得。' }),
    SKIPPED: threshold(3, { en: 'The first steps compile and warm caches.', zh: '最初几步在编译、预热缓存。' }),
    ENDS: threshold(0.2, { en: 'Compared are the first and the last fifth.', zh: '比较最初与最后的五分之一。' }),
    P: threshold(0.01, {
      en: 'How improbable such a trend must be by chance.',
      zh: '这样的趋势纯属偶然的概率须低于此值。',
    }),
  },
  says: {
    'throughput-decay': {
      en: '{metric}: the same work takes {percent} % longer at the end than at the start, and the trend is steady',
      zh: '{metric}：同样的工作量，末段比开头多用 {percent}% 的时间，且持续变慢',
    },
    'throughput-decay.remedy': {
      en: 'check GPU memory and clocks, the KV cache and host memory, log and checkpoint writing, and other jobs on the node since step {from}; restarting from a checkpoint separates a leak from a noisy neighbour',
      zh: '自 step {from} 起检查：GPU 显存与频率、KV cache、主机内存、日志与 checkpoint 写入、同节点的其他任务；从 checkpoint 重启可区分泄漏与外部干扰',
    },
  },
  check(subject, { say, SLOWER, MUCH_SLOWER, FEWEST_POINTS, ENDS, P }) {
    const time = timeOf(subject)
    if (time === undefined) return
    if (time.steps.length < FEWEST_POINTS) return tooShort(time, FEWEST_POINTS)
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
      message: say('throughput-decay', { metric: time.metric, percent: percentage(factor - 1) }),
      remedy: say('throughput-decay.remedy', { from: time.steps[from] }),
    }
  },
})

/** Time per step; where only tokens per second are logged, what they say of it. */
function timeOf(subject: Subject): Curve | undefined {
  const { FEWEST_POINTS } = throughputDecay.limits
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
  const { FEWEST_POINTS } = throughputDecay.limits
  const work = subject.curve('tokens') ?? subject.curve('len.response')
  return work === undefined || work.steps.length < FEWEST_POINTS ? undefined : warm(work)
}

function growthOf(curve: Curve): number {
  const { ENDS } = throughputDecay.limits
  const { start, end } = ends(curve, ENDS)
  return medianOf(end) / medianOf(start)
}

function warm({ metric, steps, values }: Curve): Curve {
  const { SKIPPED } = throughputDecay.limits
  return { metric, steps: steps.subarray(SKIPPED), values: values.subarray(SKIPPED) }
}
