import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { runRule, threshold } from '../run-rule.js'
import { type Curve, stepsOf } from '../signs/curve.js'
import type { Subject } from '../subject.js'

export const advantageConstant = runRule({
  id: 'advantage-constant',
  severity: 'note',
  about: {
    en: 'A figure about advantages that is what it is by construction, and is often read as progress.',
    zh: '一个关于优势的数字，其取值由构造决定，却常被当成进展。',
  },
  needs: [['adv.std', 'adv.max']],
  thresholds: {
    FEWEST_EPOCHS: threshold(3, {
      en: 'Lever-Plus trains on fixed data: the figures may step once, when the curriculum does.',
      zh: 'Lever-Plus 在固定数据上训练：课程切换时数字可以跳一次。',
    }),
    FEWEST_STEPS: threshold(20, {
      en: 'Derived: elsewhere a figure that depends on fresh answers does not repeat itself twenty times.',
      zh: '推得：在其他框架中，取决于新回答的数字不会重复 20 次。',
    }),
    BOUND_SLACK: threshold(0.001, {
      en: 'Derived: the epsilon under the fraction and three printed decimals. A maximum at the highest z-score of a group, (G − 1)/√G or √(G − 1), is what any large batch has, and is not told.',
      zh: '推得：分母中的 epsilon 与三位小数。最大值等于组内最高 z 分数（(G − 1)/√G 或 √(G − 1)）是任何大 batch 都有的，不作提示。',
    }),
    LARGEST_GROUP: threshold(64, {
      en: 'Where the config does not tell the size of a group. Derived: people sample 4 to 64 answers.',
      zh: '配置没有说明组大小时使用。推得：通常采样 4 ~ 64 个回答。',
    }),
  },
  says: {
    'advantage-constant': {
      en: '{metrics} is the same at every step: it does not depend on the policy and shows no progress',
      zh: '{metrics} 在每个 step 都相同：它与策略无关，不反映进展',
    },
    'advantage-constant.data': {
      en: '{metrics} is a constant of the fixed training data: it does not depend on the policy, and a jump in it is the curriculum',
      zh: '{metrics} 是固定训练数据的常数：与策略无关，其中的跳变来自课程切换',
    },
    'advantage-constant.pairs': {
      en: '{metrics} is the same at every step: with two responses per prompt it can only be 0.707',
      zh: '{metrics} 在每个 step 都相同：每个 prompt 只有 2 个回答时它只能是 0.707',
    },
  },
  remedy: {
    en: 'leave it out of comparisons and reports; log the fraction of groups with unequal rewards instead',
    zh: '对比和报告中不要使用它；改为记录组内奖励不全相同的比例',
  },
  check(subject, { say }) {
    const constant = ['adv.std', 'adv.max'].flatMap(meaning => {
      const curve = subject.curve(meaning)
      return curve !== undefined && isConstant(curve, subject) ? [curve] : []
    })
    const [first] = constant
    if (first === undefined) return
    const metrics = constant.map(({ metric }) => metric)
    return {
      steps: stepsOf(first),
      evidence: { metrics, values: [...new Set(first.values)] },
      message: say(reasonOf(first, subject), { metrics: metrics.join(', ') }),
    }
  },
})

/** Zero is another matter: then no group has anything to say (groups-degenerate). */
function isConstant(curve: Curve, subject: Subject): boolean {
  const { FEWEST_EPOCHS, FEWEST_STEPS } = advantageConstant.limits
  const { values } = curve
  let changes = 0
  for (let i = 1; i < values.length; i += 1) if (values[i] !== values[i - 1]) changes += 1
  if (values.every(value => value === 0)) return false
  if (subject.framework === 'lever-plus') return values.length >= FEWEST_EPOCHS && changes <= 1
  return values.length >= FEWEST_STEPS && changes === 0 && !isAtBound(curve, subject)
}

/**
 * The highest z-score of a group of G is (G − 1)/√G, or √(G − 1) with the population's deviation: one right answer among
 * wrong ones. Any large batch holds such a group, so the maximum says nothing, and nothing is odd about it. Pairs have no
 * other value and are told.
 */
function isAtBound({ metric, values }: Curve, subject: Subject): boolean {
  const { BOUND_SLACK, LARGEST_GROUP } = advantageConstant.limits
  if (metric !== subject.curve('adv.max')?.metric) return false
  const told = groupSize(subject)
  const sizes = told === null ? Array.from({ length: LARGEST_GROUP - 2 }, (_, i) => i + 3) : [told]
  return sizes.some(
    size =>
      size > 2 &&
      [(size - 1) / Math.sqrt(size), Math.sqrt(size - 1)].some(
        bound => Math.abs(values[0] - bound) <= BOUND_SLACK * bound,
      ),
  )
}

function groupSize({ settings }: Subject): number | null {
  return numberOf(settings.get('group.size')?.effective ?? undefined)
}

/** With two answers to a prompt the z-score of any informative group is ±0.707. */
function reasonOf({ metric }: Curve, subject: Subject) {
  if (subject.framework === 'lever-plus') return 'advantage-constant.data'
  const pairs = groupSize(subject) === 2
  return pairs && metric === subject.curve('adv.max')?.metric ? 'advantage-constant.pairs' : 'advantage-constant'
}
