import { meaningOf } from '../model/vocabulary/resolve.js'
import { validationSize } from '../model/vocabulary/settings.js'
import type { ValidationMetric } from './evaluations.js'
import { type Manifest, wholeConfig } from './manifest.js'
import { frameworkOf, vocabularyOf, type WorkspaceWords } from './meaning.js'

/** The validation metrics of a log, whose points are evaluations: with their condition, and n where the config tells it. */
export function validationMetrics(manifest: Manifest, words: WorkspaceWords): readonly ValidationMetric[] {
  const vocabulary = vocabularyOf(manifest, words)
  const n = validationSize(wholeConfig(manifest), frameworkOf(manifest), words.user)
  return [...manifest.metrics].flatMap(([metric, record]) => {
    const { validation, condition } = meaningOf(metric, vocabulary)
    return validation ? [{ metric, condition, n, isPlain: !record.stale && record.stored === record.n }] : []
  })
}
