import { z } from 'zod'
import type { Workspace } from '../store/workspace.js'
import { readDrops } from '../study/drop/ledger.js'
import { openSuspicions } from '../study/lineage/suspicion.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import { seedsOf, trialsOf } from '../study/plan/trials.js'
import type { Cell } from '../study/status/cell.js'
import { cellsOf } from '../study/status/cells.js'
import { finalVerdicts, type JudgedArm } from '../study/verdict/final-verdicts.js'
import { list, pair } from './fields.js'
import { baselineOf } from './study-drop.js'

/** What the trials of a study say by now, each arm against the baseline. */

export const finalVerdict = z.object({
  other: z.string(),
  verdict: z.enum(['better', 'worse', 'same', 'undetermined']),
  estimate: z.number().nullable(),
  interval: pair(z.number()).nullable(),
  /** Put right for all arms that were started. */
  p: z.number().nullable(),
  pSame: z.number().nullable(),
  seeds: z.number(),
  isDropped: z.boolean(),
})

export const finalVerdictList = list(finalVerdict)

/** An arm speaks when all its planned seeds do: to pass over one that failed would favour the arm that fails. */
export async function verdictsOf(workspace: Workspace, study: PlannedStudy): Promise<z.infer<typeof finalVerdictList>> {
  const { seeds, margin, direction, drop } = study.file
  const fresh = drop === 'none' ? 0 : drop.fresh
  const trials = trialsOf(study.name, study.arms, seedsOf(seeds, seeds.length + fresh))
  const cells = await cellsOf(workspace, study, trials)
  const dropped = new Set((await readDrops(workspace, study.name)).map(({ arm }) => arm))
  const judged = study.arms.map(({ name }): JudgedArm => {
    const own = cells.filter(({ trial }) => trial.arm.name === name)
    const [planned, more] = [own.slice(0, seeds.length), own.slice(seeds.length).filter(isSound)]
    return {
      name,
      scores: planned.every(isSound) ? planned.flatMap(({ value }) => value ?? []) : [],
      fresh: more.flatMap(({ value }) => value ?? []),
      isDropped: dropped.has(name),
    }
  })
  const baseline = judged.find(({ name }) => name === baselineOf(study)) ?? judged[0]
  const others = judged.filter(arm => arm !== baseline)
  return finalVerdicts(baseline, others, { margin, direction })
}

function isSound({ state, value, suspicious }: Cell): boolean {
  return state === 'done' && value !== null && Number.isFinite(value) && openSuspicions(suspicious).length === 0
}
