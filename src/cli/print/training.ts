import { jsonNumber } from '../../model/json.js'
import type { TrainConfig } from '../../train/config/schema.js'
import type { EpochReport, StartedRun, TrainingObserver, TrainingResult } from '../../train/run/run-training.js'
import { parameterCount } from '../../train/session.js'
import { queriesOf, type Task } from '../../train/tasks/task.js'
import type { Context } from '../context.js'
import { statusLine } from './status-line.js'
import { count, pad, printable, shortNumber } from './style.js'

/** A line per epoch: a table for people; JSON in which all but `volatile` is the same every time. */
export interface TrainingPrinter {
  readonly observer: TrainingObserver
  clear(): void
  end(result: TrainingResult): void
}

export function printTraining(context: Context, task: Task, config: TrainConfig, json: boolean): TrainingPrinter {
  const line = statusLine(json)
  let epoch = 0
  let pass = { from: 0, began: 0, done: Number.POSITIVE_INFINITY }
  let resumedAfter: number | null = null
  const observer: TrainingObserver = {
    async started(run) {
      epoch = run.resumedAfter ?? 0
      resumedAfter = run.resumedAfter
      if (!json) await printStart(context, run, task, config)
      else if (run.resumedAfter !== null) context.remark(resumedText(context, run, run.resumedAfter))
    },
    progress(done, total) {
      const now = performance.now()
      // Another pass has begun: over the groups of the warm-up, over an epoch, or over the validation.
      if (done < pass.done) pass = { from: done, began: now, done }
      pass.done = done
      const rate = now > pass.began ? Math.round((1000 * (done - pass.from)) / (now - pass.began)) : 0
      line.paint(() => context.say('train.progress', { epoch: epoch + 1, done, total, rate }))
    },
    epoch(report) {
      line.clear()
      epoch = report.epoch
      pass.done = Number.POSITIVE_INFINITY
      if (json) context.printJson(epochJson(report))
      else context.print(epochLine(report))
    },
  }
  return {
    observer,
    clear: line.clear,
    end(result) {
      const { run: id, folder, status } = result
      if (json) context.printJson(resultJson(result, { folder, resumedAfter }))
      else if (status === 'finished') context.print(context.say('train.done', { id, folder: printable(folder, 300) }))
      if (status === 'killed') context.remark(context.say('train.stopped', { epoch: result.epoch }))
    },
  }
}

/** NaN and the infinities as words. */
export function epochJson({ epoch, phase, metrics, volatile }: EpochReport): object {
  const written = Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, jsonNumber(value)]))
  return { epoch, phase, metrics: written, volatile }
}

export function resultJson({ run, status, checkpoints, evaluations }: TrainingResult, volatile: object): object {
  return { run, status, checkpoints, evaluations, volatile }
}

async function printStart(context: Context, run: StartedRun, task: Task, config: TrainConfig): Promise<void> {
  if (run.resumedAfter === null) {
    const parameters = count(parameterCount(task, config))
    const queries = queriesOf(task, 'train').length
    context.print(context.say('train.started', { name: printable(run.name), id: run.id, queries, parameters }))
    const baselines = await task.baselines({ shots: config.policy.shots, split: 'val', seed: 1 })
    const shown = baselines.map(({ name, hard, soft }) => `${name} ${shortNumber(hard ?? soft)}`).join(', ')
    if (shown !== '') context.print(context.say('train.baseline', { baselines: shown }))
  } else {
    context.print(resumedText(context, run, run.resumedAfter))
    if (run.changes.length > 0) context.print(context.say('train.changed', { changes: run.changes.join(', ') }))
    for (const file of run.damaged) context.print(context.say('train.damaged', { file, epoch: run.resumedAfter }))
  }
  context.print(tableLine(COLUMNS.map(([title]) => title)))
}

function resumedText(context: Context, { name, id }: StartedRun, epoch: number): string {
  return context.say('train.resumed', { name: printable(name), id, epoch })
}

const COLUMNS: readonly (readonly [title: string, metric: string])[] = [
  ['epoch', ''],
  ['phase', ''],
  ['loss', 'loss.total'],
  ['rce', 'loss.rce'],
  ['kl', 'kl.ref'],
  ['kl exact', 'kl.ref.exact'],
  ['kl coef', 'kl.coef'],
  ['entropy', 'entropy.sequence'],
  ['tied', 'group.zero_std_frac'],
  ['grad', 'grad.norm'],
  ['val', 'val.score'],
]

function tableLine(cells: readonly string[]): string {
  return cells.map(cell => pad(cell, 9, 'right')).join(' ')
}

function epochLine({ epoch, phase, metrics }: EpochReport): string {
  const values = COLUMNS.slice(2).map(([, metric]) =>
    metrics[metric] === undefined ? '' : shortNumber(metrics[metric]),
  )
  return tableLine([String(epoch), phase, ...values])
}
