import { z } from 'zod'
import { type JsonNumber, jsonNumber } from '../model/json.js'
import { pointCount, type RunEntry, stepRange } from '../store/catalogue.js'
import { type Manifest, type MetricRecord, meanOf, shownName, wholeConfig } from '../store/manifest.js'
import { figure, json, list, pair } from './fields.js'

/** A run as scripts get it: in a list by its outlines, else whole. */

export const RUN_STATUSES = ['running', 'finished', 'failed', 'killed', 'unknown'] as const

export const entrySchema = z.object({
  id: z.string(),
  name: z.string(),
  source: z.string(),
  status: z.enum(RUN_STATUSES),
  /** First and last; null for a run without steps. */
  steps: pair(z.number()).nullable(),
  metrics: z.number(),
  points: z.number(),
  tags: list(z.string()),
})

/** Nulls where nothing was measured. */
const summary = z.object({
  n: z.number(),
  first: figure.nullable(),
  last: figure.nullable(),
  min: figure.nullable(),
  minStep: figure.nullable(),
  max: figure.nullable(),
  maxStep: figure.nullable(),
  mean: figure.nullable(),
})

const weights = z.object({
  contentHash: z.string(),
  path: z.string().nullable(),
  step: z.number().nullable(),
  run: z.string().nullable(),
})

export const runSchema = entrySchema.extend({
  config: z.record(z.string(), json),
  summary: z.record(z.string(), summary),
  /** What its tracker says besides. */
  about: z.record(z.string(), json),
  segments: list(z.object({ firstStep: z.number().nullable(), lastStep: z.number().nullable() })),
  duplicateOf: z.string().nullable(),
  evaluations: z.number(),
  samples: z.number(),
  /** Where it came from: parent checkpoint, reference, data, settings and code, by hash where known. */
  lineage: z.object({
    parent: weights.nullable().optional(),
    reference: weights.optional(),
    data: z.string().optional(),
    settings: z.string().optional(),
    code: z.string().optional(),
  }),
  files: list(z.object({ path: z.string(), source: z.string(), size: z.number() })),
})

export type RunAnswer = z.infer<typeof runSchema>

export function entryAnswer({ id, name, source, status, steps, metrics, points, tags }: RunEntry) {
  return { id, name, source, status, steps, metrics, points, tags }
}

export function runAnswer(manifest: Manifest): RunAnswer {
  const { id, source, status, tags, about, segments, duplicateOf, evaluations, samples, lineage } = manifest
  return {
    id,
    name: shownName(manifest),
    source,
    status,
    steps: stepRange(manifest),
    metrics: manifest.metrics.size,
    points: pointCount(manifest),
    config: wholeConfig(manifest),
    tags,
    summary: Object.fromEntries([...manifest.metrics].map(([name, record]) => [name, summaryOf(record)])),
    about: { ...about },
    segments,
    duplicateOf,
    evaluations,
    samples,
    lineage,
    files: manifest.files.map(file => ({ path: file.path, source: file.source, size: file.size })),
  }
}

function summaryOf(record: MetricRecord): z.infer<typeof summary> {
  const { n, finite, first, last, min, minStep, max, maxStep } = record
  const value = (number: number): JsonNumber | null => (n === 0 ? null : jsonNumber(number))
  const extreme = (number: number): JsonNumber | null => (finite === 0 ? null : jsonNumber(number))
  return {
    n,
    first: value(first),
    last: value(last),
    min: extreme(min),
    minStep: extreme(minStep),
    max: extreme(max),
    maxStep: extreme(maxStep),
    mean: extreme(meanOf(record)),
  }
}
