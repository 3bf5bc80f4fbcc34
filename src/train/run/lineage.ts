import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Manifest } from '../../store/manifest.js'

/** What a training is made of, by hashes: with one lineage and one seed, two trainings give the same numbers. */
export interface Lineage {
  readonly configHash: string
  readonly dataHash: string
  /** Content hash of the checkpoint that it was started from. */
  readonly from: string | null
  /** Version of klens. */
  readonly code: string
}

const lineageSchema = z.object({
  configHash: z.string(),
  dataHash: z.string(),
  from: z.string().nullable(),
  code: z.string(),
})

/** One word for it, by which the list of runs tells which are the same training. The version of klens does not count. */
export function trainingHash({ configHash, dataHash, from }: Lineage): string {
  return createHash('sha256').update([configHash, dataHash, from].join()).digest('hex').slice(0, 32)
}

/** The lineage that a run of ours was written with. */
export function lineageOf({ files }: Manifest): Lineage | null {
  const parsed = lineageSchema.safeParse(files[0]?.cursor)
  return parsed.success ? parsed.data : null
}
