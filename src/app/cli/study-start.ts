import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { evaluatedBlocks, programBlocks, runBlocks, searchBlocks } from '../../core/present/study/run.js'
import { settledBlocks } from '../../core/present/study/settle.js'
import { Problem } from '../../logs/model/problem.js'
import { sentences } from '../../text/sentences.js'
import { type Context, verb } from './context.js'
import { interruptible } from './interrupt.js'
import { studyPrinter } from './print/study-progress.js'

/** The verbs of `klens study` that start something, and the yes of a person to programs that a file starts. */

const say = sentences({
  'study.argument.file': { en: 'the study file', zh: '研究文件' },
  'study.option.workers': { en: 'parallel trials (default: all cores)', zh: '同时训练的试验数（默认所有核心）' },
  'study.option.executor': {
    en: 'where trials run, instead of what the file says: local, ray, ray:ADDRESS or slurm',
    zh: '试验在哪里运行（代替文件中的设置）：local、ray、ray:地址 或 slurm',
  },
  'study.option.trust': {
    en: 'approve, once, the commands that klens study run --dry-run shows under this hash',
    zh: '确认 klens study run --dry-run 以此哈希显示的命令（一次即可）',
  },
  'study.trust.ask': { en: 'start these programs? [y/N]', zh: '启动这些程序吗？[y/N]' },
  'study.run.about': {
    en: 'train and evaluate what the study plans and the workspace lacks; run again, it continues',
    zh: '训练并评估研究中尚缺的试验；再次运行会从中断处继续',
  },
  'study.option.dry-run': { en: 'only print what would be trained', zh: '只说明将训练什么' },
  'study.eval.about': {
    en: 'evaluate what the study plans and has no scores of, the cheapest first; run again, it continues',
    zh: '评估研究中尚缺分数的部分，先易后难；再次运行会从中断处继续',
  },
  'study.eval.stopped': {
    en: 'stopped; the same command continues from here',
    zh: '已停止；再次运行同一命令即可从此处继续',
  },
  'study.settle.about': {
    en: 'run more seeds or prompts, a few at a time, until each arm is resolved: better, worse or equivalent',
    zh: '逐步追加种子或评测样本，直到各实验组与基线分出优劣或确认相当',
  },
  'study.search.about': {
    en: 'search over continuous hyperparameters: the settings tied with the best, and the one to use',
    zh: '在连续参数上搜索：给出与最优无法区分的设置，以及应采用的一个',
  },
})

export function studyFileVerb(name: string, description: string, context: Context): Command {
  return verb(name, description, context).argument('<file>', context.render(say('study.argument.file', {})))
}

/** One that goes to where trials run, by commands that the file may bring along. */
export function placedVerb(name: string, description: string, context: Context): Command {
  return studyFileVerb(name, description, context)
    .option('--executor <where>', context.render(say('study.option.executor', {})))
    .option('--trust <hash>', context.render(say('study.option.trust', {})))
}

/** One that starts trials there. */
function startingVerb(name: string, description: string, context: Context): Command {
  return placedVerb(name, description, context).option('--workers <n>', context.render(say('study.option.workers', {})))
}

interface StartOptions {
  readonly json?: boolean
  readonly workers?: string
  readonly executor?: string
  readonly trust?: string
  readonly dryRun?: boolean
}

export function runVerb(context: Context): Command {
  return startingVerb('run', context.render(say('study.run.about', {})), context)
    .option('--dry-run', context.render(say('study.option.dry-run', {})))
    .action(async (file: string, options: StartOptions) => {
      const { json = false, dryRun, workers, executor } = options
      const { studyRun } = await import('../ask/study-run.js')
      const printer = studyPrinter(context, json)
      const answer = await askWithTrust(context, file, options, trust =>
        interruptible(signal =>
          context.ask(studyRun, { file, dryRun, workers, executor, trust }, { signal, onProgress: printer.hear }),
        ).finally(printer.clear),
      )
      const { programs, trials } = answer
      if (json) context.printJson(answer)
      else {
        context.present([
          ...runBlocks(answer, context.speaker),
          ...(programs === null ? [] : programBlocks(programs, context.speaker, file)),
        ])
      }
      const hasFailed = dryRun
        ? programs?.arms.some(({ refused }) => refused.length > 0)
        : trials.some(({ state }) => state === 'failed')
      if (hasFailed) process.exitCode ??= 1
    })
}

export function evalVerb(context: Context): Command {
  return studyFileVerb('eval', context.render(say('study.eval.about', {})), context).action(
    async (file: string, { json = false }: StartOptions) => {
      const { studyEval } = await import('../ask/study-run.js')
      const { hear: onProgress } = studyPrinter(context, json)
      const answer = await interruptible(signal => context.ask(studyEval, { file }, { signal, onProgress }))
      if (json) context.printJson(answer)
      else context.present(evaluatedBlocks(answer, context.speaker))
      if (answer.stopped !== null) context.remark(context.render(say('study.eval.stopped', {})))
      if (answer.left > 0 && answer.stopped === null) process.exitCode ??= 1
    },
  )
}

export function settleVerb(context: Context): Command {
  return startingVerb('settle', context.render(say('study.settle.about', {})), context).action(
    async (file: string, options: StartOptions) => {
      const { json = false, workers, executor } = options
      const { studySettle } = await import('../ask/study-run.js')
      const printer = studyPrinter(context, json)
      const answer = await askWithTrust(context, file, options, trust =>
        interruptible(signal =>
          context.ask(studySettle, { file, workers, executor, trust }, { signal, onProgress: printer.hear }),
        ).finally(printer.clear),
      )
      if (json) context.printJson(answer)
      else context.present(settledBlocks(answer, context.speaker))
    },
  )
}

export function searchVerb(context: Context): Command {
  return startingVerb('search', context.render(say('study.search.about', {})), context).action(
    async (file: string, options: StartOptions) => {
      const { json = false, workers, executor } = options
      const { studySearch } = await import('../ask/study-run.js')
      const printer = studyPrinter(context, json)
      const answer = await askWithTrust(context, file, options, trust =>
        interruptible(signal =>
          context.ask(studySearch, { file, workers, executor, trust }, { signal, onProgress: printer.hear }),
        ).finally(printer.clear),
      )
      if (json) context.printJson(answer)
      else context.present(searchBlocks(answer, context.speaker))
    },
  )
}

/** Asks, and where nobody has said yes to the programs yet, shows them to whoever sits at a terminal and asks again. */
async function askWithTrust<Answer>(
  context: Context,
  file: string,
  { json = false, executor, trust }: StartOptions,
  ask: (trust: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  return ask(trust).catch(async error => {
    if (json || !(error instanceof Problem && error.code === 'not-trusted')) throw error
    const hash = await trustedByHand(context, file, executor)
    if (hash === null) throw error
    return ask(hash)
  })
}

/** The hash of what was shown, or null. */
async function trustedByHand(context: Context, file: string, executor: string | undefined): Promise<string | null> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return null
  const { studyRun } = await import('../ask/study-run.js')
  const { programs } = await context.ask(studyRun, { file, dryRun: true, executor })
  if (programs === null) return null
  context.present(programBlocks(programs, context.speaker, null))
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const said = await reader.question(`${context.render(say('study.trust.ask', {}))} `)
    return /^(?:y|yes|是)$/i.test(said.trim()) ? programs.hash : null
  } finally {
    reader.close()
  }
}
