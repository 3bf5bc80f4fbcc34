import { type JudgedTasks, judgeTasks, type PairedTask } from '../../src/core/analysis/evaluations/judge-tasks.js'
import { mean } from '../../src/stats/descriptive.js'
import { majorityScore, passAtK, shareInterval } from '../../src/stats/item-mean.js'
import type { Random } from '../../src/stats/random.js'
import { at, type Cell, grid, type Observation, type Study } from '../study.js'

/**
 * Evaluation files: two equal models on the items of several tasks. An item is easy or hard for both (`shared`), and so
 * are items of one passage where they come in clusters: `within` is how much of what a model gains on an item it gains on
 * all items of its cluster. Right or wrong once, or the mean of four repeats.
 */
export const tasks: Study = {
  name: 'tasks',
  cells: [
    ...grid({ tasks: [12], n: [50, 200], repeats: [1, 4], sizes: ['one'], within: [0] }),
    ...grid({ tasks: [12], n: [2000], repeats: [1], sizes: ['one'], within: [0] }),
    ...grid({ tasks: [12], n: [50], repeats: [1], sizes: ['one'], within: [0], discordance: ['low'] }),
    ...grid({ tasks: [12], n: [200], repeats: [1], sizes: ['shared'], within: [0.5] }),
    ...grid({ tasks: [12], n: [50, 200], repeats: [1], sizes: ['equal', 'unequal'], within: [0.3, 0.8] }),
    ...grid({ tasks: [12], n: [800], repeats: [1], sizes: ['unequal'], within: [0.3] }),
    ...grid({ tasks: [1], n: [50, 200], repeats: [1], sizes: ['equal', 'unequal'], within: [0.8] }),
  ],
  share: ({ n }) => (Number(n) === 2000 ? 0.05 : 0.2),
  once(cell, random) {
    const made = Array.from({ length: at(cell, 'tasks') }, (_, task) => equalTask(cell, task, random))
    const found = judgeTasks(made, ASKED)
    const claims = claimsOf(found)
    const judged = found.tasks
    const covered = judged.filter(({ interval }) => interval !== null && interval[0] <= 0 && interval[1] >= 0).length
    const tested = judged.filter(({ interval }) => interval !== null).length
    const ignoring =
      cell.sizes === 'one'
        ? claims
        : claimsOf(
            judgeTasks(
              made.map(task => ({ ...task, clusters: null })),
              ASKED,
            ),
          )
    return {
      anyClaim: Number(claims.some(Boolean)),
      overall: Number(found.overall !== null && claims[0]),
      covered: tested === 0 ? Number.NaN : covered / tested,
      anyIgnoringClusters: Number(ignoring.some(Boolean)),
    }
  },
}

const ASKED = { baseline: 'a', other: 'b', margin: null }

function claimsOf({ overall, tasks: judged }: JudgedTasks): boolean[] {
  return [...(overall === null ? [] : [overall]), ...judged].map(({ answer }) => answer !== 'undetermined')
}

function equalTask(cell: Cell, task: number, random: Random): PairedTask {
  const [n, repeats, within] = [at(cell, 'n'), at(cell, 'repeats'), at(cell, 'within')]
  const isLow = cell.discordance === 'low'
  const clusters = clustersOf(String(cell.sizes), n)
  const gains = new Map<string, readonly [number, number]>()
  const ids: string[] = []
  const first: number[] = []
  const second: number[] = []
  for (let i = 0; i < n; i += 1) {
    const cluster = clusters[i] ?? ''
    const common = gains.get(cluster) ?? [random.normal(), random.normal()]
    gains.set(cluster, common)
    const ease = (isLow ? 3 : 1) * random.normal()
    const own = [random.normal(), random.normal()]
    const gain = common.map((each, side) => Math.sqrt(within) * each + Math.sqrt(1 - within) * own[side])
    const right = gain.map(each => share(random, ease + (isLow ? 0.1 : 1) * each, repeats))
    // Items of one name in several tasks are one item; where clusters are shared, so are the passages.
    ids.push(cell.sizes === 'shared' ? `${i}` : `${task}/${i}`)
    first.push(right[0])
    second.push(right[1])
  }
  const own =
    cell.sizes === 'one' ? null : clusters.map(cluster => (cell.sizes === 'shared' ? cluster : `${task}/${cluster}`))
  return { task: String(task), metric: `eval/acc/dataset=${task}`, goal: 'max', ids, first, second, clusters: own }
}

/** Right where the sum of ease and gain is positive; with repeats a share of them. */
function share(random: Random, logit: number, repeats: number): number {
  if (repeats === 1) return Number(logit > 0)
  const p = 1 / (1 + Math.exp(-logit))
  let right = 0
  for (let i = 0; i < repeats; i += 1) right += random.next() < p ? 1 : 0
  return right / repeats
}

/** About ten clusters of fifty items, and more of more; unequal ones have from 1 to some 15 items. */
function clustersOf(sizes: string, n: number): string[] {
  if (sizes === 'one') return []
  if (sizes !== 'unequal') return Array.from({ length: n }, (_, i) => String(Math.floor(i / 5)))
  const found: string[] = []
  for (let cluster = 0; found.length < n; cluster += 1) {
    const size = [1, 1, 2, 3, 4, 6, 10, 15][cluster % 8] ?? 1
    for (let i = 0; i < size && found.length < n; i += 1) found.push(String(cluster))
  }
  return found
}

/** pass@k and maj@k of one model from repeats of its items: how often the interval holds the value over all items. */
export const passAt: Study = {
  name: 'pass-at-k',
  cells: grid({ n: [50, 200, 800], repeats: [4, 8], ease: ['hard', 'middling', 'easy'] }),
  share: ({ n }) => (Number(n) >= 800 ? 0.1 : 0.2),
  once: (cell, random) => {
    const centre = { hard: -2.5, middling: 0, easy: 2.5 }[String(cell.ease)] ?? 0
    const [n, repeats] = [at(cell, 'n'), at(cell, 'repeats')]
    const k = repeats / 2
    const truth = truthOf(centre, repeats, k)
    const passes: number[] = []
    const majorities: number[] = []
    for (let i = 0; i < n; i += 1) {
      const p = 1 / (1 + Math.exp(-(centre + 1.5 * random.normal())))
      const scores = Array.from({ length: repeats }, () => (random.next() < p ? 1 : 0))
      passes.push(
        passAtK(
          repeats,
          scores.reduce((sum: number, each) => sum + each, 0),
          k,
        ),
      )
      majorities.push(
        majorityScore(
          scores.map(each => (each === 1 ? 'right' : 'wrong')),
          scores,
        ),
      )
    }
    const ids = passes.map((_, i) => String(i))
    const missed = (values: readonly number[], value: number): Observation['missed'] => {
      const { low, high } = shareInterval(values, ids)
      return Number(low > value || high < value)
    }
    return {
      missedPass: missed(passes, truth.pass),
      missedMajority: missed(majorities, truth.majority),
      biasPass: mean(passes) - truth.pass,
    }
  },
}

/** By the trapezoidal rule over how easy items are. */
function truthOf(centre: number, repeats: number, k: number): { readonly pass: number; readonly majority: number } {
  let [pass, majority, weight] = [0, 0, 0]
  for (let z = -6; z <= 6; z += 0.01) {
    const density = Math.exp(-(z ** 2) / 2)
    const p = 1 / (1 + Math.exp(-(centre + 1.5 * z)))
    pass += density * (1 - (1 - p) ** k)
    majority += density * majorityChance(p, repeats)
    weight += density
  }
  return { pass: pass / weight, majority: majority / weight }
}

/** Of an even number of votes a tie counts half. */
function majorityChance(p: number, votes: number): number {
  let chance = 0
  let choose = 1
  for (let right = 0; right <= votes; right += 1) {
    const weight = right * 2 === votes ? 0.5 : right * 2 > votes ? 1 : 0
    chance += weight * choose * p ** right * (1 - p) ** (votes - right)
    choose = (choose * (votes - right)) / (right + 1)
  }
  return chance
}
