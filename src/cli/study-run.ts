import type { Command } from 'commander'
import { sentences } from '../text/sentences.js'
import type { Context } from './context.js'
import { interruptible } from './interrupt.js'
import { printStudyRun } from './print/study.js'
import { printPrograms, studyPrinter } from './print/study-programs.js'
import { askWithTrust, type StartOptions, startingVerb } from './study-verb.js'

/** `klens study run FILE`. */

const say = sentences({
  'study.run.about': {
    en: 'train and evaluate what the study plans and the workspace does not have yet; run again, it goes on where it was',
    zh: '训练并评估研究中尚缺的试验；再次运行会从中断处继续',
  },
  'study.option.dry-run': { en: 'only say what would be trained', zh: '只说明将训练什么' },
})

interface Options extends StartOptions {
  readonly dryRun?: boolean
}

export function runVerb(context: Context): Command {
  return startingVerb('run', context.render(say('study.run.about', {})), context)
    .option('--dry-run', context.render(say('study.option.dry-run', {})))
    .action(async (file: string, options: Options) => {
      const { json = false, dryRun, workers, executor } = options
      const { studyRun } = await import('../ask/study-run.js')
      const printer = studyPrinter(context, json)
      const answer = await askWithTrust(context, file, options, trust =>
        interruptible(signal =>
          context.ask(studyRun, { file, dryRun, workers, executor, trust }, { signal, onProgress: printer.hear }),
        ).finally(printer.clear),
      )
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
