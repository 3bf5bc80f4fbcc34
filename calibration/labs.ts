import { readFileSync } from 'node:fs'
import { seriesOf } from '../src/core/analysis/align.js'
import { rankCheckpoints } from '../src/core/analysis/checkpoints/ranking.js'
import { recommendStep } from '../src/core/analysis/checkpoints/recommend.js'
import { choose } from '../src/core/analysis/compare/choose.js'
import type { SideEvidence } from '../src/core/analysis/compare/evidence.js'
import { compareSides, headline } from '../src/core/analysis/compare/judge-sides.js'
import { finalCount } from '../src/core/analysis/conventions.js'
import { chooseRun } from '../src/core/analysis/decide/decide.js'
import { groupBy } from '../src/logs/model/util/group-by.js'
import type { Verdict } from '../src/logs/model/verdict.js'
import { mean } from '../src/stats/descriptive.js'
import { seededRandom, shuffled } from '../src/stats/random.js'
import { isSick, type LabName, type LabRun, labRunsIn } from '../test/support/labs.js'
import { type Named, table } from './table.js'
import { claims, OUT_OF_REACH } from './verdicts.js'

/**
 * What verdicts and advice are worth on real runs of two labs (test/data/labs), against what thousands of fresh prompts
 * said. Nothing is drawn here: every run and every pair of one setting is used.
 */

interface LabSet {
  readonly name: LabName
  readonly metric: string
  readonly file: string
  readonly set: string
  /** Steps between evaluations, between measurements of the truth, and between checkpoints that count as saved. */
  readonly every: { readonly evaluation: number; readonly truth: number; readonly saved: number }
}

const ADDITION: LabSet = {
  name: 'addition',
  metric: 'val-aux/addition/exact/mean@1',
  file: 'val_exact',
  set: 'all',
  every: { evaluation: 5, truth: 20, saved: 20 },
}
const SORTING: readonly LabSet[] = ['short', 'medium', 'long'].map(set => ({
  name: 'sorting',
  metric: `val-core/sort_${set}/acc/mean@4`,
  file: `val_${set}`,
  set,
  every: { evaluation: 10, truth: 50, saved: 50 },
}))

export function labTables(): Named[] {
  const labs = new Map(
    (['addition', 'sorting'] as const).map(name => [
      name,
      labRunsIn(readFileSync(new URL(`../../test/data/labs/${name}.json.br`, import.meta.url))),
    ]),
  )
  const runsOf = ({ name }: LabSet): readonly LabRun[] => labs.get(name) ?? []
  return [
    ['lab-pairs', pairTable(runsOf)],
    ['lab-checkpoints', checkpointTable(runsOf)],
    ['lab-choices', choiceTable(runsOf)],
    ['lab-decisions', decisionTable(runsOf)],
  ]
}

type RunsOf = (set: LabSet) => readonly LabRun[]
type Evidence = 'curve' | 'count' | 'scores'

function sideOf(run: LabRun, { metric, file }: LabSet, steps: ReadonlySet<number>, evidence: Evidence): SideEvidence {
  const { steps: all, values } = run.metrics.get(metric) ?? { steps: [], values: [] }
  const kept = all.flatMap((step, i) => (steps.has(step) ? [i] : []))
  const { prompts, byStep } = run.samples.get(file) ?? { prompts: [], byStep: new Map<number, Float64Array>() }
  return {
    label: `${run.group}/${run.seed}`,
    series: [
      seriesOf(
        kept.map(i => all[i]),
        kept.map(i => values[i]),
      ),
    ],
    scores: evidence === 'scores' ? [{ metric: file, prompts, byStep }] : null,
    prompts: evidence === 'count' ? prompts.length : null,
  }
}

/** Measured at some steps, drawn straight between. */
function truthAt(run: LabRun, { set, every }: LabSet, step: number): number {
  const measured = run.truth.get(set) ?? []
  const at = Math.min(Math.floor(step / every.truth), measured.length - 2)
  const [low, high] = [measured[at].exact, measured[at + 1].exact]
  return low + ((high - low) * (step - at * every.truth)) / every.truth
}

const EVIDENCE: readonly Evidence[] = ['curve', 'count', 'scores']

/** Pairs of one setting: how often they are told apart, and whether the interval holds the difference on fresh prompts. */
function pairTable(runsOf: RunsOf): string {
  const cases = [...[9, 20, 50, 80].map(T => ({ lab: ADDITION, T })), ...SORTING.map(lab => ({ lab, T: 50 }))]
  return table(
    [
      'lab, set',
      'evaluations',
      'pairs',
      ...EVIDENCE.flatMap(evidence => [`${WORDS[evidence]}: level, headline`, 'covers']),
    ],
    cases.map(({ lab, T }) => {
      const healthy = runsOf(lab).filter(run => !isSick(run))
      const pairs = healthy.flatMap((first, i) =>
        healthy.slice(i + 1).flatMap(second => (second.group === first.group ? [[first, second] as const] : [])),
      )
      const steps = Array.from({ length: T }, (_, i) => (i + 1) * lab.every.evaluation)
      const judged = (evidence: Evidence): string[] => {
        const found = pairs.map(([first, second]) => {
          const sides = [first, second].map(run => sideOf(run, lab, new Set(steps), evidence))
          const { verdicts } = compareSides(sides, { metric: lab.metric, goal: null, margin: OUT_OF_REACH })
          const level = verdicts[0]
          const main = headline(verdicts)
          const used = main.question === 'final' ? steps.slice(-finalCount(T)) : steps
          const truth = mean(used.map(step => truthAt(second, lab, step) - truthAt(first, lab, step)))
          return { level: claims(level), main: claims(main), covered: covers(main, truth) }
        })
        const share = (of: (one: (typeof found)[number]) => boolean): string =>
          ((100 * found.filter(of).length) / found.length).toFixed(1)
        return [`${share(one => one.level)}, ${share(one => one.main)}`, share(one => one.covered)]
      }
      return [`${lab.name}, ${lab.set}`, String(T), String(pairs.length), ...EVIDENCE.flatMap(judged)]
    }),
  )
}

const WORDS = { curve: 'curves alone', count: 'n known', scores: 'per-prompt scores' }

function covers({ interval }: Verdict, truth: number): boolean {
  return interval !== null && interval[0] <= truth && truth <= interval[1]
}

/** The step to take against the two habits, by its true score. */
function checkpointTable(runsOf: RunsOf): string {
  return table(
    ['lab, set', 'runs', 'step to take', 'highest score', 'last step', 'earliest not separable', 'largest shortfall'],
    [ADDITION, ...SORTING].flatMap(lab =>
      [false, true].map(sick => {
        const rows = runsOf(lab)
          .filter(run => isSick(run) === sick)
          .map(run => advised(run, lab))
        const average = (of: (one: (typeof rows)[number]) => number): string => (100 * mean(rows.map(of))).toFixed(1)
        const shortfall = Math.max(...rows.map(({ taken, highest, last }) => Math.max(highest, last) - taken))
        return [
          `${lab.name}, ${lab.set}${sick ? ', sick' : ''}`,
          String(rows.length),
          average(one => one.taken),
          average(one => one.highest),
          average(one => one.last),
          average(one => one.earliest),
          (100 * shortfall).toFixed(1),
        ]
      }),
    ),
  )
}

function advised(run: LabRun, lab: LabSet) {
  const sets = lab.name === 'sorting' ? [lab, ...SORTING.filter(other => other !== lab)] : [lab]
  const ranked = sets.flatMap(({ metric, file }) => {
    const { steps, values } = run.metrics.get(metric) ?? { steps: [], values: [] }
    const scores = run.samples.get(file)?.byStep ?? new Map<number, Float64Array>()
    return rankCheckpoints(seriesOf(steps, values), 'max', { scores, prompts: null }) ?? []
  })
  const { steps, scores } = ranked[0].course
  const saved = steps.filter(step => step % lab.every.saved === 0)
  const scored = (step: number): number => scores[steps.indexOf(step)]
  const trueAt = (step: number): number => truthAt(run, lab, step)
  const trained = saved.filter(step => step > 0)
  const courses = ranked.map(({ course }) => course)
  const take = recommendStep(courses, { steps: saved, source: 'settings' }, 1)
  const top = trained.reduce((best, step) => (scored(step) > scored(best) ? step : best))
  return {
    value: take.expected ?? take.value ?? Number.NaN,
    level: mean(scores.slice(-finalCount(scores.length))),
    score: scored(top),
    peak: Math.max(...trained.map(trueAt)),
    taken: trueAt(take.step),
    highest: trueAt(top),
    last: trueAt(trained[trained.length - 1]),
    earliest: trueAt(ranked[0].indistinguishable[0]),
  }
}

const DRAWS = 1000
const SEEDS_DRAWN = 3

/** Three seeds of every healthy setting, drawn again and again: the true score of the run and step that is shipped. */
function decisionTable(runsOf: RunsOf): string {
  return table(
    [
      'lab, set',
      'runs',
      'shipped',
      'highest saved score',
      'highest mean level',
      'best there is',
      'shipped − highest saved score',
    ],
    [
      { lab: ADDITION, name: 'addition, seeds 0–3 (chosen on)', among: ({ seed }: LabRun) => seedNumber(seed) < 4 },
      {
        lab: ADDITION,
        name: 'addition, seeds 4–7 (first contact)',
        among: ({ seed }: LabRun) => seedNumber(seed) >= 4,
      },
      { lab: ADDITION, name: 'addition, all seeds', among: () => true },
      ...SORTING.map(lab => ({ lab, name: `sorting, ${lab.set} (first contact)`, among: () => true })),
    ].map(({ lab, name, among }) => {
      const known = runsOf(lab)
        .filter(run => !isSick(run) && among(run))
        .map(run => ({ group: run.group, seed: run.seed, ...advised(run, lab) }))
      const whole = drawn(known)
      // Without each seed in turn (jackknife): the draws are of the same few runs, and their own error would be far too small.
      const seeds = [...new Set(known.map(({ seed }) => seed))]
      const without = seeds.map(seed => drawn(known.filter(run => run.seed !== seed)).gain)
      const centre = mean(without)
      const squares = without.reduce((sum, gain) => sum + (gain - centre) ** 2, 0)
      const error = Math.sqrt(((seeds.length - 1) / seeds.length) * squares)
      const points = (share: number): string => (100 * share).toFixed(1)
      return [
        name,
        String(known.length),
        points(whole.shipped),
        points(whole.habit),
        points(whole.byLevel),
        points(whole.best),
        `${whole.gain < 0 ? '−' : '+'}${points(Math.abs(whole.gain))} ± ${points(error)}`,
      ]
    }),
  )
}

function seedNumber(seed: string): number {
  return Number(seed.replace(/\D/g, ''))
}

type DrawnRun = ReturnType<typeof advised> & { readonly group: string }

function drawn(known: readonly DrawnRun[]) {
  const random = seededRandom(5)
  const groups = [...groupBy(known, ({ group }) => group).values()]
  const rounds = Array.from({ length: DRAWS }, () => {
    const runs = groups.flatMap(group => shuffled(group, random).slice(0, SEEDS_DRAWN))
    const highest = (of: (run: DrawnRun) => number): DrawnRun =>
      runs.reduce((best, run) => (of(run) > of(best) ? run : best))
    const candidates = [...groupBy(runs, ({ group }) => group)].map(([label, members]) => ({
      label,
      runs: members.map(run => ({ ...UNKNOWN, value: run.value, id: String(runs.indexOf(run)) })),
    }))
    const shipped = runs[Number(chooseRun(candidates, 'score').choice?.run.id)]
    return {
      shipped: shipped.taken,
      habit: highest(run => run.score).highest,
      byLevel: highest(run => run.level).taken,
      best: Math.max(...runs.map(({ peak }) => peak)),
    }
  })
  const average = (of: (round: (typeof rounds)[number]) => number): number => mean(rounds.map(of))
  return {
    shipped: average(({ shipped }) => shipped),
    habit: average(({ habit }) => habit),
    byLevel: average(({ byLevel }) => byLevel),
    best: average(({ best }) => best),
    gain: average(({ shipped, habit }) => shipped - habit),
  }
}

const UNKNOWN = { name: '', level: 0, step: 0, saved: null, hours: null, rise: 0 }

/** How sure a choice between single runs of two settings is said to be, and how often it is right. */
function choiceTable(runsOf: RunsOf): string {
  const bins = [0.5, 0.6, 0.7, 0.8, 0.9].map((from, i, all) => ({ from, to: all[i + 1] ?? 1.001 }))
  return table(
    ['lab', ...bins.map(({ from, to }) => `stated ${from}–${Math.min(1, to)}: right of`)],
    [ADDITION, SORTING[1]].map(lab => {
      const healthy = runsOf(lab).filter(run => !isSick(run))
      const steps = new Set(healthy[0].metrics.get(lab.metric)?.steps.filter(step => step > 0))
      const last = Math.max(...steps)
      const truths = new Map(
        [...new Set(healthy.map(({ group }) => group))].map(group => [
          group,
          mean(
            healthy
              .filter(run => run.group === group)
              .map(run => mean([0.8, 0.9, 1].map(t => truthAt(run, lab, t * last)))),
          ),
        ]),
      )
      const made = healthy.flatMap((first, i) =>
        healthy.slice(i + 1).flatMap(second => {
          const gap = (truths.get(second.group) ?? 0) - (truths.get(first.group) ?? 0)
          if (second.group === first.group) return []
          const sides = [first, second].map(run => sideOf(run, lab, steps, 'scores'))
          const verdict = headline(
            compareSides(sides, { metric: lab.metric, goal: null, margin: OUT_OF_REACH }).verdicts,
          )
          const choice = choose(verdict, 'max', [1, 1], { size: 0.0125, source: 'workspace' })
          if (choice === null) return []
          return [{ stated: choice.probability, right: (choice.side === sides[1].label) === gap > 0 }]
        }),
      )
      return [
        lab.name,
        ...bins.map(({ from, to }) => {
          const within = made.filter(({ stated }) => stated >= from && stated < to)
          return `${((100 * within.filter(({ right }) => right).length) / within.length).toFixed(0)} % of ${within.length}`
        }),
      ]
    }),
  )
}
