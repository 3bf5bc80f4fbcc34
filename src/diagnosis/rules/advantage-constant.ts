import { numberOf } from '../../model/vocabulary/config-value.js'
import { message } from '../../text/say.js'
import type { Rule } from '../rule.js'
import { type Curve, stepsOf } from '../signs/curve.js'
import type { Subject } from '../subject.js'

/** Lever-Plus trains on fixed data: the figures may step once, when the curriculum does. */
const FEWEST_EPOCHS = 3
/** Derived: elsewhere a figure that depends on fresh answers does not repeat itself twenty times. */
const FEWEST_STEPS = 20
/** Derived: the epsilon under the fraction and three printed decimals. */
const BOUND_SLACK = 0.001
/** Where the config does not tell the size of a group. Derived: people sample 4 to 64 answers. */
const LARGEST_GROUP = 64

/** A figure about advantages that is what it is by construction, and is often read as progress. */
export const advantageConstant: Rule = {
  id: 'advantage-constant',
  severity: 'note',
  needs: [['adv.std', 'adv.max']],
  detect(subject) {
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
      message: message(reasonOf(first, subject), { metrics: metrics.join(', ') }),
      remedy: message('advantage-constant.remedy', {}),
    }
  },
}

/** Zero is another matter: then no group has anything to say (groups-degenerate). */
function isConstant(curve: Curve, subject: Subject): boolean {
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
