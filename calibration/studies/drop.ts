import {
  type ArmCourse,
  type FinishedRuns,
  hopeless,
  levelAfter,
  pilotArms,
  stillOpen,
} from '../../src/lab/study/drop.js'
import { finalVerdicts } from '../../src/lab/study/verdicts.js'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import { mean } from '../../src/stats/descriptive.js'
import { type Random, shuffled } from '../../src/stats/random.js'
import { labCourses, labTruth } from '../lab-seeds.js'
import { noise } from '../noise.js'
import { at, type Cell, grid, type Study } from '../study.js'

/** Dropping hopeless arms: how often it loses the arm that is best in truth, what it saves, and what verdicts come to. */

const LOOKS = [0.25, 0.5, 0.75]

interface Dropped {
  readonly kept: readonly ArmCourse[]
  /** Share of all steps that were not made. */
  readonly saved: number
}

function dropped(arms: readonly ArmCourse[], house: FinishedRuns): Dropped {
  const planned = arms[0].runs[0].length
  let kept = arms
  let unspent = 0
  for (const share of LOOKS) {
    const out = hopeless(kept, stillOpen(house, share), { share, planned, looks: LOOKS.length })
    const names = new Set(out.map(({ arm }) => arm))
    kept = kept.filter(({ arm }) => !names.has(arm))
    unspent += names.size * (1 - share)
  }
  return { kept, saved: unspent / arms.length }
}

/** A study in an empty workspace: its first arm is the baseline, and the rule learns from what it finishes first. */
function droppedInFirst(arms: readonly ArmCourse[]): Dropped {
  const [baseline] = arms
  const planned = baseline.runs[0].length
  let kept = arms
  let unspent = 0
  let pilots: readonly string[] = []
  for (const share of LOOKS) {
    if (pilots.length === 0) pilots = pilotArms(kept, baseline.arm, share, planned)
    const house = kept.filter(({ arm }) => pilots.includes(arm)).map(({ runs }) => runs)
    const out = hopeless(kept, stillOpen(house, share), { share, planned, looks: LOOKS.length })
    const names = new Set(out.map(({ arm }) => arm).filter(arm => !pilots.includes(arm)))
    kept = kept.filter(({ arm }) => !names.has(arm))
    unspent += names.size * (1 - share)
  }
  return { kept, saved: unspent / arms.length }
}

/** The rival: at each look the worse half goes. */
function halved(arms: readonly ArmCourse[]): Dropped {
  let kept = arms
  let unspent = 0
  for (const share of LOOKS) {
    const ranked = kept.toSorted((a, b) => levelOf(b, share) - levelOf(a, share))
    kept = ranked.slice(0, Math.max(1, Math.ceil(ranked.length / 2)))
    unspent += (ranked.length - kept.length) * (1 - share)
  }
  return { kept, saved: unspent / arms.length }
}

function levelOf({ runs }: ArmCourse, share: number): number {
  return mean(runs.map(values => levelAfter(values, share)))
}

function judged(arms: readonly ArmCourse[], truth: ReadonlyMap<string, number>, house: FinishedRuns) {
  const truthOf = ({ arm }: ArmCourse): number => truth.get(arm) ?? Number.NaN
  const best = arms.reduce((a, b) => (truthOf(b) > truthOf(a) ? b : a))
  const regret = (kept: readonly ArmCourse[]): number =>
    truthOf(best) - truthOf(kept.reduce((a, b) => (levelOf(b, 1) > levelOf(a, 1) ? b : a)))
  const [ours, halving] = [dropped(arms, house), halved(arms)]
  return {
    // As good as the best is not lost.
    lost: Number(ours.kept.every(arm => truthOf(arm) < truthOf(best))),
    saved: ours.saved,
    regret: regret(ours.kept),
    regretWithout: regret(arms),
    halvingLost: Number(halving.kept.every(arm => truthOf(arm) < truthOf(best))),
    halvingSaved: halving.saved,
    halvingRegret: regret(halving.kept),
  }
}

/** K seeds of each setting of a lab; the finished runs of the house are other seeds of the same lab. */
export const dropInLabs: Study = {
  name: 'drop-labs',
  cells: grid({ lab: ['addition', 'sorting'], arms: ['healthy', 'all'], K: [2, 3, 5] }),
  share: () => 0.1,
  once: (cell, random) => {
    const lab = cell.lab === 'addition' ? 'addition' : 'sorting'
    const groups = groupBy(labCourses(lab), ({ group }) => group)
    const house: number[][][] = []
    const arms: ArmCourse[] = []
    for (const [arm, runs] of groups) {
      if (cell.arms === 'healthy' && runs[0].isSick) continue
      const mixed = shuffled(
        runs.map(({ values }) => [...values]),
        random,
      )
      const [known, own] = runs[0].isSick
        ? [[], mixed]
        : [mixed.slice(0, mixed.length / 2), mixed.slice(mixed.length / 2)]
      house.push(known)
      arms.push({ arm, runs: Array.from({ length: at(cell, 'K') }, () => own[random.below(own.length)]) })
    }
    return judged(arms, labTruth(lab), house)
  },
}

const PLANNED = 40
const SEED_SCATTER = 0.0165
const RISE = 0.5
/** Fresh seeds an arm may get at most, and the arm that all are held against. */
const FRESH = 10
const BASELINE = '0'

/** A curve that rises to its level, some settings sooner than others, some runs too. */
function courseOf(random: Random, level: number, speed: number): number[] {
  const own = 3 * speed * Math.exp(0.1 * random.normal())
  const end = level + SEED_SCATTER * random.normal()
  return Array.from(noise(random, PLANNED, 0.3), (value, i) => {
    const risen = (1 - Math.exp((-own * (i + 1)) / PLANNED)) / (1 - Math.exp(-own))
    return end - RISE * (1 - risen) + 0.02 * value
  })
}

function settingOf(random: Random, level: number, runs: number): number[][] {
  const speed = Math.exp(0.2 * random.normal())
  return Array.from({ length: runs }, () => courseOf(random, level, speed))
}

/** A curve that stays at its start until past the middle. */
function lateCourse(random: Random, level: number): number[] {
  const end = level + SEED_SCATTER * random.normal()
  return Array.from(noise(random, PLANNED, 0.3), (value, i) => {
    const risen = 1 / (1 + Math.exp(-((i + 1) / PLANNED - 0.6) / 0.08))
    return end - RISE * (1 - risen) + 0.02 * value
  })
}

/** A first study of a baseline, the best arm two spreads ahead of it, and others below; `late` of the arms learn late. */
export const dropFirst: Study = {
  name: 'drop-first',
  cells: [
    ...grid({ arms: [4, 9], K: [2, 3, 5], spread: [0, 10], late: [0, 0.15] }),
    ...grid({ lab: ['addition', 'sorting'], sick: ['without', 'with'], K: [2, 3, 5] }),
  ],
  share: () => 0.1,
  once: (cell, random) => {
    const { arms, best } = 'lab' in cell ? firstInLab(cell, random) : firstMadeUp(cell, random)
    const { kept, saved } = droppedInFirst(arms)
    return { lost: Number(kept.every(({ arm }) => arm !== best)), saved }
  },
}

function firstMadeUp(cell: Cell, random: Random) {
  const levels = Array.from({ length: at(cell, 'arms') }, (_, i) =>
    i === 0 ? 0 : i === 1 ? 2 : -at(cell, 'spread') * Math.abs(random.normal()),
  )
  const arms = levels.map((level, i): ArmCourse => {
    const isLate = random.next() < at(cell, 'late')
    const end = level * SEED_SCATTER
    const late = () => Array.from({ length: at(cell, 'K') }, () => lateCourse(random, end))
    return { arm: String(i), runs: isLate ? late() : settingOf(random, end, at(cell, 'K')) }
  })
  return { arms, best: '1' }
}

function firstInLab(cell: Cell, random: Random) {
  const lab = cell.lab === 'addition' ? 'addition' : 'sorting'
  const truth = labTruth(lab)
  const groups = [...groupBy(labCourses(lab), ({ group }) => group)]
  const healthy = shuffled(
    groups.filter(([, runs]) => !runs[0].isSick),
    random,
  )
  const sick = cell.sick === 'with' ? groups.filter(([, runs]) => runs[0].isSick) : []
  const arms = [...healthy, ...sick].map(([arm, runs]): ArmCourse => {
    return { arm, runs: Array.from({ length: at(cell, 'K') }, () => [...runs[random.below(runs.length)].values]) }
  })
  const truthOf = (arm: string): number => truth.get(arm) ?? Number.NaN
  return { arms, best: healthy.map(([arm]) => arm).reduce((a, b) => (truthOf(b) > truthOf(a) ? b : a)) }
}

/** Nine arms with five seeds; one of them may be ahead of the others, which are equal or spread out. */
export const dropMadeUp: Study = {
  name: 'drop-made-up',
  cells: grid({ spread: [0, 3], ahead: [0, 2] }),
  share: () => 0.1,
  once: (cell, random) => {
    const K = 5
    const house = Array.from({ length: 6 }, () => settingOf(random, SEED_SCATTER * 3 * random.normal(), 3))
    const spread = at(cell, 'spread')
    const levels = Array.from({ length: 9 }, (_, i) =>
      i === 0 ? 0 : i === 1 ? at(cell, 'ahead') : -spread * Math.abs(random.normal()),
    ).map(level => level * SEED_SCATTER)
    const fresh = new Map<string, number[][]>()
    const arms = levels.map((level, i): ArmCourse => {
      const runs = settingOf(random, level, K + FRESH)
      fresh.set(String(i), runs.slice(K))
      return { arm: String(i), runs: runs.slice(0, K) }
    })
    const truth = new Map(levels.map((level, i) => [String(i), level]))
    const { kept, saved } = dropped(arms.slice(1), house)
    const names = new Set(kept.map(({ arm }) => arm))
    const last = (runs: readonly (readonly number[])[]): number[] => runs.map(values => levelAfter(values, 1))
    const claimsWith = (isDropping: boolean, freshSeeds: number) => {
      const armOf = ({ arm, runs }: ArmCourse) => {
        const isDropped = isDropping && arm !== BASELINE && !names.has(arm)
        const more = isDropped ? [] : last(fresh.get(arm) ?? []).slice(0, freshSeeds)
        return { name: arm, scores: last(runs), fresh: more, isDropped }
      }
      const [baseline, ...others] = arms.map(armOf)
      const verdicts = finalVerdicts(baseline, others, { margin: null, direction: 'max' })
      return verdicts.filter(({ verdict }) => verdict === 'better' || verdict === 'worse')
    }
    // What was saved buys the same number of fresh seeds for the baseline and all that are left.
    const bought = Math.min(FRESH, Math.floor((saved * 8 * K) / (kept.length + 1)))
    const freshSeeds = bought < 2 ? 0 : bought
    const [plain, withDrops, withFresh] = [claimsWith(false, 0), claimsWith(true, 0), claimsWith(true, freshSeeds)]
    const isFalse = ({ other, verdict }: { other: string; verdict: string }): boolean => {
      const gap = truth.get(other) ?? 0
      return verdict === 'better' ? gap <= 0 : gap >= 0
    }
    const found = (said: readonly { other: string; verdict: string }[]): number =>
      Number(said.some(({ other, verdict }) => other === '1' && verdict === 'better'))
    return {
      ...judged(arms.slice(1), truth, house),
      false: Number(withDrops.some(isFalse)),
      falseFresh: Number(withFresh.some(isFalse)),
      found: found(plain),
      foundFresh: found(withFresh),
      fresh: freshSeeds,
    }
  },
}
