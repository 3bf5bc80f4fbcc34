import type { Row, RunEvent } from '../../model/events.js'
import { message } from '../../text/say.js'
import { nameLists } from '../name-lists.js'
import { isUsableStep } from '../table/step.js'

/** MLflow keeps one point at a time; those that were logged together become one row again. */

export interface PointGatherer {
  add(metric: string, step: number, value: number, time: number | null): void
  /** What has been gathered since the last call. */
  take(): RunEvent[]
  warnings(): RunEvent[]
}

export function pointGatherer(): PointGatherer {
  const shared = nameLists()
  let rows: Row[] = []
  let metrics: string[] = []
  let values: number[] = []
  let step = 0
  let time: number | null = null
  let inRow = new Set<string>()
  let badSteps = 0
  let firstBad = ''

  function endRow(): void {
    if (metrics.length > 0) rows.push({ type: 'row', step, time, metrics: shared(metrics), values })
    metrics = []
    values = []
    inRow = new Set()
  }

  return {
    add(metric, itsStep, value, itsTime) {
      if (!isUsableStep(itsStep)) {
        if (badSteps === 0) firstBad = String(itsStep)
        badSteps += 1
        return
      }
      if (itsStep !== step || itsTime !== time || inRow.has(metric)) endRow()
      step = itsStep
      time = itsTime
      inRow.add(metric)
      metrics.push(metric)
      values.push(value)
    },
    take() {
      endRow()
      const taken = rows
      rows = []
      return taken
    },
    warnings() {
      if (badSteps === 0) return []
      return [{ type: 'warning', message: message('source.bad-step', { count: badSteps, step: firstBad }) }]
    },
  }
}
