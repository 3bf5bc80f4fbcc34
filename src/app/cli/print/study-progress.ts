import { droppedText } from '../../../core/present/study/run.js'
import { lookText, offersText } from '../../../core/present/study/settle.js'
import { figure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import type { EvaluationEvent, StudyEvent } from '../../ask/study-run.js'
import type { TrainEvent } from '../../ask/training-answers.js'
import type { Context } from '../context.js'
import { statusLine } from './status-line.js'
import { count, printable } from './style.js'
import { trainingPrinter } from './training.js'

/** A study on a terminal while it goes on: of programs a line as each begins and ends, and how far they are in between. */

const say = sentences({
  'study.program.begun': { en: '{trial} started', zh: '{trial} 已开始' },
  'study.program.queued': { en: '{trial} submitted to {queue}', zh: '{trial} 已提交到 {queue}' },
  'study.program.again': {
    en: '{trial} started again (attempt {attempt})',
    zh: '{trial} 重新开始（第 {attempt} 次）',
  },
  'study.program.resumed': {
    en: '{trial} continues from its newest checkpoint (attempt {attempt})',
    zh: '{trial} 从最新检查点继续（第 {attempt} 次）',
  },
  'study.program.found': { en: '{trial} was still running', zh: '{trial} 仍在运行' },
  'study.program.done': { en: '{trial} is done: run {run}', zh: '{trial} 已完成：run {run}' },
  'study.program.stopped': { en: '{trial} was stopped', zh: '{trial} 已停止' },
  'study.program.failed': { en: '{trial} failed: {reasons}', zh: '{trial} 失败：{reasons}' },
  'study.program.step': { en: '{trial}: step {step}', zh: '{trial}：step {step}' },
  'study.eval.line': {
    en: '{done}/{total}  {trial}@{step}  {evaluation}{shots}  {value}',
    zh: '{done}/{total}  {trial}@{step}  {evaluation}{shots}  {value}',
  },
  'study.eval.value': { en: '{value} on {n}', zh: '{value}（{n} 个样本）' },
  'study.eval.missing': {
    en: 'no score: {missing} of {all} sample{all||s} are missing',
    zh: '无分数：{all} 个样本中缺 {missing} 个',
  },
  'study.eval.failed': { en: 'no score', zh: '无分数' },
})

export interface StudyPrinter {
  hear(event: StudyEvent): void
  clear(): void
}

export function studyPrinter(context: Context, json: boolean): StudyPrinter {
  const training = trainingPrinter(context, json)
  const line = statusLine(json)
  const steps = new Map<string, number>()
  const clear = (): void => {
    training.clear()
    line.clear()
  }
  const stepsText = (): string =>
    [...steps]
      .map(([trial, step]) => context.render(say('study.program.step', { trial: printable(trial, 40), step })))
      .join('  ')
  return {
    hear(event) {
      if (isOfTraining(event)) training.hear(event)
      else if (!json && event.event === 'program' && event.what === 'step') {
        steps.set(event.trial, event.step)
        line.paint(stepsText)
      } else {
        clear()
        if (json) context.printJson(event)
        else {
          if (event.event === 'program' && event.what === 'ended') steps.delete(event.trial)
          const text = eventText(context, event)
          if (text !== null) context.print(text)
        }
      }
    },
    clear,
  }
}

type OtherEvent = Exclude<StudyEvent, TrainEvent>

function isOfTraining(event: StudyEvent): event is TrainEvent {
  return ['grid', 'started', 'progress', 'start-progress', 'epoch', 'end'].includes(event.event)
}

function eventText(context: Context, event: OtherEvent): string | null {
  const { speaker } = context
  switch (event.event) {
    case 'program':
      return programText(context, event)
    case 'evaluation':
      return evaluationText(context, event)
    case 'drop':
      return printable(droppedText(event.drop, speaker), 600)
    case 'look':
      return printable(lookText(event.look, speaker), 600)
    case 'offers': {
      const text = offersText(event, speaker)
      return text === null ? null : `  ${printable(text, 600)}`
    }
  }
}

function programText(context: Context, event: Extract<StudyEvent, { event: 'program' }>): string | null {
  const trial = printable(event.trial, 60)
  switch (event.what) {
    case 'begun': {
      const { attempt, isResumed, queue } = event
      if (queue !== null && attempt === 1 && !isResumed)
        return context.render(say('study.program.queued', { trial, queue }))
      if (isResumed) return context.render(say('study.program.resumed', { trial, attempt }))
      return context.render(
        attempt === 1 ? say('study.program.begun', { trial }) : say('study.program.again', { trial, attempt }),
      )
    }
    case 'found':
      return context.render(say('study.program.found', { trial }))
    case 'step':
      return null
    case 'ended': {
      if (event.state === 'failed') {
        const reasons = printable(event.problems.join('; '), 2000)
        return context.paint('red', context.render(say('study.program.failed', { trial, reasons })))
      }
      return context.render(
        event.state === 'done'
          ? say('study.program.done', { trial, run: event.run ?? '–' })
          : say('study.program.stopped', { trial }),
      )
    }
  }
}

function evaluationText(context: Context, event: EvaluationEvent): string {
  const { trial, evaluation, step, shots, done, total, value, n, missing } = event
  const said =
    missing > 0
      ? say('study.eval.missing', { missing: count(missing), all: count(n + missing) })
      : value === null
        ? say('study.eval.failed', {})
        : say('study.eval.value', { value: figure(value, 4), n: count(n) })
  const where = { trial: printable(trial, 60), evaluation: printable(evaluation, 40), step }
  const at = shots === null ? '' : `/shots=${shots}`
  return context.render(say('study.eval.line', { done, total, ...where, shots: at, value: said }))
}
