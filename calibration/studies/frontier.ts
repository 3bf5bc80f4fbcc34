import { frontierPairs, peakOf } from '../../src/core/analysis/frontier/frontier.js'
import type { FrontierRun, FrontierSetting } from '../../src/core/analysis/frontier/setting.js'
import { bestWithin } from '../../src/core/analysis/frontier/within.js'
import { judgeFigures } from '../../src/core/analysis/judge-figures.js'
import { HEADLINE_SHARE } from '../../src/stats/multiplicity.js'
import type { Random } from '../../src/stats/random.js'
import { at, grid, type Study } from '../study.js'

/**
 * Score and KL of settings, with seeds whose score and log KL vary together: do joint intervals hold both truths, are equal
 * settings told apart, does the interval of the peak hold the KL of the truly best setting, and is the best setting within a
 * KL among those that are named?
 */
export const frontier: Study = {
  name: 'frontier',
  cells: grid({ kind: ['normal', 't3', 'skewed'], seeds: [3, 5, 8], together: [-0.6, 0.6] }),
  share: () => 0.2,
  once: (cell, random) => {
    const setting = (label: string, truth: Truth): FrontierSetting => drawn(label, truth, cell, random)
    const [first, second, equal] = [setting('a', LEVEL), setting('b', NEARER), setting('c', LEVEL)]
    const { joint } = pairOf(first, second)
    const alike = pairOf(first, equal)
    const settings = CURVE.map((truth, i) => setting(String(i), truth))
    const peak = peakOf(settings, 1)
    const gain = NEARER.score - LEVEL.score
    const ratio = Math.expm1(NEARER.logKl - LEVEL.logKl)
    return {
      joint: Number(joint !== null && holds(joint.region.score, gain) && holds(joint.region.kl, ratio)),
      // As in a sweep, the scores have their share of the level.
      equal: Number((alike.score.p ?? 1) < HEADLINE_SHARE * LEVEL_OF_ALL || alike.kl?.answer !== 'undetermined'),
      peak: Number(peak !== null && holds(peak.interval, Math.exp(CURVE[BEST].logKl))),
      within: Number(bestWithin(settings, LIMIT, 1).candidates.includes(String(WITHIN))),
    }
  },
}

interface Truth {
  readonly score: number
  readonly logKl: number
}

const LEVEL: Truth = { score: 0.5, logKl: -2 }
const NEARER: Truth = { score: 0.47, logKl: -2.5 }
/** Over the peak: with less of a penalty the score falls again. */
const CURVE: readonly Truth[] = [
  { score: 0.2, logKl: 0.3 },
  { score: 0.52, logKl: -1.3 },
  { score: 0.56, logKl: -2.3 },
  { score: 0.48, logKl: -3.5 },
]
const BEST = 2
const LEVEL_OF_ALL = 0.05
/** Between the KL of the third setting and that of the fourth. */
const LIMIT = 0.06
const WITHIN = 3
const SPREAD = { score: 0.02, logKl: 0.15 }

const KINDS: Readonly<Record<string, (random: Random) => number>> = {
  normal: random => random.normal(),
  t3: random => random.normal() / Math.sqrt(random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2),
  skewed: random => -Math.log(1 - random.next()) - 1,
}

function drawn(label: string, truth: Truth, cell: Parameters<Study['once']>[0], random: Random): FrontierSetting {
  const draw = KINDS[String(cell.kind)]
  const together = at(cell, 'together')
  const runs = Array.from({ length: at(cell, 'seeds') }, (_, i): FrontierRun => {
    const [own, other] = [draw(random), draw(random)]
    const shared = together * own + Math.sqrt(1 - together ** 2) * other
    const kl = Math.exp(truth.logKl + SPREAD.logKl * shared)
    return { id: `${label}${i}`, score: truth.score + SPREAD.score * own, kl, optimised: null }
  })
  return { values: [label], label, runs }
}

function pairOf(first: FrontierSetting, second: FrontierSetting) {
  const asked = { metric: 'val', goal: 'max', baseline: first.label, other: second.label, margin: null } as const
  const [a, b] = [first, second].map(({ runs }) => runs.map(({ score }) => score))
  return frontierPairs(first, [second], [judgeFigures(asked, a, b)])[0]
}

function holds([low, high]: readonly [number, number], value: number): boolean {
  return value >= low && value <= high
}
