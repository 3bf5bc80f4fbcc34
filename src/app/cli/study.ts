import type { Command } from 'commander'
import type { Block } from '../../core/present/blocks.js'
import { adoptBlocks, dropBlocks, stopBlocks } from '../../core/present/study/run.js'
import { statusBlocks } from '../../core/present/study/status.js'
import { sentences } from '../../text/sentences.js'
import { shortHash } from '../../text/short-hash.js'
import { type Context, verb, verbGroup } from './context.js'
import { printable, terminalWidth } from './print/style.js'
import { evalVerb, placedVerb, runVerb, searchVerb, settleVerb, studyFileVerb } from './study-start.js'

const say = sentences({
  'study.init.about': { en: 'write a commented study file to start from', zh: '写出一份带注释的研究文件作为起点' },
  'study.argument.new': { en: 'the file to write (study.yaml)', zh: '要写出的文件（study.yaml）' },
  'study.option.from-runs': {
    en: 'from these runs: what varies, what they share, and their seeds',
    zh: '由这些 run 生成：什么在变、共有什么、有哪些种子',
  },
  'study.init.done': {
    en: '{file} is written; klens study run {file} trains it',
    zh: '已写出 {file}；用 klens study run {file} 训练',
  },
  'study.status.about': {
    en: 'which trials are done, running, pending, failed, missing or suspicious, and the cost so far',
    zh: '哪些试验已完成、运行中、待运行、失败、缺数或可疑，以及目前的开销',
  },
  'study.option.trials': {
    en: 'also every trial, with its run and checkpoint',
    zh: '同时列出每个试验及其 run 与检查点',
  },
  'study.acknowledge.about': {
    en: 'accept a suspicious trial: it no longer blocks comparisons, and the reason stays visible',
    zh: '为可疑的试验担保：此后不再妨碍比较，理由会一直显示',
  },
  'study.acknowledge.trial': { en: 'its name, or the start of its id', zh: '试验名，或其 id 的开头' },
  'study.acknowledge.option': { en: 'why its figures may still be compared', zh: '为何仍可比较' },
  'study.acknowledge.done': {
    en: '{trial} is accepted because {because}: {suspicions}',
    zh: '已为 {trial} 担保，理由：{because}：{suspicions}',
  },
  'study.adopt.about': {
    en: 'add runs made outside of the study to its cells; config differences are listed',
    zh: '将研究之外得到的 run 放入其单元格；配置的不同之处会逐一列出',
  },
  'study.adopt.runs': {
    en: 'RUN=ARM/SEED: a run (id, name or path to its logs) and its cell; none=ARM/SEED undoes it',
    zh: 'RUN=ARM/SEED：run（id、名字或日志路径）及其所填的单元格；none=ARM/SEED 为撤回',
  },
  'study.adopt.checkpoint': {
    en: "the weights behind the run's figures",
    zh: '该 run 的数值所对应的权重',
  },
  'study.drop.about': {
    en: 'drop an arm; without one, list dropped arms and what the rule would drop now',
    zh: '放弃一个实验组；不指定则列出已放弃的以及规则现在会放弃的',
  },
  'study.keep.about': {
    en: 'undo a drop, and keep the arm from then on',
    zh: '撤回放弃，并且无论规则如何都保留该实验组',
  },
  'study.drop.arm': { en: 'an arm of the study', zh: '研究中的一个实验组' },
  'study.report.about': {
    en: 'write the study as a document: question, design, answer, matrix, cost, lineage, and the recommended config',
    zh: '把研究写成文档：问题、设计、答案、矩阵、开销、来源，以及应采用的配置',
  },
  'study.report.take': {
    en: 'recommended setting: {arm} ({hash}): klens {verb} {file}',
    zh: '应采用的配置是 {arm}（{hash}）：klens {verb} {file}',
  },
  'study.stop.about': {
    en: 'end trials that were submitted to an executor and continue without klens',
    zh: '结束已交给执行器、无需 klens 仍在继续的试验',
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
  reportVerb,
  searchVerb,
  stopVerb,
]

/** What a verb asks is read from disk when it is asked: status needs nothing of what trains. */
export function studyVerb(context: Context): Command {
  const verbs = VERBS.map(make => make(context))
  return verbGroup('study', context.say('study.about', {}), context, verbs)
    .addCommand(besideVerb(context), { hidden: true })
    .addCommand(keepServiceVerb(context), { hidden: true })
}

interface Options {
  readonly json?: boolean
  readonly trials?: boolean
  readonly fromRuns?: readonly string[]
  readonly because?: string
  readonly checkpoint?: string
  readonly executor?: string
  readonly trust?: string
}

/** As JSON, or as blocks. */
function show<Answer>(
  { present, printJson }: Context,
  { json = false }: Options,
  answer: Answer,
  blocks: (answer: Answer) => readonly Block[],
): void {
  if (json) printJson(answer)
  else present(blocks(answer))
}

function initVerb(context: Context): Command {
  return verb('init', context.render(say('study.init.about', {})), context)
    .argument('[file]', context.render(say('study.argument.new', {})))
    .option('--from-runs <run...>', context.render(say('study.option.from-runs', {})))
    .action(async (file: string | undefined, { json, fromRuns }: Options) => {
      const { studyInit } = await import('../ask/study-marks.js')
      const answer = await context.ask(studyInit, { file, fromRuns }, { importPaths: true })
      if (json) context.printJson(answer)
      else context.print(context.render(say('study.init.done', { file: printable(answer.file, 200) })))
    })
}

function statusVerb(context: Context): Command {
  return studyFileVerb('status', context.render(say('study.status.about', {})), context)
    .option('--trials', context.render(say('study.option.trials', {})))
    .action(async (file: string, options: Options) => {
      const { studyStatus } = await import('../ask/study-status.js')
      const layout = { trials: options.trials === true, width: terminalWidth() }
      const answer = await context.ask(studyStatus, { file })
      show(context, options, answer, each => statusBlocks(each, context.speaker, layout))
    })
}

function acknowledgeVerb(context: Context): Command {
  return studyFileVerb('acknowledge', context.render(say('study.acknowledge.about', {})), context)
    .argument('<trial>', context.render(say('study.acknowledge.trial', {})))
    .option('--because <text>', context.render(say('study.acknowledge.option', {})))
    .action(async (file: string, named: string, { json, because: reason }: Options) => {
      const { studyAcknowledge } = await import('../ask/study-marks.js')
      const answer = await context.ask(studyAcknowledge, { file, trial: named, because: reason })
      if (json) return context.printJson(answer)
      const { trial, because, suspicions } = answer
      const said = say('study.acknowledge.done', { trial, because, suspicions: suspicions.join('; ') })
      context.print(printable(context.render(said), 1000))
    })
}

function adoptVerb(context: Context): Command {
  return studyFileVerb('adopt', context.render(say('study.adopt.about', {})), context)
    .argument('<runs...>', context.render(say('study.adopt.runs', {})))
    .option('--checkpoint <path>', context.render(say('study.adopt.checkpoint', {})))
    .action(async (file: string, runs: readonly string[], options: Options) => {
      const { studyAdopt } = await import('../ask/study-marks.js')
      const { checkpoint } = options
      const answer = await context.ask(studyAdopt, { file, runs, checkpoint }, { importPaths: true })
      show(context, options, answer, each => adoptBlocks(each, context.speaker))
    })
}

function dropVerb(context: Context): Command {
  return studyFileVerb('drop', context.render(say('study.drop.about', {})), context)
    .argument('[arm]', context.render(say('study.drop.arm', {})))
    .action(async (file: string, arm: string | undefined, options: Options) => {
      const { studyDrop } = await import('../ask/study-marks.js')
      const answer = await context.ask(studyDrop, { file, arm })
      show(context, options, answer, each => dropBlocks(each, context.speaker))
    })
}

function keepVerb(context: Context): Command {
  return studyFileVerb('keep', context.render(say('study.keep.about', {})), context)
    .argument('<arm>', context.render(say('study.drop.arm', {})))
    .action(async (file: string, arm: string, options: Options) => {
      const { studyKeep } = await import('../ask/study-marks.js')
      const answer = await context.ask(studyKeep, { file, arm })
      show(context, options, answer, each => dropBlocks(each, context.speaker))
    })
}

function reportVerb(context: Context): Command {
  return studyFileVerb('report', context.render(say('study.report.about', {})), context)
    .option('-o, --output <file>', context.say('report.option.output', {}), 'study-report.md')
    .option('--title <title>', context.say('report.option.title', {}))
    .option('--date <date>', context.say('report.option.date', {}))
    .action(async (file: string, { json, ...options }: Options) => {
      const { studyReport } = await import('../ask/study-report.js')
      const answer = await context.ask(studyReport, { ...options, file })
      if (json) return context.printJson(answer)
      for (const path of answer.files) context.print(context.say('report.written', { path: printable(path, 300) }))
      const { arm, hash, verb: launcher, file: launch } = answer.take
      const said = { arm: printable(arm), hash: shortHash(hash), verb: launcher, file: printable(launch, 300) }
      context.print(context.render(say('study.report.take', said)))
    })
}

/** What a queue starts where a study has services: those, then the program. */
function besideVerb(context: Context): Command {
  return verb('beside', '', context)
    .argument('<file>')
    .action(async (file: string) => {
      const { besideHere } = await import('../ask/study-services.js')
      process.exitCode = await besideHere(file)
    })
}

/** The process that keeps a service for those who need it. */
function keepServiceVerb(context: Context): Command {
  return verb('keep-service', '', context)
    .argument('<folder>')
    .action(async (folder: string) => {
      const { keepServiceHere } = await import('../ask/study-services.js')
      await keepServiceHere(folder)
    })
}

function stopVerb(context: Context): Command {
  return placedVerb('stop', context.render(say('study.stop.about', {})), context).action(
    async (file: string, options: Options) => {
      const { studyStop } = await import('../ask/study-run.js')
      const { executor, trust } = options
      const answer = await context.ask(studyStop, { file, executor, trust })
      show(context, options, answer, each => stopBlocks(each, context.speaker))
    },
  )
}
