import { componentsOf, offersFor } from '../../src/lab/study/settle/offers.js'
import { inOrder, settlePlan, settlePrompts, settleSeeds } from '../../src/lab/study/settle/sequential.js'
import { mean } from '../../src/stats/descriptive.js'
import { mcnemar } from '../../src/stats/exact-tests.js'
import type { Random } from '../../src/stats/random.js'
import { pairedPrompts, seedsForDifference, seedsForEquivalence } from '../../src/stats/sample-size.js'
import { pValueOf, welch } from '../../src/stats/student-estimate.js'
import { labSeeds } from '../lab-seeds.js'
import { at, grid, type Study } from '../study.js'

/** `klens study settle`: how often it is wrong, what it buys, and what a fixed design and the habit would have done. */

const MOST = 20
const PLAN = settlePlan(MOST)

/** Seeds of one side, of mean 0; the margin and the gap are in units of the two sides' common spread. */
interface SeedKind {
  readonly first: (random: Random) => number
  readonly second: (random: Random) => number
  readonly spread: number
}

const alike = (draw: (random: Random) => number): SeedKind => ({ first: draw, second: draw, spread: 1 })

/** exp of a normal of spread 0.8, with its own mean and spread taken out. */
const lognormal = (random: Random): number =>
  (Math.exp(0.8 * random.normal()) - Math.exp(0.32)) / Math.sqrt(Math.exp(1.28) - Math.exp(0.64))

/** A share collapses, so many spreads of the others below them. */
function collapsing(share: number, depth: number): (random: Random) => number {
  const spread = Math.sqrt(1 + share * (1 - share) * depth ** 2)
  return random => (random.normal() - (random.next() < share ? depth : 0) + share * depth) / spread
}

/** Both sides from the seeds of one setting, drawn anew for every study. */
function resampled(lab: 'addition' | 'sorting'): (random: Random) => SeedKind {
  return random => {
    const settings = labSeeds(lab)
    const seeds = settings[random.below(settings.length)]
    return alike(drawing => seeds[drawing.below(seeds.length)])
  }
}

const SEED_KINDS: Readonly<Record<string, (random: Random) => SeedKind>> = {
  normal: () => alike(random => random.normal()),
  lognormal: () => alike(lognormal),
  'collapse-20': () => alike(collapsing(0.2, 5)),
  'collapse-30-tight': () => alike(collapsing(0.3, 20)),
  threefold: () => ({ first: random => random.normal(), second: random => 3 * random.normal(), spread: Math.sqrt(5) }),
  addition: resampled('addition'),
  sorting: resampled('sorting'),
}

/** A single look that finds a gap of the margin, and shows the same where there is none, each in 80 %. */
const FIXED = Math.max(seedsForDifference(1, { difference: 1 }), seedsForEquivalence(1, { margin: 1 }))

/** The habit: a seed more on both sides until p < .05, from three on. */
function habitOf(first: readonly number[], second: readonly number[]): { claimed: boolean; seeds: number } {
  for (let seeds = 3; seeds <= MOST; seeds += 1) {
    if (pValueOf(welch(first.slice(0, seeds), second.slice(0, seeds))) < 0.05) return { claimed: true, seeds }
  }
  return { claimed: false, seeds: MOST }
}

export const settleBySeeds: Study = {
  name: 'settle-seeds',
  cells: grid({ kind: Object.keys(SEED_KINDS), gap: [0, 1, 2] }),
  share: ({ gap }) => (gap === 2 ? 0.1 : 0.5),
  once: (cell, random) => {
    const { first, second, spread } = SEED_KINDS[String(cell.kind)](random)
    const gap = at(cell, 'gap') * spread
    const baseline = Array.from({ length: MOST }, () => first(random))
    const other = Array.from({ length: MOST }, () => second(random) + gap)
    const [{ answer, looks }] = settleSeeds(1, inOrder(baseline, [other]), spread, PLAN)
    const habit = habitOf(baseline, other)
    const fixed = pValueOf(welch(baseline.slice(0, FIXED), other.slice(0, FIXED))) < 0.05
    return {
      claimed: Number(answer === 'higher' || answer === 'lower'),
      wrong: Number(answer === 'lower' || (gap === 0 && answer === 'higher')),
      same: Number(answer === 'same'),
      seeds: looks[looks.length - 1].seeds,
      habit: Number(habit.claimed),
      habitSeeds: habit.seeds,
      fixed: Number(fixed),
      fixedSeeds: FIXED,
    }
  },
}

/** A baseline and several others; where `ahead` is not 0 the first other is so many spreads better, the others equal. */
export const settleSeveral: Study = {
  name: 'settle-several',
  cells: grid({ kind: ['normal', 'collapse-20'], others: [2, 5], ahead: [0, 1.5] }),
  share: () => 0.2,
  once: (cell, random) => {
    const { first, spread } = SEED_KINDS[String(cell.kind)](random)
    const ahead = at(cell, 'ahead')
    const side = (gap: number): number[] => Array.from({ length: MOST }, () => first(random) + gap)
    const others = Array.from({ length: at(cell, 'others') }, (_, i) => side(i === 0 ? ahead : 0))
    const settled = settleSeeds(others.length, inOrder(side(0), others), spread, PLAN)
    const claims = settled.map(({ answer }) => answer === 'higher' || answer === 'lower')
    const used = settled.map(({ looks }) => looks[looks.length - 1].seeds)
    return {
      anyFalse: Number(claims.some((claimed, i) => claimed && (i > 0 || ahead === 0))),
      found: Number(claims[0] && ahead > 0),
      falseSame: Number(settled[0].answer === 'same' && ahead >= spread),
      trials: used.reduce((sum, seeds) => sum + seeds, Math.max(...used)),
      fixedTrials: (others.length + 1) * seedsForDifference(1, { difference: 1, level: 1 - 0.05 / others.length }),
    }
  },
}

const POOL = 2_000
const PROMPT_LOOKS = Array.from({ length: POOL / 50 }, (_, i) => 50 * (i + 1))

/** Right or wrong, or graded in halves; a share of the prompts differs. The margin is six points. */
export const settleByPrompts: Study = {
  name: 'settle-prompts',
  cells: grid({ scores: ['right or wrong', 'graded'], discordance: [0.1, 0.3], gap: [0, 0.06, 0.12] }),
  share: () => 0.1,
  once: (cell, random) => {
    const [gap, discordance] = [at(cell, 'gap'), at(cell, 'discordance')]
    const size = (): number => (cell.scores === 'graded' && random.next() < 0.5 ? 0.5 : 1)
    const up = cell.scores === 'graded' ? (discordance + gap / 0.75) / 2 : (discordance + gap) / 2
    const differences = Array.from({ length: POOL }, () => {
      const luck = random.next()
      return luck < up ? size() : luck < discordance ? -size() : 0
    })
    const baseline = differences.map(value => Math.max(0, -value))
    const other = differences.map((value, i) => baseline[i] + value)
    const [{ answer, looks }] = settlePrompts(baseline, [other], 0.06, { looks: PROMPT_LOOKS, isAll: true })
    const habit = PROMPT_LOOKS.find(n => mcnemar(baseline.slice(0, n), other.slice(0, n)).p < 0.05)
    return {
      claimed: Number(answer === 'higher' || answer === 'lower'),
      wrong: Number(answer === 'lower' || (gap === 0 && answer === 'higher')),
      same: Number(answer === 'same'),
      prompts: looks[looks.length - 1].prompts,
      habit: Number(habit !== undefined),
      fixedPrompts: pairedPrompts(mean(differences.map(value => value ** 2)), { difference: 0.06 }),
    }
  },
}

/** A run takes 100 s and a prompt 0.05 s; runs are first asked 50 prompts. Scores scatter by 0.5 between prompts. */
const RUN = { run: 100, prompt: 0.05, first: 50, pool: 1_600, spread: 0.5 }

/** Seeds and prompts, by what is the better buy, against seeds alone at the first number of prompts. */
export const settleBuying: Study = {
  name: 'settle-buying',
  cells: grid({ tau: [0.01, 0.05], gap: [0, 0.06] }),
  share: () => 0.06,
  once: (cell, random) => {
    const tau = at(cell, 'tau')
    const run = (gap: number): number[] => {
      const level = gap + tau * random.normal()
      return Array.from({ length: RUN.pool }, () => level + RUN.spread * random.normal())
    }
    const arms = [0, at(cell, 'gap')].map(gap => Array.from({ length: MOST }, () => run(gap)))
    let asked = RUN.first
    let seconds = 0
    const askedAt = new Map<number, number>()
    const levels = (count: number, n: number) => {
      const [baseline, other] = arms.map(runs => runs.slice(0, count).map(scores => mean(scores.slice(0, n))))
      return { baseline, others: [other] }
    }
    // An earlier look stays what it was, on the prompts of its time.
    const settle = (upTo: number, promptsAt: (count: number) => number) =>
      settleSeeds(1, count => levels(Math.min(count, upTo), promptsAt(count)), 0.06, PLAN)[0]
    let answer: ReturnType<typeof settle>['answer'] = null
    for (const [i, count] of PLAN.looks.entries()) {
      seconds += 2 * (count - (PLAN.looks[i - 1] ?? 0)) * (RUN.run + asked * RUN.prompt)
      for (;;) {
        const seen = arms.map(runs => runs.slice(0, count).map(scores => scores.slice(0, asked)))
        const [best] = offersFor(componentsOf(seen), { seeds: count, arms: 2 }, RUN, {
          seeds: PLAN.looks[i + 1] ?? null,
          prompts: asked < RUN.pool ? Math.min(2 * asked, RUN.pool) : null,
        })
        if (best?.kind !== 'prompts') break
        seconds += best.seconds
        asked = best.count
      }
      askedAt.set(count, asked)
      answer = settle(count, at => askedAt.get(at) ?? asked).answer
      if (answer !== null) break
    }
    const alone = settle(MOST, () => RUN.first)
    const aloneSeeds = alone.looks[alone.looks.length - 1].seeds
    return {
      claimed: Number(answer === 'higher' || answer === 'lower'),
      same: Number(answer === 'same'),
      hours: seconds / 3600,
      prompts: asked,
      alone: Number(alone.answer === 'higher' || alone.answer === 'lower'),
      aloneSame: Number(alone.answer === 'same'),
      aloneHours: (2 * aloneSeeds * (RUN.run + RUN.first * RUN.prompt)) / 3600,
    }
  },
}
