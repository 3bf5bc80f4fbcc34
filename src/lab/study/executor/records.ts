import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import { nullWhenMissing } from '../../../core/store/lease.js'
import type { Workspace } from '../../../core/store/workspace.js'
import { sha256 } from '../../../logs/model/id.js'
import { readKept, studyFolder } from '../ledger.js'
import type { Job } from './executor.js'

/**
 * Klens's own record of each job, in `.klens/studies/NAME/jobs/ID.json`: where it was handed over, under which handle, how
 * it ended. Written before a job is handed over and when it has ended, each time as a whole, so that a klens that is
 * killed at any moment finds its jobs again, and an executor that has forgotten them is told again.
 */
export type JobRecord = z.infer<typeof schema>

const schema = z.object({
  format: z.literal(1),
  id: z.string(),
  name: z.string(),
  /** `place` of the executor. */
  place: z.string(),
  attempt: z.number(),
  handle: z.string(),
  /** Unix seconds. */
  handedOverAt: z.number(),
  /** Null: not that klens knew. */
  end: z
    .object({
      /** `discarded`: it was done, and what it left is gone. */
      state: z.enum(['done', 'failed', 'stopped', 'evicted', 'discarded']),
      reason: z.string().nullable(),
      at: z.number(),
    })
    .nullable(),
})

/** The records of one study. */
export interface JobRecords {
  /** Where they are, and what jobs say of themselves beside them. */
  readonly folder: string
  /** Null: it was never handed over. */
  read(id: string): Promise<JobRecord | null>
  /** Those that have not ended, as far as klens knows. */
  open(): Promise<readonly JobRecord[]>
  /** Writes down that a job is about to be handed over to this place. */
  begin(job: Job, place: string, attempt: number): Promise<JobRecord>
  end(record: JobRecord, end: { readonly state: EndState; readonly reason: string | null }): Promise<JobRecord>
}

type EndState = NonNullable<JobRecord['end']>['state']

export function jobRecords(workspace: Workspace, study: string): JobRecords {
  const folder = join(studyFolder(workspace, study), 'jobs')
  const pathOf = (id: string): string => join(folder, `${id}.json`)

  async function write(record: JobRecord): Promise<JobRecord> {
    await mkdir(folder, { recursive: true })
    await writeFileAtomically(pathOf(record.id), `${JSON.stringify(record)}\n`)
    return record
  }

  async function read(id: string): Promise<JobRecord | null> {
    return readKept(pathOf(id), schema)
  }

  return {
    folder,
    read,
    async open() {
      const names = (await readdir(folder).catch(nullWhenMissing)) ?? []
      const ids = names.filter(name => name.endsWith('.json')).map(name => name.slice(0, -'.json'.length))
      const records = (await Promise.all(ids.map(read))).filter(record => record !== null)
      return records.filter(({ end }) => end === null)
    },
    async begin({ id, name }, place, attempt) {
      const handle = handleOf(await originIn(folder), study, id, attempt)
      return write({ format: 1, id, name, place, attempt, handle, handedOverAt: Date.now() / 1000, end: null })
    },
    end: (record, end) => write({ ...record, end: { ...end, at: Date.now() / 1000 } }),
  }
}

const LONGEST_NAME = 40

/**
 * The trial's own hash is not enough: two workspaces may train the same trial on one cluster, and who has removed a
 * workspace and begins again does not want the job of then.
 */
function handleOf(origin: string, study: string, id: string, attempt: number): string {
  const hash = sha256(`${origin}\n${study}\n${id}`)
  return `klens-${study.slice(0, LONGEST_NAME)}-${hash.slice(0, 16)}-${attempt}`
}

/** What tells these records from all others, for as long as they are there. */
async function originIn(folder: string): Promise<string> {
  const path = join(folder, 'origin')
  const known = await readFile(path, 'utf8').catch(nullWhenMissing)
  if (known !== null) return known
  const origin = randomUUID()
  await mkdir(folder, { recursive: true })
  await writeFileAtomically(path, origin)
  return origin
}
