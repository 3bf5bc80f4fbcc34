import type { RunEvent } from '../model/events.js'
import type { Quality } from '../model/run.js'
import { meaningOf } from '../model/vocabulary/resolve.js'
import { validationSize } from '../model/vocabulary/settings.js'
import { type Manifest, wholeConfig } from './manifest.js'
import { frameworkOf, vocabularyOf, workspaceWords } from './meaning.js'
import { type LoadedRun, readSeries } from './series.js'
import type { Workspace } from './workspace.js'

/** Validation metrics of a log, said again as evaluations: with their condition, and n where the config tells it. */
export async function validationEvents(workspace: Workspace, run: LoadedRun): Promise<RunEvent[]> {
  const { manifest } = run
  const vocabulary = vocabularyOf(manifest, await workspaceWords(workspace))
  const validation = [...manifest.metrics.keys()].filter(name => meaningOf(name, vocabulary).validation)
  if (validation.length === 0) return []
  const n = validationSize(wholeConfig(manifest), frameworkOf(manifest))
  const events: RunEvent[] = []
  // The last word on a step counts, so what was measured comes last.
  for (const quality of ['missing', 'estimated', 'measured'] as const) {
    const having = validation.filter(name => hasQuality(manifest, name, quality))
    for (const [metric, { steps, values }] of await readSeries(run, having, quality)) {
      const { condition } = meaningOf(metric, vocabulary)
      steps.forEach((step, i) => {
        events.push({ type: 'evaluation', evaluation: { metric, step, condition, value: values[i], n, quality } })
      })
    }
  }
  return events
}

function hasQuality({ metrics }: Manifest, name: string, quality: Quality): boolean {
  const record = metrics.get(name)
  return record !== undefined && (quality === 'measured' ? record.n : record[quality]) > 0
}
