import type { Command } from 'commander'
import { sentences } from '../text/sentences.js'
import type { Context } from './context.js'
import { interruptible } from './interrupt.js'
import { studyPrinter } from './print/study-programs.js'
import { printSettled } from './print/study-settle.js'
import { askWithTrust, type StartOptions, startingVerb } from './study-verb.js'

/** `klens study settle FILE`. */

const say = sentences({
  'study.settle.about': {
    en: 'buy seeds or prompts, a few at a time, until it is settled which arms are better than the baseline, or the same',
    zh: '逐步购买种子或评测样本，直到各 arm 与基线分出优劣或确认相同',
  },
})

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
      else printSettled(context, answer)
    },
  )
}
