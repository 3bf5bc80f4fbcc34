import { z } from 'zod'
import { readingRemarks } from '../../core/analysis/integrity.js'
import { pointCount, stepRange } from '../../core/store/catalogue.js'
import { type ImportProgress, importLogs } from '../../core/store/ingest.js'
import { type Manifest, shownName } from '../../core/store/manifest.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { type Encoded, encode } from '../../text/encode.js'
import { message } from '../../text/say.js'
import { list, request } from './fields.js'
import { type Asking, question } from './question.js'
import { entrySchema } from './run-schema.js'

/** What is in these logs? */

const logs = {
  paths: list(z.string()),
  /** The column that counts the steps, and those that are metrics, where a table does not say so itself. */
  step: z.string().optional(),
  metric: list(z.string()).optional(),
  /** Logs with the same values stay runs of their own. */
  separate: z.boolean().default(false),
}

const skipped = z.object({ path: z.string(), reason: sentence })

const importSchema = z.object({
  runs: list(entrySchema.omit({ tags: true, note: true }).extend({ warnings: list(sentence) })),
  skipped: list(skipped),
  seconds: z.number(),
})

export const importRuns = question({
  request: request({
    ...logs,
    /** What a log held before something else was written over it is kept, and the new is added to it. */
    follow: z.boolean().default(false),
  }),
  answer: encoded(importSchema),
  async ask(workspace, { paths, follow, lang, ...hints }, { signal, onProgress }: Asking<ImportProgress>) {
    const started = performance.now()
    const found = await importLogs(workspace, paths, {
      hints: hintsFrom(hints),
      ...(signal !== undefined && { signal }),
      ...(onProgress !== undefined && { onProgress }),
      keepsEarlier: follow,
    })
    const { runs, skipped: left } = found
    const seconds = (performance.now() - started) / 1000
    return encode(
      { runs: runs.map(importedRun), skipped: left.map(({ path, reason }) => ({ path, reason })), seconds },
      lang,
    )
  },
})

export type ImportAnswer = z.infer<typeof importRuns.answer>

export type { ImportProgress }

function importedRun(manifest: Manifest): z.infer<typeof importSchema>['runs'][number] {
  const { id, source, status, duplicateOf } = manifest
  const warnings = readingRemarks(manifest).map(remark => remark.message)
  const copied = duplicateOf === null ? [] : [message('import.duplicate', { run: duplicateOf })]
  return {
    id,
    name: shownName(manifest),
    source,
    status,
    points: pointCount(manifest),
    metrics: manifest.metrics.size,
    steps: stepRange(manifest),
    warnings: [...warnings, ...copied],
  }
}

/** What a follower tells as it happens. */
export type FollowEvent =
  | { readonly event: 'start'; readonly runs: number; readonly isAwaited: boolean }
  | { readonly event: 'growth'; readonly run: GrownRun }
  | ({ readonly event: 'remark' } & Encoded<z.infer<typeof skipped>>)

interface GrownRun {
  readonly id: string
  readonly name: string
  readonly status: Manifest['status']
  readonly step: number | null
  readonly points: number
}

/** What arrives in these logs? Ends when all runs have ended, or when it is asked to stop. */
export const follow = question({
  request: request(logs),
  answer: z.object({}),
  async ask(workspace, { paths, lang, ...hints }, { signal, onProgress }: Asking<FollowEvent>) {
    const { follow: followLogs } = await import('../../core/store/follow.js')
    await followLogs(workspace, paths, {
      hints: hintsFrom(hints),
      signal: signal ?? new AbortController().signal,
      onStart: (runs, isAwaited) => onProgress?.({ event: 'start', runs, isAwaited }),
      onGrowth: manifest => onProgress?.({ event: 'growth', run: grownRun(manifest) }),
      onRemark: ({ path, reason }) => onProgress?.(encode({ event: 'remark' as const, path, reason }, lang)),
    })
    return {}
  },
})

function grownRun(manifest: Manifest): GrownRun {
  const { id, status } = manifest
  return { id, name: shownName(manifest), status, step: stepRange(manifest)?.[1] ?? null, points: pointCount(manifest) }
}

function hintsFrom(said: { readonly step?: string; readonly metric?: readonly string[]; readonly separate: boolean }) {
  const { step, metric, separate } = said
  return { ...(step !== undefined && { step }), ...(metric !== undefined && { metrics: metric }), separate }
}
