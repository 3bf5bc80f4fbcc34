import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import type { SettleEvent } from '../ask/settling.js'
import type { StudyRunEvent } from '../ask/study-run.js'
import { Problem } from '../model/problem.js'
import { message } from '../text/say.js'
import { sentences } from '../text/sentences.js'
import { type Context, helpIn, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { printStudyRun } from './print/study.js'
import { printDrop } from './print/study-drop.js'
import { printStudyStatus } from './print/study-matrix.js'
import { printPrograms, trialPrinter } from './print/study-programs.js'
import { printLook, printOffers, printSettled } from './print/study-settle.js'
import { printStudyStop } from './print/study-stop.js'
import { printable } from './print/style.js'
import { adoptVerb } from './study-adopt.js'
import { dropVerb, keepVerb } from './study-drop.js'
import { acknowledgeVerb, evalVerb, printEvaluation } from './study-eval.js'
import { studyReportVerb } from './study-report.js'
import { searchVerb } from './study-search.js'

interface Options {
  readonly json?: boolean
  readonly dryRun?: boolean
  readonly workers?: string
  readonly executor?: string
  readonly trials?: boolean
  readonly trust?: string
  readonly fromRuns?: readonly string[]
}

const say = sentences({
  'study.about': {
    en: 'a question as a file: plan its trials, train them, see what is missing, buy seeds until it is settled',
    zh: '把问题写成文件：计划试验、训练、查看缺什么、购买种子直到有定论',
  },
  'study.init.about': { en: 'write a commented study file to begin with', zh: '写出一份带注释的研究文件作为起点' },
  'study.run.about': {
    en: 'train and evaluate what the study plans and the workspace does not have yet; run again, it goes on where it was',
    zh: '训练并评估研究中尚缺的试验；再次运行会从中断处继续',
  },
  'study.status.about': {
    en: 'which trials are done, running, pending, failed, missing or suspicious, and the cost so far',
    zh: '哪些试验已完成、运行中、待运行、失败、缺数或可疑，以及目前的开销',
  },
  'study.settle.about': {
    en: 'buy seeds or prompts, a few at a time, until it is settled which arms are better than the baseline, or the same',
    zh: '逐步购买种子或评测样本，直到各 arm 与基线分出优劣或确认相同',
  },
  'study.stop.about': {
    en: 'end the trials that were handed over to an executor and go on without klens',
    zh: '结束已交给执行器、无需 klens 仍在继续的试验',
  },
  'study.argument.new': { en: 'the file to write (study.yaml)', zh: '要写出的文件（study.yaml）' },
  'study.argument.file': { en: 'the study file', zh: '研究文件' },
  'study.option.dry-run': { en: 'only say what would be trained', zh: '只说明将训练什么' },
  'study.option.trials': {
    en: 'also every trial, with its run and checkpoint',
    zh: '同时列出每个试验及其 run 与检查点',
  },
  'study.option.workers': { en: 'trials at a time (all cores)', zh: '同时训练的试验数（默认所有核心）' },
  'study.option.executor': {
    en: 'where trials run, instead of what the file says: local, ray, ray:ADDRESS or slurm',
    zh: '试验在哪里运行（代替文件中的设置）：local、ray、ray:地址 或 slurm',
  },
  'study.option.from-runs': {
    en: 'out of these runs: what varies, what they share, which seeds there are',
    zh: '由这些 run 生成：什么在变、共有什么、有哪些种子',
  },
  'study.option.trust': {
    en: 'say yes, once, to the commands that --dry-run shows under this hash',
    zh: '确认 --dry-run 以此哈希显示的命令（一次即可）',
  },
  'study.trust.ask': { en: 'start these programs? [y/N]', zh: '启动这些程序吗？[y/N]' },
  'study.init.done': {
    en: '{file} is written; klens study run {file} trains it',
    zh: '已写出 {file}；用 klens study run {file} 训练',
  },
})

/** What a verb asks is read from disk when it is asked: status needs nothing of what trains. */
export function studyVerb(context: Context): Command {
  const group = new Command('study')
    .description(text(context, 'study.about'))
    .helpOption('-h, --help', context.say('cli.option.help', {}))
    .helpCommand(false)
    .configureHelp(helpIn(context))
    .allowExcessArguments()
    .action((_: unknown, command: Command) => {
      const [name] = command.args
      if (name === undefined) return command.outputHelp()
      throw new Problem('bad-request', message('cli.unknown-verb', { name: `study ${name}`, hint: '' }))
    })
  const verbs = [
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
  for (const one of verbs.map(make => make(context))) {
    group.addCommand(one.exitOverride().configureOutput({ writeErr: () => {} }))
  }
  return group
}

function text(context: Context, key: Parameters<typeof say>[0]): string {
  return context.render({ key, params: {} })
}

function initVerb(context: Context): Command {
  return verb('init', text(context, 'study.init.about'), context)
    .argument('[file]', text(context, 'study.argument.new'))
    .option('--from-runs <run...>', text(context, 'study.option.from-runs'))
    .action(async (file: string | undefined, { json, fromRuns }: Options) => {
      const { studyInit } = await import('../ask/study-init.js')
      const answer = await context.ask(studyInit, { file, fromRuns }, { importPaths: true })
      if (json) context.printJson(answer)
      else context.print(context.render(say('study.init.done', { file: printable(answer.file, 200) })))
    })
}

function runVerb(context: Context): Command {
  return verb('run', text(context, 'study.run.about'), context)
    .argument('<file>', text(context, 'study.argument.file'))
    .option('--dry-run', text(context, 'study.option.dry-run'))
    .option('--workers <n>', text(context, 'study.option.workers'))
    .option('--executor <where>', text(context, 'study.option.executor'))
    .option('--trust <hash>', text(context, 'study.option.trust'))
    .action(async (file: string, { json = false, dryRun, workers, executor, trust }: Options) => {
      const { studyRun } = await import('../ask/study-run.js')
      const printer = trialPrinter(context, json)
      const hear = (told: StudyRunEvent): void => {
        if (told.event !== 'evaluation' && told.event !== 'drop') {
          printer.hear(told)
          return
        }
        printer.clear()
        if (told.event === 'evaluation') printEvaluation(context, told, json)
        else if (json) context.printJson(told)
        else printDrop(context, told.drop)
      }
      const run = (said: string | undefined) =>
        interruptible(signal =>
          context.ask(studyRun, { file, dryRun, workers, executor, trust: said }, { signal, onProgress: hear }),
        ).finally(printer.clear)
      const answer = await run(trust).catch(async error => {
        if (json || !(error instanceof Problem && error.code === 'not-trusted')) throw error
        const hash = await askedToTrust(context, file, executor)
        if (hash === null) throw error
        return run(hash)
      })
      if (json) context.printJson(answer)
      else {
        printStudyRun(context, answer)
        if (answer.programs !== null) printPrograms(context, answer.programs, file)
      }
      const hasFailed = dryRun
        ? answer.programs?.arms.some(({ refused }) => refused.length > 0)
        : answer.trials.some(({ state }) => state === 'failed')
      if (hasFailed) process.exitCode ??= 1
    })
}

/** Shows the commands to whoever sits at a terminal and asks; the hash of what was shown, or null. */
async function askedToTrust(context: Context, file: string, executor: string | undefined): Promise<string | null> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return null
  const { studyRun } = await import('../ask/study-run.js')
  const { programs } = await context.ask(studyRun, { file, dryRun: true, executor })
  if (programs === null) return null
  printPrograms(context, programs, null)
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const said = await reader.question(`${text(context, 'study.trust.ask')} `)
    return /^(?:y|yes|是)$/i.test(said.trim()) ? programs.hash : null
  } finally {
    reader.close()
  }
}

function statusVerb(context: Context): Command {
  return verb('status', text(context, 'study.status.about'), context)
    .argument('<file>', text(context, 'study.argument.file'))
    .option('--trials', text(context, 'study.option.trials'))
    .action(async (file: string, { json, trials = false }: Options) => {
      const { studyStatus } = await import('../ask/study-status.js')
      const answer = await context.ask(studyStatus, { file })
      if (json) context.printJson(answer)
      else printStudyStatus(context, answer, { trials })
    })
}

function stopVerb(context: Context): Command {
  return verb('stop', text(context, 'study.stop.about'), context)
    .argument('<file>', text(context, 'study.argument.file'))
    .option('--executor <where>', text(context, 'study.option.executor'))
    .action(async (file: string, { json, executor }: Options) => {
      const { studyStop } = await import('../ask/study-stop.js')
      const answer = await context.ask(studyStop, { file, executor })
      if (json) context.printJson(answer)
      else printStudyStop(context, answer)
    })
}

function settleVerb(context: Context): Command {
  return verb('settle', text(context, 'study.settle.about'), context)
    .argument('<file>', text(context, 'study.argument.file'))
    .option('--workers <n>', text(context, 'study.option.workers'))
    .option('--executor <where>', text(context, 'study.option.executor'))
    .action(async (file: string, { json = false, workers, executor }: Options) => {
      const { studySettle } = await import('../ask/study-settle.js')
      const printer = trialPrinter(context, json)
      const hear = (told: SettleEvent): void => {
        if (told.event !== 'look' && told.event !== 'offers') {
          printer.hear(told)
          return
        }
        printer.clear()
        if (json) context.printJson(told)
        else if (told.event === 'look') printLook(context, told.look)
        else printOffers(context, told)
      }
      const answer = await interruptible(signal =>
        context.ask(studySettle, { file, workers, executor }, { signal, onProgress: hear }),
      ).finally(printer.clear)
      if (json) context.printJson(answer)
      else printSettled(context, answer)
    })
}
