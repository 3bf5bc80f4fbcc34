import { readFileSync } from 'node:fs'
import { judgedSteps } from '../../src/core/analysis/conventions.js'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import { mean, variance } from '../../src/stats/descriptive.js'
import type { Random } from '../../src/stats/random.js'
import { isSick, type LabName, type LearnedLab, labRunsIn } from '../../test/support/labs.js'
import { type LoopSetting, type LoopWorld, playGate, playHabit } from '../../test/support/loops.js'
import { at, type Cell, grid, type Study } from '../study.js'

/**
 * Loops under `klens gate`: how often anything false is kept in fifty tries among settings that are all the same, and what
 * true gain is left where some tries are real gains, at equal numbers of trainings, against the habit.
 */

const TRIES = 50

/** Noise of one run, of spread one. */
const NOISES: { readonly [kind: string]: (random: Random) => number } = {
  normal: random => random.normal(),
  t3: random => random.normal() / Math.sqrt(chiSquare(random, 3) / 3) / Math.sqrt(3),
  'skewed-up': skewed,
  'skewed-down': random => -skewed(random),
  // One run in twenty is lost.
  collapses: random => (random.next() < 0.05 ? -10 : 0) + random.normal(),
  'two-modes': random => (random.next() < 0.5 ? -0.9 : 0.9) + 0.44 * random.normal(),
}

function chiSquare(random: Random, degrees: number): number {
  return Array.from({ length: degrees }, () => random.normal() ** 2).reduce((sum, each) => sum + each, 0)
}

/** Log-normal with a skewness of 3.7. */
function skewed(random: Random): number {
  const [spread, centre] = [0.8, Math.exp(0.32)]
  return (Math.exp(spread * random.normal()) - centre) / (centre * Math.sqrt(Math.exp(spread ** 2) - 1))
}

/** How all scores move while the loop goes on: by so much per training, at a time, or at random. */
const DRIFTS: { readonly [kind: string]: (random: Random) => (at: number) => number } = {
  none: () => () => 0,
  'one std in 80 trainings': () => training => training / 80,
  'two std in 80 trainings': () => training => training / 40,
  'a jump of 1.5 std': random => {
    const jump = random.below(80)
    return training => (training > jump ? 1.5 : 0)
  },
  'at random, 0.1 std a training': random => {
    const walk = [0]
    return training => {
      while (walk.length <= training) walk.push(walk[walk.length - 1] + 0.1 * random.normal())
      return walk[training]
    }
  },
}

/** `adaptive`: every other try is once more what looked best among those let go. `spreads`: those of settings differ by this factor, up or down. */
function sameSettings(cell: Cell, random: Random): LoopWorld {
  const noise = NOISES[String(cell.noise)]
  const drift = DRIFTS[String(cell.drift)](random)
  let made = 0
  const setting = (): LoopSetting => {
    made += 1
    const spread = at(cell, 'spreads') ** random.normal()
    return {
      id: String(made),
      truth: 0,
      train: training => {
        const score = spread * noise(random) + drift(training)
        return { score, last: score + random.normal() }
      },
    }
  }
  return {
    start: setting(),
    propose: (_, passed) => {
      const ahead = cell.proposals === 'adaptive' ? passed.filter(({ distance }) => distance > 0) : []
      if (ahead.length === 0 || random.next() < 0.5) return setting()
      return ahead.reduce((best, each) => (each.distance > best.distance ? each : best)).setting
    },
  }
}

const EQUAL = { noise: 'normal', drift: 'none', proposals: 'new', spreads: 1 }

function inLoops(world: LoopWorld) {
  const gate = playGate(world, { tries: TRIES })
  const habit = playHabit(world, { tries: TRIES })
  return { kept: Number(gate.kept > 0), habit: Number(habit.kept > 0), trainings: gate.trainings }
}

export const gateEqual: Study = {
  name: 'gate-equal',
  cells: [
    ...Object.keys(NOISES).map(noise => ({ ...EQUAL, noise })),
    ...['normal', 'skewed-up'].map(noise => ({ ...EQUAL, noise, proposals: 'adaptive' })),
    ...Object.keys(DRIFTS)
      .slice(1)
      .map(drift => ({ ...EQUAL, drift })),
    ...[1.3, 2, 3].map(spreads => ({ ...EQUAL, spreads })),
  ],
  share: () => 0.1,
  once: (cell, random) => inLoops(sameSettings(cell, random)),
}

/** Ideas that a person may combine: one in five helps, three in ten harm, the rest changes nothing. In spreads of a run. */
const GAINS: { readonly [size: string]: { readonly gain: readonly [number, number]; readonly harm: number } } = {
  large: { gain: [1, 7], harm: 8 },
  medium: { gain: [0.5, 3.5], harm: 4 },
  small: { gain: [0, 2], harm: 3 },
}

const IDEAS = 20
/** The last evaluation has so much noise beside that of the run; in the three labs 1.2 to 3.5. */
const LAST_NOISE = 1.5

function ideas(size: string, random: Random): LoopWorld {
  const { gain, harm } = GAINS[size]
  const effects = Array.from({ length: IDEAS }, () => {
    const kind = random.next()
    if (kind < 0.2) return gain[0] + (gain[1] - gain[0]) * random.next()
    return kind < 0.5 ? -harm * random.next() : 0
  })
  const setting = (taken: readonly number[]): LoopSetting => {
    const truth = taken.reduce((sum, idea) => sum + effects[idea], 0)
    return {
      id: taken.join(),
      truth,
      train: () => {
        const score = truth + random.normal()
        return { score, last: score + LAST_NOISE * random.normal() }
      },
    }
  }
  return {
    start: setting([]),
    propose: ({ id }) => {
      const taken = id === '' ? [] : id.split(',').map(Number)
      const left = effects.map((_, idea) => idea).filter(idea => !taken.includes(idea))
      if (left.length === 0) return setting(taken)
      return setting([...taken, left[random.below(left.length)]].sort((a, b) => a - b))
    },
  }
}

function gained(world: LoopWorld, trainings: number) {
  const [gate, habit] = [playGate(world, { trainings }), playHabit(world, { trainings })]
  const start = world.start.truth
  return {
    gain: gate.truth - start,
    habitGain: habit.truth - start,
    false: Number(gate.falselyKept > 0),
    habitFalse: Number(habit.falselyKept > 0),
    trainings: gate.trainings,
  }
}

export const gateIdeas: Study = {
  name: 'gate-ideas',
  cells: grid({ gains: Object.keys(GAINS), trainings: [30, 60, 120] }),
  share: () => 0.05,
  once: (cell, random) => gained(ideas(String(cell.gains), random), at(cell, 'trainings')),
}

/** Runs of a lab by setting: the score as `compare` makes it, the last evaluation, and the truth of the setting at its end. */
type LabSettings = readonly {
  readonly setting: string
  readonly truth: number
  /** Standard error of that truth. */
  readonly error: number
  readonly runs: readonly { readonly score: number; readonly last: number }[]
}[]

const LABS: { readonly [lab in LabName | LearnedLab]: { readonly metric: string; readonly set: string } } = {
  addition: { metric: 'val-aux/addition/exact/mean@1', set: 'all' },
  sorting: { metric: 'val-core/sort_medium/acc/mean@4', set: 'medium' },
  letters: { metric: 'eval_rewards/gold/mean', set: 'all' },
  vowels: { metric: 'eval_rewards/gold/mean', set: 'all' },
}

const settingsByLab = new Map<string, LabSettings>()

function labSettings(lab: keyof typeof LABS): LabSettings {
  const known = settingsByLab.get(lab)
  if (known !== undefined) return known
  const { metric, set } = LABS[lab]
  const runs = labRunsIn(readFileSync(new URL(`../../../test/data/labs/${lab}.json.br`, import.meta.url)))
  const scored = runs.flatMap(run => {
    const { steps, values } = run.metrics.get(metric) ?? { steps: [], values: [] }
    const trained = steps.flatMap((step, i) =>
      step > 0 && Number.isFinite(values[i]) ? [{ step, value: values[i] }] : [],
    )
    if (isSick(run) || trained.length === 0) return []
    const judged = new Set(judgedSteps(trained.map(({ step }) => step)))
    const truth = (run.truth.get(set) ?? [...run.truth.values()][0]).slice(-3)
    return [
      {
        setting: run.group,
        score: mean(trained.filter(({ step }) => judged.has(step)).map(({ value }) => value)),
        last: trained[trained.length - 1].value,
        truth: mean(truth.map(({ exact }) => exact)),
      },
    ]
  })
  const settings = settingsOf(scored)
  settingsByLab.set(lab, settings)
  return settings
}

interface ScoredRun {
  readonly setting: string
  readonly score: number
  readonly last: number
  readonly truth: number
}

function settingsOf(runs: readonly ScoredRun[]): LabSettings {
  return [...groupBy(runs, ({ setting }) => setting)].map(([setting, own]) => {
    const truths = own.map(({ truth }) => truth)
    return { setting, truth: mean(truths), error: Math.sqrt(variance(truths) / truths.length), runs: own }
  })
}

function labSetting({ setting, truth, runs }: LabSettings[number], random: Random, id = setting): LoopSetting {
  return { id, truth, train: () => runs[random.below(runs.length)] }
}

function labOf({ lab }: Cell): keyof typeof LABS {
  const found = (Object.keys(LABS) as (keyof typeof LABS)[]).find(name => name === lab)
  if (found === undefined) throw new Error(`no lab ${lab}`)
  return found
}

/** Every try is a run of one setting under another name. */
function equalLoop(settings: LabSettings, random: Random): LoopWorld {
  const own = settings[random.below(settings.length)]
  let made = 0
  return {
    start: labSetting(own, random),
    propose: () => {
      made += 1
      return labSetting(own, random, `${own.setting} ${made}`)
    },
  }
}

export const gateLabsEqual: Study = {
  name: 'gate-labs-equal',
  cells: grid({ lab: Object.keys(LABS) }),
  share: () => 0.2,
  once: (cell, random) => inLoops(equalLoop(labSettings(labOf(cell)), random)),
}

/** Any setting of the lab may be tried. */
function labLoop(settings: LabSettings, start: string, random: Random): LoopWorld {
  const best = settings.reduce((a, b) => (b.truth > a.truth ? b : a))
  const isBelow = ({ truth, error }: LabSettings[number]): boolean =>
    best.truth - truth > SHOWN_BELOW * Math.hypot(error, best.error)
  const starts = settings.filter(setting => isBelow(setting) === (start === 'below'))
  return {
    start: labSetting(starts[random.below(starts.length)], random),
    propose: ({ id }) => {
      const others = settings.filter(({ setting }) => setting !== id)
      return labSetting(others[random.below(others.length)], random)
    },
  }
}

/** Standard errors by which the truth shows a setting to be below the best, which is the best of about ten. */
const SHOWN_BELOW = 3

/** From settings below the best, where there is something to gain, and from the others, where hardly anything is. */
export const gateLabsGains: Study = {
  name: 'gate-labs-gains',
  cells: [
    ...grid({ lab: Object.keys(LABS), start: ['below'], trainings: [15, 30, 60] }),
    ...grid({ lab: Object.keys(LABS), start: ['tied'], trainings: [60] }),
  ],
  share: () => 0.05,
  once: (cell, random) => gained(labLoop(labSettings(labOf(cell)), String(cell.start), random), at(cell, 'trainings')),
}
