import type { StudyEvent } from '../../ask/study-run.js'
import type { TrainEvent } from '../../ask/training-answers.js'
import type { ProgramsAnswer } from '../../model/study/answers.js'
import { sentences } from '../../text/sentences.js'
import { shortHash } from '../../text/short-hash.js'
import type { Context } from '../context.js'
import { statusLine } from './status-line.js'
import { printEvaluation } from './study.js'
import { printDrop } from './study-drop.js'
import { printLook, printOffers } from './study-settle.js'
import { printable } from './style.js'
import { trainingPrinter } from './training.js'

/** Trials on a terminal, whoever trains them: of programs a line as each begins and ends, and how far they are in between. */

const say = sentences({
  'study.program.begun': { en: '{trial} has begun', zh: '{trial} 已开始' },
  'study.program.again': {
    en: '{trial} has begun again (attempt {attempt})',
    zh: '{trial} 重新开始（第 {attempt} 次）',
  },
  'study.program.resumed': {
    en: '{trial} goes on at its newest checkpoint (attempt {attempt})',
    zh: '{trial} 从最新检查点继续（第 {attempt} 次）',
  },
  'study.program.found': { en: '{trial} was still running', zh: '{trial} 仍在运行' },
  'study.program.done': { en: '{trial} is done: run {run}', zh: '{trial} 已完成：run {run}' },
  'study.program.stopped': { en: '{trial} was stopped', zh: '{trial} 已停止' },
  'study.program.failed': { en: '{trial} failed: {reasons}', zh: '{trial} 失败：{reasons}' },
  'study.program.step': { en: '{trial}: step {step}', zh: '{trial}：step {step}' },
  'study.program.commands': { en: 'programs that would be started:', zh: '将启动的程序：' },
  'study.program.executor': { en: 'for the executor, by this file:', zh: '此文件为执行器指定的内容：' },
  'study.program.arm': { en: '{arm} (seed {seed})', zh: '{arm}（种子 {seed}）' },
  'study.program.common': { en: 'all arms:', zh: '所有 arm：' },
  'study.program.folder': { en: '  in {folder}', zh: '  于 {folder}' },
  'study.program.clean': { en: '  preflight finds nothing', zh: '  启动前检查没有发现问题' },
  'study.program.unknown': {
    en: '  preflight does not know this program; only what varies was looked at',
    zh: '  启动前检查不认识此程序；只检查了变化的设置',
  },
  'study.program.refused': { en: '  refused: {reason}', zh: '  拒绝：{reason}' },
  'study.program.trust': {
    en: 'to say yes to these commands, once: klens study run {file} --trust {hash}',
    zh: '确认这些命令（一次即可）：klens study run {file} --trust {hash}',
  },
  'study.program.trusted': { en: 'somebody here has said yes to these commands', zh: '这些命令已在此确认过' },
})

export interface StudyPrinter {
  hear(event: StudyEvent): void
  clear(): void
}

/** All that is told while a study goes on, as it comes. */
export function studyPrinter(context: Context, json: boolean): StudyPrinter {
  const training = trainingPrinter(context, json)
  const line = statusLine(json)
  const steps = new Map<string, number>()
  const clear = (): void => {
    training.clear()
    line.clear()
  }
  const show = (event: StudyEvent): void => {
    switch (event.event) {
      case 'program':
        if (event.what === 'ended') steps.delete(event.trial)
        if (event.what !== 'step') context.print(programText(context, event))
        break
      case 'evaluation':
        printEvaluation(context, event)
        break
      case 'drop':
        printDrop(context, event.drop)
        break
      case 'look':
        printLook(context, event.look)
        break
      case 'offers':
        printOffers(context, event)
    }
  }
  return {
    hear(event) {
      if (isOfTraining(event)) training.hear(event)
      else if (!json && event.event === 'program' && event.what === 'step') {
        steps.set(event.trial, event.step)
        line.paint(() =>
          [...steps]
            .map(([trial, step]) => context.render(say('study.program.step', { trial: printable(trial, 40), step })))
            .join('  '),
        )
      } else {
        clear()
        if (json) context.printJson(event)
        else show(event)
      }
    },
    clear,
  }
}

function isOfTraining(event: StudyEvent): event is TrainEvent {
  return ['grid', 'started', 'progress', 'start-progress', 'epoch', 'end'].includes(event.event)
}

function programText(
  context: Context,
  told: Exclude<Extract<StudyEvent, { event: 'program' }>, { what: 'step' }>,
): string {
  const trial = printable(told.trial, 60)
  switch (told.what) {
    case 'begun': {
      const { attempt } = told
      if (told.isResumed) return context.render(say('study.program.resumed', { trial, attempt }))
      return context.render(
        attempt === 1 ? say('study.program.begun', { trial }) : say('study.program.again', { trial, attempt }),
      )
    }
    case 'found':
      return context.render(say('study.program.found', { trial }))
    case 'ended': {
      if (told.state === 'failed') {
        const reasons = printable(told.problems.join('; '), 2000)
        return context.paint('red', context.render(say('study.program.failed', { trial, reasons })))
      }
      return context.render(
        told.state === 'done'
          ? say('study.program.done', { trial, run: told.run ?? '–' })
          : say('study.program.stopped', { trial }),
      )
    }
  }
}

/** `file`: the study's, for the advice; null: it is asked for right here. */
export function printPrograms(
  context: Context,
  { hash, trusted, executor, arms }: ProgramsAnswer,
  file: string | null,
): void {
  if (executor.length > 0) context.print(context.render(say('study.program.executor', {})))
  for (const line of executor) context.print(`  ${printable(line, Number.POSITIVE_INFINITY)}`)
  if (arms.length > 0) context.print(context.render(say('study.program.commands', {})))
  const lineOf = ({ rule, severity, message }: ProgramsAnswer['arms'][number]['findings'][number]): string =>
    `  ${severity} ${rule}: ${printable(message, 600)}`
  const [first = [], ...others] = arms.map(({ findings }) => findings.map(lineOf))
  const common = others.length === 0 ? [] : first.filter(line => others.every(lines => lines.includes(line)))
  for (const { arm, seed, command, folder, examined, findings, refused } of arms) {
    const title = context.render(say('study.program.arm', { arm: printable(arm, 60), seed }))
    context.print(`${context.paint('bold', title)}: ${printable(command, Number.POSITIVE_INFINITY)}`)
    context.print(context.paint('dim', context.render(say('study.program.folder', { folder: printable(folder, 400) }))))
    if (!examined) context.print(context.render(say('study.program.unknown', {})))
    else if (findings.length === 0) context.print(context.render(say('study.program.clean', {})))
    for (const line of findings.map(lineOf)) if (!common.includes(line)) context.print(line)
    for (const reason of refused) {
      context.print(
        context.paint('red', context.render(say('study.program.refused', { reason: printable(reason, 600) }))),
      )
    }
  }
  if (common.length > 0) context.print(context.render(say('study.program.common', {})))
  for (const line of common) context.print(line)
  if (trusted) context.print(context.render(say('study.program.trusted', {})))
  else if (file !== null) {
    context.print(context.render(say('study.program.trust', { file: printable(file, 200), hash: shortHash(hash) })))
  }
}
