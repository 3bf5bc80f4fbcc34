import { dirname } from 'node:path'
import { sentences } from '../../../text/sentences.js'
import { readCell } from '../../document/printed-cell.js'
import type { RunEvent } from '../../model/events.js'
import type { Source, SourceFile } from '../source.js'
import { stepGate, warning } from '../source-helpers.js'
import { readTableHead } from '../table/head.js'
import { readRecords, type TableRecord } from '../table/records.js'
import { type TableTally, tallyWarnings } from '../table/tally.js'

/**
 * The CSV that W&B's line plots are exported to: `"Step","<run> - <metric>","<run> - <metric>__MIN","<run> - <metric>__MAX"`, for
 * all runs of the chart side by side. One file has one chart's metric; files in one folder that name the same run
 * are parts of it.
 */
export const wandbChart: Source = {
  id: 'wandb-export',
  role: 'log',
  grows: false,
  keep: 'all',
  recognise: file => curvesOf(file).length > 0,

  async describe(file) {
    const folder = dirname(file.path)
    const names = [...new Set(curvesOf(file).map(({ run }) => run))]
    return names.map(name => ({
      run: `wandb-export:${folder}#${name}`,
      member: name,
      name,
      folder,
      order: 0,
      firstRecord: '',
    }))
  },

  async *read(file, { run }) {
    const head = readTableHead(file)
    const name = run.slice(`wandb-export:${dirname(file.path)}#`.length)
    const curves = curvesOf(file).filter(curve => curve.run === name && !curve.metric.startsWith('_'))
    if (head === null || curves.length === 0) return
    const axis = axisOf(head.columns[0] ?? '')
    const metrics = curves.map(({ metric }) => metric)
    const tally: TableTally = {}
    const merged = { count: 0, step: 0 }
    const gate = stepGate()
    for await (const records of readRecords(file, head, tally)) {
      const events: RunEvent[] = []
      for (const record of records) {
        const step = numberIn(record, 0)
        if (!gate.admits(step, record.values[0])) continue
        const points = curves.flatMap(curve => {
          const point = pointIn(record, curve)
          return point === null ? [] : [{ ...point, metric: curve.metric }]
        })
        if (points.length === 0) continue
        if (points.some(({ merged }) => merged)) {
          if (merged.count === 0) merged.step = step
          merged.count += 1
        }
        events.push({
          type: 'row',
          step,
          time: null,
          metrics: points.length === metrics.length ? metrics : points.map(({ metric }) => metric),
          values: points.map(({ value }) => value),
          ...(axis !== null && { axis }),
        })
      }
      yield events
    }
    yield [...tallyWarnings(tally), ...gate.complaints()]
    if (merged.count > 0) yield [warning(say('wandb-export.merged', merged))]
  },
}

interface Curve {
  readonly run: string
  readonly metric: string
  /** Places of the columns. */
  readonly value: number
  readonly lowest: number
  readonly highest: number
}

/** All curves of a file; none when it is no such export. Every one has its two companions. */
function curvesOf(file: SourceFile): readonly Curve[] {
  const head = readTableHead(file)
  if (head?.format !== 'csv') return []
  const places = new Map(head.columns.map((column, index) => [column, index]))
  return head.columns.flatMap((column, value) => {
    const lowest = places.get(`${column}__MIN`)
    const highest = places.get(`${column}__MAX`)
    // A run's name may hold the dash, a metric's hardly does.
    const dash = column.lastIndexOf(' - ')
    if (value === 0 || dash <= 0 || lowest === undefined || highest === undefined) return []
    return [{ run: column.slice(0, dash), metric: column.slice(dash + 3), value, lowest, highest }]
  })
}

/** What the chart's x axis counts in, where it is not the step. */
function axisOf(column: string): string | null {
  return /^(?:_?step|(?:train(?:ing)?\/)?global_step)$/i.test(column.trim()) ? null : column
}

interface Point {
  readonly value: number
  /** W&B drew several logged values as one. */
  readonly merged: boolean
}

function pointIn(record: TableRecord, { value: at, lowest, highest }: Curve): Point | null {
  const value = numberIn(record, at)
  if (value === null) return null
  return { value, merged: !Object.is(numberIn(record, lowest), numberIn(record, highest)) }
}

function numberIn({ values }: TableRecord, at: number): number | null {
  const cell = readCell(String(values[at]))
  return cell.kind === 'number' ? cell.value : null
}

const say = sentences({
  'wandb-export.merged': {
    en: '{count} {count|point stands|points stand} for several logged values each (first at step {step}): W&B samples its charts, and this file has only the samples. For every value import the .wandb log, or the Parquet files of run.download_history_exports',
    zh: '有 {count} 个点各自代表多个记录值（首个在 step {step}）：W&B 的图表由采样点绘成，此文件只含这些采样点。如需全部数值，请导入 .wandb 日志，或 run.download_history_exports 下载的 Parquet 文件',
  },
})
