import { resumedText, startedBlocks, trainedBlocks } from '../../../core/present/training.js'
import type {
  EpochAnswer,
  StartedTraining,
  TrainEvent,
  TrainedAnswer,
  TrialEnd,
  TrialsAnswer,
} from '../../ask/training-answers.js'
import type { Context } from '../context.js'
import { statusLine } from './status-line.js'
import { pad, printable, shortNumber, terminalWidth } from './style.js'

/** Trainings on a terminal: of a single one a line per epoch, of many a line for each as it ends; or all of it as JSON. */
export interface TrainingPrinter {
  hear(told: TrainEvent): void
  clear(): void
  end(answer: TrainedAnswer | TrialsAnswer): void
}

export function trainingPrinter(context: Context, json: boolean): TrainingPrinter {
  const line = statusLine(json)
  const single = singlePrinter(context, json)
  const many = manyPrinter(context, json)
  return {
    hear(told) {
      if (told.event === 'end' || told.event === 'epoch') line.clear()
      if (told.event === 'start-progress') {
        const { done, total } = told
        line.paint(() => context.say('train.progress-start', { done, total }))
        return
      }
      const status = ('trial' in told && told.trial !== null) || told.event === 'grid' ? many(told) : single(told)
      if (status !== null) line.paint(status)
    },
    clear: line.clear,
    end(answer) {
      const blocks = trainedBlocks(answer, context.speaker)
      if (json) context.printJson(answer)
      context.present(json ? blocks.filter(({ kind }) => kind === 'note') : blocks)
    },
  }
}

/** What the status line is to say now; null where it stays away. */
type Status = (() => string) | null

function singlePrinter(context: Context, json: boolean): (told: TrainEvent) => Status {
  let epoch = 0
  let kind: StartedTraining['kind'] = 'selector'
  let isStarting = true
  let pass = { from: 0, began: 0, done: Number.POSITIVE_INFINITY }
  return told => {
    switch (told.event) {
      case 'started':
        epoch = told.resumedAfter ?? 0
        kind = told.about?.kind ?? kind
        isStarting = told.resumedAfter === null
        if (told.about !== null) printStart(context, told.about, told.resumedAfter, json)
        return null
      case 'progress': {
        const { done, total } = told
        const now = performance.now()
        // Another pass has begun: over the groups of the warm-up, over an epoch, or over the validation.
        if (done < pass.done) pass = { from: done, began: now, done }
        pass.done = done
        if (kind === 'language-model') {
          const where = isStarting ? 'train.progress-start' : 'train.progress-steps'
          return () => context.say(where, { done, total })
        }
        const rate = now > pass.began ? Math.round((1000 * (done - pass.from)) / (now - pass.began)) : 0
        return () => context.say('train.progress', { epoch: epoch + 1, done, total, rate })
      }
      case 'epoch':
        epoch = told.report.epoch
        pass.done = Number.POSITIVE_INFINITY
        isStarting = false
        if (json) context.printJson(told.report)
        else if (kind === 'language-model') {
          if (VALIDATION in told.report.metrics) context.print(rowOf(STEP_COLUMNS, told.report))
        } else {
          context.print(rowOf(COLUMNS, told.report))
          const missing = missingLine(context, told.report)
          if (missing !== null) context.print(missing)
        }
        return null
      default:
        return null
    }
  }
}

function printStart(context: Context, about: StartedTraining, resumedAfter: number | null, json: boolean): void {
  if (json) {
    if (resumedAfter !== null) context.remark(printable(resumedText(about, resumedAfter, context.speaker), 300))
    return
  }
  context.present(startedBlocks(about, resumedAfter, context.speaker))
  const columns = fitting(about.kind === 'selector' ? COLUMNS : STEP_COLUMNS)
  context.print(tableLine(columns.map(([title]) => title)))
}

/** `order`: in which they are given up where the window is narrow; --json has them all. */
type Columns = readonly (readonly [title: string, metric: string, order?: number])[]

const COLUMNS: Columns = [
  ['epoch', 'epoch'],
  ['phase', 'phase'],
  ['loss', 'loss.total'],
  ['rce', 'loss.rce'],
  ['kl', 'kl.ref'],
  ['kl exact', 'kl.ref.exact', 1],
  ['kl coef', 'kl.coef', 4],
  ['entropy', 'entropy.sequence'],
  ['tied', 'group.zero_std_frac', 2],
  ['grad', 'grad.norm'],
  ['val', 'val.score'],
  ['val loss', 'val.loss', 3],
]

const VALIDATION = 'val-core/interact_intention/reward/mean@1'

/** Of the language model, at every evaluation. */
const STEP_COLUMNS: Columns = [
  ['step', 'epoch'],
  ['loss', 'loss.total'],
  ['kl exact', 'kl.ref.exact'],
  ['kl coef', 'actor/kl_coef', 2],
  ['entropy', 'actor/entropy'],
  ['tied', 'group.zero_std_frac', 1],
  ['grad', 'actor/grad_norm'],
  ['score', 'critic/score/mean'],
  ['turns', 'num_turns/mean', 3],
  ['val', VALIDATION],
  ['of ceiling', 'val.ceiling_frac'],
]

const CELL = 9

/** As many columns as the window has room for. */
function fitting(columns: Columns): Columns {
  const most = Math.floor(((terminalWidth() ?? Number.POSITIVE_INFINITY) + 1) / (CELL + 1))
  return columns.filter(([, , order = Number.POSITIVE_INFINITY]) => order > columns.length - most)
}

function tableLine(cells: readonly string[]): string {
  return cells.map(cell => pad(cell, CELL, 'right')).join(' ')
}

function rowOf(columns: Columns, { epoch, phase, metrics }: EpochAnswer): string {
  const said: { readonly [metric: string]: string } = { epoch: String(epoch), phase }
  const cells = fitting(columns).map(
    ([, metric]) => said[metric] ?? (metrics[metric] === undefined ? '' : shortNumber(Number(metrics[metric]))),
  )
  return tableLine(cells)
}

/** What could not be scored is left out of every mean above, and never silently. */
function missingLine(context: Context, { metrics }: EpochAnswer): string | null {
  const [training, scored] = [Number(metrics['answers.missing'] ?? 0), Number(metrics['answers.scored'] ?? 0)]
  if (training === 0) return null
  return `  ${context.say('train.missing', { missing: training, total: training + scored })}`
}

function manyPrinter(context: Context, json: boolean): (told: TrainEvent) => Status {
  const last = new Map<string, EpochAnswer>()
  let planned = new Map<string, number>()
  let width = 0
  let epochs = 0
  let done = 0
  const status = (): string => {
    const total = [...planned.values()].reduce((sum, each) => sum + each, 0)
    return context.say('train.grid-progress', { done, trials: planned.size, epochs, total })
  }
  return told => {
    switch (told.event) {
      case 'grid':
        planned = new Map(told.trials.map(({ name, epochs: each }) => [name, each]))
        width = Math.min(60, Math.max(...told.trials.map(({ name }) => name.length)))
        if (!json) context.print(context.say('train.grid', { trials: planned.size, workers: told.workers }))
        return null
      case 'started':
        epochs += told.resumedAfter ?? 0
        return null
      case 'epoch':
        epochs += 1
        last.set(told.trial ?? '', told.report)
        if (json) context.printJson({ trial: told.trial, ...told.report })
        return status
      case 'end': {
        const { trial, end } = told
        done += 1
        if (isKnown(end)) epochs += planned.get(trial) ?? 0
        if (json) context.printJson({ trial, ...end })
        else context.print(`  ${pad(printable(trial, width), width)}  ${endText(context, end, last.get(trial))}`)
        return status
      }
      default:
        return null
    }
  }
}

/** Finished before, so that nothing was trained. */
function isKnown(end: TrialEnd): boolean {
  return end.status === 'finished' && !('lastEpoch' in end)
}

const SHOWN = ['val.score', VALIDATION, 'kl.ref.exact', 'kl.coef', 'actor/kl_coef'] as const

function endText(context: Context, end: TrialEnd, last: EpochAnswer | undefined): string {
  if (end.status === 'failed') return context.say('train.trial-failed', { reason: printable(end.reason, 600) })
  if (!('lastEpoch' in end)) return `${end.run}  ${context.say('status.finished', {})}`
  const { run, status, lastEpoch, volatile } = end
  if (status === 'killed') return `${run}  ${context.say('train.trial-stopped', { epoch: lastEpoch })}`
  const figures = SHOWN.flatMap(metric => {
    const value = last?.metrics[metric]
    return value === undefined ? [] : [`${metric} ${shortNumber(Number(value))}`]
  })
  const { seconds, resumedAfter } = volatile
  const resumed = resumedAfter === null ? [] : [context.say('train.trial-resumed', { epoch: resumedAfter })]
  return [run, ...figures, `${seconds.toFixed(1)} s`, ...resumed].join('  ')
}
