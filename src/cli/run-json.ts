import { jsonNumber } from '../model/json.js'
import { pointCount, stepRange } from '../store/catalogue.js'
import { type Manifest, type MetricRecord, meanOf, shownName, wholeConfig } from '../store/manifest.js'

/** A run as the JSON contract writes it (DESIGN section 7). */
export function runJson(manifest: Manifest): object {
  return {
    id: manifest.id,
    name: shownName(manifest),
    source: manifest.source,
    status: manifest.status,
    steps: stepRange(manifest),
    metrics: manifest.metrics.size,
    points: pointCount(manifest),
    config: wholeConfig(manifest),
    tags: manifest.tags,
    summary: Object.fromEntries([...manifest.metrics].map(([name, record]) => [name, summaryJson(record)])),
    about: manifest.about,
    segments: manifest.segments,
    duplicateOf: manifest.duplicateOf,
    evaluations: manifest.evaluations,
    samples: manifest.samples,
    lineage: manifest.lineage,
    files: manifest.files.map(({ path, source, size }) => ({ path, source, size })),
  }
}

/** Series without a measured point have nulls, not zeros. */
function summaryJson(record: MetricRecord): object {
  const { n, first, last, min, minStep, max, maxStep } = record
  const value = (number: number): number | string | null => (n === 0 ? null : jsonNumber(number))
  const extreme = (number: number): number | string | null => (record.finite === 0 ? null : number)
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
