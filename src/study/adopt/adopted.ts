import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Json } from '../../model/json.js'
import { Problem } from '../../model/problem.js'
import { writeFileAtomically } from '../../store/atomic.js'
import type { Workspace } from '../../store/workspace.js'
import { sentences } from '../../text/sentences.js'
import { studyFolder } from '../file/frozen.js'

/**
 * Runs that were made outside of a study and stand for trials of it, by trial id. The run itself is left as it is: what
 * it was made of is its own, and the study only says which cell it fills, and in what its config differs from the cell's.
 */
const json: z.ZodType<Json> = z.json()
const adoptedRun = z.object({
  run: z.string(),
  /** Unix seconds. */
  at: z.number(),
  /** Settings that its config and the study's do not agree in. */
  differences: z.array(z.object({ key: z.string(), study: json, run: json })).readonly(),
  checkpoint: z.object({ path: z.string(), step: z.number(), contentHash: z.string() }).nullable(),
})

export type AdoptedRun = z.infer<typeof adoptedRun>
export type AdoptedRuns = { readonly [trial: string]: AdoptedRun }

const schema = z.object({ format: z.literal(1), adopted: z.record(z.string(), adoptedRun) })

const say = sentences({
  'study.adopted.damaged': {
    en: '{path} cannot be read as a list of adopted runs',
    zh: '{path} 无法作为收编记录读取',
  },
})

function pathOf(workspace: Workspace, study: string): string {
  return join(studyFolder(workspace, study), 'adopted.json')
}

export async function readAdopted(workspace: Workspace, study: string): Promise<AdoptedRuns> {
  const path = pathOf(workspace, study)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
  try {
    return schema.parse(JSON.parse(text)).adopted
  } catch (cause) {
    throw new Problem('damaged', say('study.adopted.damaged', { path }), { cause })
  }
}

export async function keepAdopted(workspace: Workspace, study: string, adopted: AdoptedRuns): Promise<void> {
  await mkdir(studyFolder(workspace, study), { recursive: true })
  await writeFileAtomically(pathOf(workspace, study), `${JSON.stringify({ format: 1, adopted })}\n`)
}
