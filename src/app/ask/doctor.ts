import { z } from 'zod'
import { listRuns } from '../../core/store/catalogue.js'
import { checkRun, checkStore, type RunCheck } from '../../core/store/doctor.js'
import { repairRun, type Repair as StoreRepair } from '../../core/store/repair.js'
import { Problem } from '../../logs/model/problem.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { sentences } from '../../text/sentences.js'
import { list, request } from './fields.js'
import { type Asking, question } from './question.js'

/** Is what the store holds whole, and what can be done where it is not? Nothing is deleted, only moved aside. */

const say = sentences({
  'doctor.unknown': {
    en: 'there is no run with the id "{run}"; klens doctor without ids checks all',
    zh: '没有 id 为“{run}”的 run；不带 id 的 klens doctor 会检查全部',
  },
})

const repair = z.object({
  did: z.enum(['read-again', 'reduced', 'moved']),
  /** Where the damaged files are now. */
  aside: z.string(),
})

const damagedRun = z.object({
  id: z.string(),
  /** Null where not even that can be read. */
  name: z.string().nullable(),
  damage: list(z.object({ path: z.string(), message: sentence })),
  /** What a repair would do: read the logs again, keep what is sound, move all of it away, or nothing without a newer klens. */
  remedy: z.enum(['read-again', 'reduce', 'move', 'update']),
  /** Null where none was asked for, or where it could not be done. */
  repair: repair.nullable(),
  /** Why it could not be done. */
  failure: sentence.nullable(),
})

const doctorSchema = z.object({
  workspace: z.string(),
  checked: z.number(),
  damaged: list(damagedRun),
  /** Runs of which an earlier klens kept no checksum: counts and summaries were compared, not every bit. */
  withoutChecksums: z.number(),
})

export interface DoctorProgress {
  readonly checked: number
}

export const doctor = question({
  request: request({
    /** Ids, because a damaged run may have lost its name; all runs where none is given. */
    runs: list(z.string()).default([]),
    repair: z.boolean().default(false),
  }),
  answer: encoded(doctorSchema),
  async ask(workspace, { runs, repair: isRepairing, lang }, { signal, onProgress }: Asking<DoctorProgress>) {
    const names = new Map((await listRuns(workspace)).entries.map(({ id, name }) => [id, name]))
    const checks: RunCheck[] = []
    const onRun = (check: RunCheck): void => {
      checks.push(check)
      onProgress?.({ checked: checks.length })
    }
    if (runs.length === 0) {
      await checkStore(workspace, { onRun, ...(signal !== undefined && { signal }) })
    } else {
      for (const id of new Set(runs)) onRun(await checkNamed(workspace, id))
    }
    const damaged: z.infer<typeof damagedRun>[] = []
    for (const check of checks) {
      signal?.throwIfAborted()
      const { id, remedy, damage } = check
      if (remedy === null) continue
      const outcome = isRepairing ? await attempt(() => repairRun(workspace, check)) : NOT_ASKED
      damaged.push({ id, name: names.get(id) ?? null, damage, remedy, ...outcome })
    }
    const withoutChecksums = checks.filter(({ lacksChecksums }) => lacksChecksums).length
    return encode({ workspace: workspace.root, checked: checks.length, damaged, withoutChecksums }, lang)
  },
})

export type DamagedRun = z.infer<typeof doctor.answer>['damaged'][number]

async function checkNamed(workspace: Parameters<typeof checkRun>[0], id: string): Promise<RunCheck> {
  const { entries, damaged } = await listRuns(workspace)
  const isThere = entries.some(entry => entry.id === id) || damaged.some(path => path.split(/[/\\]/).at(-2) === id)
  if (!isThere) throw new Problem('not-found', say('doctor.unknown', { run: id }))
  return checkRun(workspace, id)
}

type Outcome = Pick<z.infer<typeof damagedRun>, 'repair' | 'failure'>

const NOT_ASKED: Outcome = { repair: null, failure: null }

/** A run that another process holds must not keep the others from being repaired. */
async function attempt(work: () => Promise<StoreRepair | null>): Promise<Outcome> {
  try {
    const done = await work()
    return { repair: done === null ? null : { did: done.did, aside: done.aside }, failure: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { repair: null, failure: error.sentence }
  }
}
