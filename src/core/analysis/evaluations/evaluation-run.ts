import { EVALUATION_SOURCES } from '../../../logs/model/evaluation.js'
import type { RunView } from '../run-view.js'

/** Whether a run was read from the file of an evaluation: items and their scores, and no training. */
export function isEvaluation({ manifest }: Pick<RunView, 'manifest'>): boolean {
  return EVALUATION_SOURCES.has(manifest.source) && manifest.metrics.size === 0
}
