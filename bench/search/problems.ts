import { finalLevel, labCourses, labTruth } from '../../calibration/lab-seeds.js'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import { mean } from '../../src/stats/descriptive.js'
import type { Random } from '../../src/stats/random.js'

/** Standard functions with noise, turned so that higher is better, and tables of real settings whose seeds are drawn. */
export interface Problem {
  readonly name: string
  readonly dimensions: number
  readonly trials: number
  /** Of the unit cube. */
  readonly truth: (at: readonly number[]) => number
  readonly best: number
  readonly measure: (at: readonly number[], random: Random) => number
}

function noisy(
  name: string,
  dimensions: number,
  trials: number,
  noise: number,
  best: number,
  truth: Problem['truth'],
): Problem {
  return { name, dimensions, trials, truth, best, measure: (at, random) => truth(at) + noise * random.normal() }
}

function branin([u, v]: readonly number[]): number {
  const [x, y] = [15 * u - 5, 15 * v]
  const bowl = y - (5.1 / (4 * Math.PI ** 2)) * x ** 2 + (5 / Math.PI) * x - 6
  return -(bowl ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10)
}

const HEIGHTS = [1, 1.2, 3, 3.2]
const HARTMANN_3 = {
  A: [
    [3, 10, 30],
    [0.1, 10, 35],
    [3, 10, 30],
    [0.1, 10, 35],
  ],
  P: [
    [0.3689, 0.117, 0.2673],
    [0.4699, 0.4387, 0.747],
    [0.1091, 0.8732, 0.5547],
    [0.03815, 0.5743, 0.8828],
  ],
}
const HARTMANN_6 = {
  A: [
    [10, 3, 17, 3.5, 1.7, 8],
    [0.05, 10, 17, 0.1, 8, 14],
    [3, 3.5, 1.7, 10, 17, 8],
    [17, 8, 0.05, 10, 0.1, 14],
  ],
  P: [
    [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
    [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
    [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.665],
    [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
  ],
}

function hartmann({ A, P }: typeof HARTMANN_3): Problem['truth'] {
  return at =>
    HEIGHTS.reduce(
      (sum, height, i) => sum + height * Math.exp(-at.reduce((total, x, j) => total + A[i][j] * (x - P[i][j]) ** 2, 0)),
      0,
    )
}

function sphere(at: readonly number[]): number {
  return -at.reduce((sum, x) => sum + (x - 0.37) ** 2, 0)
}

/** The settings of a lab in the order of their names: one knob with so many steps. */
function labTable(lab: 'addition' | 'sorting'): Problem {
  const groups = [
    ...groupBy(
      labCourses(lab).filter(run => !run.isSick),
      ({ group }) => group,
    ),
  ].sort(([a], [b]) => (a < b ? -1 : 1))
  const truths = labTruth(lab)
  const truthOf = groups.map(([group]) => truths.get(group) ?? Number.NaN)
  const scores = groups.map(([, runs]) => runs.map(({ values }) => finalLevel(values)))
  // What seeds scatter around is what fresh prompts say: the luck of the lab's own prompts is the same for all.
  const drawn = scores.map((values, i) => values.map(value => value - mean(values) + truthOf[i]))
  const placeOf = ([x]: readonly number[]): number => Math.min(groups.length - 1, Math.floor(x * groups.length))
  return {
    name: `${lab}, ${groups.length} settings`,
    dimensions: 1,
    trials: 20,
    truth: at => truthOf[placeOf(at)],
    best: Math.max(...truthOf),
    measure: (at, random) => drawn[placeOf(at)][random.below(drawn[placeOf(at)].length)],
  }
}

export const PROBLEMS: readonly Problem[] = [
  noisy('Branin, noise 1', 2, 30, 1, -0.397887, branin),
  noisy('Branin, noise 10', 2, 30, 10, -0.397887, branin),
  noisy('Hartmann 3, noise 0.1', 3, 40, 0.1, 3.86278, hartmann(HARTMANN_3)),
  noisy('Hartmann 6, noise 0.1', 6, 60, 0.1, 3.32237, hartmann(HARTMANN_6)),
  noisy('sphere 4, noise 0.05', 4, 40, 0.05, 0, sphere),
  labTable('addition'),
  labTable('sorting'),
]
