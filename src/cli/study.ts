import type { Command } from 'commander'
import { sentences } from '../text/sentences.js'
import { type Context, verb, verbGroup } from './context.js'
import { printStudyStatus } from './print/study-matrix.js'
import { printStudyStop } from './print/study-stop.js'
import { printable } from './print/style.js'
import { adoptVerb } from './study-adopt.js'
import { dropVerb, keepVerb } from './study-drop.js'
import { acknowledgeVerb, evalVerb } from './study-eval.js'
import { studyReportVerb } from './study-report.js'
import { runVerb } from './study-run.js'
import { searchVerb } from './study-search.js'
import { settleVerb } from './study-settle.js'
import { placedVerb, studyFileVerb } from './study-verb.js'

const say = sentences({
  'study.init.about': { en: 'write a commented study file to begin with', zh: '写出一份带注释的研究文件作为起点' },
  'study.status.about': {
    en: 'which trials are done, running, pending, failed, missing or suspicious, and the cost so far',
    zh: '哪些试验已完成、运行中、待运行、失败、缺数或可疑，以及目前的开销',
  },
  'study.stop.about': {
    en: 'end the trials that were handed over to an executor and go on without klens',
    zh: '结束已交给执行器、无需 klens 仍在继续的试验',
  },
  'study.argument.new': { en: 'the file to write (study.yaml)', zh: '要写出的文件（study.yaml）' },
  'study.option.trials': {
    en: 'also every trial, with its run and checkpoint',
    zh: '同时列出每个试验及其 run 与检查点',
  },
  'study.option.from-runs': {
    en: 'out of these runs: what varies, what they share, which seeds there are',
    zh: '由这些 run 生成：什么在变、共有什么、有哪些种子',
  },
  'study.init.done': {
    en: '{file} is written; klens study run {file} trains it',
    zh: '已写出 {file}；用 klens study run {file} 训练',
  },
})

const VERBS = [
  initVerb,
  runVerb,
  statusVerb,
  evalVerb,
  acknowledgeVerb,
  adoptVerb,
  settleVerb,
  dropVerb,
  keepVerb,
  studyReportVerb,
  searchVerb,
  stopVerb,
]

/** What a verb asks is read from disk when it is asked: status needs nothing of what trains. */
export function studyVerb(context: Context): Command {
  const verbs = VERBS.map(make => make(context))
  return verbGroup('study', context.say('study.about', {}), context, verbs)
}

interface InitOptions {
  readonly json?: boolean
  readonly fromRuns?: readonly string[]
}

function initVerb(context: Context): Command {
  return verb('init', context.render(say('study.init.about', {})), context)
    .argument('[file]', context.render(say('study.argument.new', {})))
    .option('--from-runs <run...>', context.render(say('study.option.from-runs', {})))
    .action(async (file: string | undefined, { json, fromRuns }: InitOptions) => {
      const { studyInit } = await import('../ask/study-init.js')
      const answer = await context.ask(studyInit, { file, fromRuns }, { importPaths: true })
      if (json) context.printJson(answer)
      else context.print(context.render(say('study.init.done', { file: printable(answer.file, 200) })))
    })
}

interface StatusOptions {
  readonly json?: boolean
  readonly trials?: boolean
}

function statusVerb(context: Context): Command {
  return studyFileVerb('status', context.render(say('study.status.about', {})), context)
    .option('--trials', context.render(say('study.option.trials', {})))
    .action(async (file: string, { json, trials = false }: StatusOptions) => {
      const { studyStatus } = await import('../ask/study-status.js')
      const answer = await context.ask(studyStatus, { file })
      if (json) context.printJson(answer)
      else printStudyStatus(context, answer, { trials })
    })
}

interface StopOptions {
  readonly json?: boolean
  readonly executor?: string
  readonly trust?: string
}

function stopVerb(context: Context): Command {
  return placedVerb('stop', context.render(say('study.stop.about', {})), context).action(
    async (file: string, { json, executor, trust }: StopOptions) => {
      const { studyStop } = await import('../ask/study-stop.js')
      const answer = await context.ask(studyStop, { file, executor, trust })
      if (json) context.printJson(answer)
      else printStudyStop(context, answer)
    },
  )
}
