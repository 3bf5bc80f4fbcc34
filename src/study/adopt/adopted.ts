import { z } from 'zod'
import type { Json } from '../../model/json.js'
import type { Workspace } from '../../store/workspace.js'
import { keptFile } from '../file/kept-file.js'

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

const kept = keptFile('adopted.json', schema)

export async function readAdopted(workspace: Workspace, study: string): Promise<AdoptedRuns> {
  return (await kept.read(workspace, study))?.adopted ?? {}
}

export function keepAdopted(workspace: Workspace, study: string, adopted: AdoptedRuns): Promise<void> {
  return kept.keep(workspace, study, { format: 1, adopted })
}
