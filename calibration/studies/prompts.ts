import { compareCheckpoint } from '../../src/core/analysis/compare/checkpoint.js'
import type { Verdict } from '../../src/logs/model/verdict.js'
import { mean } from '../../src/stats/descriptive.js'
import { mcnemar } from '../../src/stats/exact-tests.js'
import { clusteredMean } from '../../src/stats/item-mean.js'
import { promptDifference } from '../../src/stats/prompt-difference.js'
import { newcombe } from '../../src/stats/proportion.js'
import type { Random } from '../../src/stats/random.js'
import { intervalOf } from '../../src/stats/student-estimate.js'
import { at, grid, type Observation, type Study } from '../study.js'

/** Two checkpoints on the same prompts, right or wrong: a share `discordance` of the prompts flips one way or the other. */
export const prompts: Study = {
  name: 'prompts',
  cells: grid({ n: [14, 50, 100, 200, 800], discordance: [0.05, 0.1, 0.2], gap: [0, 0.04] }),
  share: () => 1,
  once: (cell, random) => {
    const n = at(cell, 'n')
    const gap = at(cell, 'gap')
    const up = (at(cell, 'discordance') + gap) / 2
    const down = (at(cell, 'discordance') - gap) / 2
    const first: number[] = []
    const second: number[] = []
    for (let i = 0; i < n; i += 1) {
      const luck = random.next()
      const both = random.next() < 0.5 ? 1 : 0
      first.push(luck < up ? 0 : luck < up + down ? 1 : both)
      second.push(luck < up ? 1 : luck < up + down ? 0 : both)
    }
    const { p, interval } = judged(first, second)
    const [low, high] = interval ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    const plain = intervalOf(
      clusteredMean(
        second.map((score, i) => score - first[i]),
        first.map((_, i) => String(i)),
      ),
    )
    const share = (scores: readonly number[]): number => scores.reduce((sum, score) => sum + score, 0) / n
    const apart = newcombe({ share: share(first), n }, { share: share(second), n })
    const claimed = p !== null && p < 0.05
    const exact = mcnemar(first, second).p < 0.05
    return {
      claimed: Number(claimed),
      claimedByT: Number(plain.low > 0 || plain.high < 0),
      claimedByMcnemar: Number(exact),
      wrong: Number(claimed && (gap === 0 || high < 0)),
      covered: Number(low <= gap && gap <= high),
      claimedUnpaired: Number(apart.low > 0 || apart.high < 0),
    }
  },
}

/** As klens judges two checkpoints. */
function judged(first: readonly number[], second: readonly number[]): Verdict {
  const of = (scores: readonly number[]) => ({ value: mean(scores), n: scores.length, scores })
  const asked = { question: 'checkpoint', metric: 'acc', goal: 'max', baseline: 'a', other: 'b', margin: null } as const
  return compareCheckpoint(asked, of(first), of(second))
}

/** Graded scores with several samples of each prompt. */
export const gradedPrompts: Study = {
  name: 'graded-prompts',
  cells: [...grid({ n: [6, 12, 20, 29], repeats: [1] }), ...grid({ n: [100, 200], repeats: [1, 4] })],
  share: ({ n }) => (typeof n === 'number' && n < 30 ? 0.2 : 0.5),
  once: (cell, random) => graded(random, at(cell, 'n'), at(cell, 'repeats')),
}

function graded(random: Random, n: number, repeats: number): Observation {
  const sample = (base: number): number[] => Array.from({ length: repeats }, () => base + random.normal())
  const first: number[][] = []
  const second: number[][] = []
  for (let i = 0; i < n; i += 1) {
    const ease = random.normal()
    // Skewed: one prompt in ten gains a lot, the others lose a little; the mean gain is zero.
    const gain = random.next() < 0.1 ? 1.8 : -0.2
    first.push(sample(ease))
    second.push(sample(ease + gain))
  }
  const difference = promptDifference(first, second)
  const flat = intervalOf(
    promptDifference(
      first.flatMap((scores, i) => scores.map((_, k) => [first[i][k]])),
      second.flatMap(scores => scores.map(score => [score])),
    ),
  )
  const excludesZero = ({ low, high }: { readonly low: number; readonly high: number }): number =>
    Number(low > 0 || high < 0)
  return {
    claimed: Number((judged(first.map(mean), second.map(mean)).p ?? 1) < 0.05),
    claimedFlat: excludesZero(flat),
    claimedByT: excludesZero(intervalOf(difference)),
  }
}
