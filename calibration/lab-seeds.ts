import { readFileSync } from 'node:fs'
import { finalCount } from '../src/core/analysis/conventions.js'
import { groupBy } from '../src/logs/model/util/group-by.js'
import { mean } from '../src/stats/descriptive.js'
import { isSick, type LabName, type LabRun, labRunsIn } from '../test/support/labs.js'

/** How seeds of one setting really scatter: the healthy runs of a lab, by setting, each by its end of training. */

const METRICS: { readonly [lab in LabName]: string } = {
  addition: 'val-aux/addition/exact/mean@1',
  sorting: 'val-core/sort_medium/acc/mean@4',
}

const read = new Map<LabName, readonly LabRun[]>()

export function labRuns(lab: LabName): readonly LabRun[] {
  const known =
    read.get(lab) ?? labRunsIn(readFileSync(new URL(`../../test/data/labs/${lab}.json.br`, import.meta.url)))
  read.set(lab, known)
  return known
}

export interface LabCourse {
  readonly group: string
  readonly values: readonly number[]
  readonly isSick: boolean
}

const coursesByLab = new Map<LabName, readonly LabCourse[]>()

/** The evaluations of every run, step 0 apart. */
export function labCourses(lab: LabName): readonly LabCourse[] {
  const courses = coursesByLab.get(lab) ?? readCourses(lab)
  coursesByLab.set(lab, courses)
  return courses
}

function readCourses(lab: LabName): readonly LabCourse[] {
  return labRuns(lab).map(run => {
    const { steps, values } = run.metrics.get(METRICS[lab]) ?? { steps: [], values: [] }
    return { group: run.group, values: values.filter((_, i) => steps[i] > 0), isSick: isSick(run) }
  })
}

export function finalLevel(values: readonly number[]): number {
  return mean(values.slice(-finalCount(values.length)))
}

const seedsByLab = new Map<LabName, readonly (readonly number[])[]>()

/** By setting, less the setting's mean and in units of its own scatter: seeds to draw from, with mean 0 and spread 1. */
export function labSeeds(lab: LabName): readonly (readonly number[])[] {
  const seeds = seedsByLab.get(lab) ?? standardised(lab)
  seedsByLab.set(lab, seeds)
  return seeds
}

function standardised(lab: LabName): readonly (readonly number[])[] {
  const healthy = labCourses(lab).filter(({ isSick }) => !isSick)
  return [...groupBy(healthy, ({ group }) => group).values()].map(runs => {
    const levels = runs.map(({ values }) => finalLevel(values))
    const centre = mean(levels)
    const spread = Math.sqrt(mean(levels.map(level => (level - centre) ** 2)))
    return levels.map(level => (level - centre) / spread)
  })
}

const truthByLab = new Map<LabName, ReadonlyMap<string, number>>()

/** By setting: what fresh prompts said of the ends of its runs, on average. */
export function labTruth(lab: LabName): ReadonlyMap<string, number> {
  const known = truthByLab.get(lab)
  if (known !== undefined) return known
  const set = lab === 'addition' ? 'all' : 'medium'
  const ends = (run: LabRun): number => mean((run.truth.get(set) ?? []).slice(-3).map(({ exact }) => exact))
  const truth = new Map(
    [...groupBy(labRuns(lab), ({ group }) => group)].map(([group, runs]) => [group, mean(runs.map(ends))]),
  )
  truthByLab.set(lab, truth)
  return truth
}
