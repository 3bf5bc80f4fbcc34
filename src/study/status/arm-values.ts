import { groupBy } from '../../model/util/group-by.js'
import { mean, variance } from '../../stats/descriptive.js'
import { intervalOf } from '../../stats/student-estimate.js'
import { openSuspicions } from '../lineage/suspicion.js'
import type { PlannedArm } from '../plan/trials.js'
import type { Cell } from './cell.js'

/** What the seeds of an arm came to: their mean, with the interval in which the mean of all seeds lies. */
export interface ArmValues {
  readonly arm: PlannedArm
  /** Of seeds with a finite value that nothing speaks against. */
  readonly values: readonly number[]
  readonly mean: number | null
  /** 95 %, from the scatter of seeds; null with fewer than two. */
  readonly interval: readonly [low: number, high: number] | null
}

export function valuesByArm(arms: readonly PlannedArm[], cells: readonly Cell[]): readonly ArmValues[] {
  const byArm = groupBy(cells, ({ trial }) => trial.arm.name)
  return arms.map(arm => {
    const values = (byArm.get(arm.name) ?? []).flatMap(cell => usableValue(cell) ?? [])
    if (values.length < 2) return { arm, values, mean: values[0] ?? null, interval: null }
    const standardError = Math.sqrt(variance(values) / values.length)
    const degreesOfFreedom = values.length - 1
    const { estimate, low, high } = intervalOf({ mean: mean(values), standardError, degreesOfFreedom })
    return { arm, values, mean: estimate, interval: [low, high] }
  })
}

/** Null for what is not there yet or should not be taken as it is. */
export function usableValue({ value, suspicious }: Pick<Cell, 'value' | 'suspicious'>): number | null {
  return value !== null && Number.isFinite(value) && openSuspicions(suspicious).length === 0 ? value : null
}
