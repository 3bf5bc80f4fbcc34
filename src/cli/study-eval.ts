import type { Command } from 'commander'
import { sentences } from '../text/sentences.js'
import type { Context } from './context.js'
import { interruptible } from './interrupt.js'
import { printEvaluated } from './print/study.js'
import { studyPrinter } from './print/study-programs.js'
import { printable } from './print/style.js'
import { studyFileVerb } from './study-verb.js'

/** `study eval` and `study acknowledge`. */

const say = sentences({
  'study.eval.about': {
    en: 'evaluate what the study plans and has no scores of, the cheapest first; run again, it goes on where it was',
    zh: '评估研究中尚缺分数的部分，先易后难；再次运行会从中断处继续',
  },
  'study.eval.stopped': {
    en: 'stopped; the same command goes on where this one was',
    zh: '已停止；再次运行同一命令即可从此处继续',
  },
  'study.acknowledge.about': {
    en: "vouch for a suspicious trial: it stands in no comparison's way any more, and the reason is shown ever after",
    zh: '为可疑的试验担保：此后不再妨碍比较，理由会一直显示',
  },
  'study.acknowledge.trial': { en: 'its name, or the start of its id', zh: '试验名，或其 id 的开头' },
  'study.acknowledge.option': { en: 'why its figures may be compared all the same', zh: '为何仍可比较' },
  'study.acknowledge.done': {
    en: '{trial} is vouched for because {because}: {suspicions}',
    zh: '已为 {trial} 担保，理由：{because}：{suspicions}',
  },
})

export function evalVerb(context: Context): Command {
  return studyFileVerb('eval', context.render(say('study.eval.about', {})), context).action(
    async (file: string, { json = false }: { readonly json?: boolean }) => {
      const { studyEval } = await import('../ask/study-run.js')
      const onProgress = studyPrinter(context, json).hear
      const answer = await interruptible(signal => context.ask(studyEval, { file }, { signal, onProgress }))
      if (json) context.printJson(answer)
      else printEvaluated(context, answer)
      if (answer.stopped !== null) context.remark(context.render(say('study.eval.stopped', {})))
      if (answer.left > 0 && answer.stopped === null) process.exitCode ??= 1
    },
  )
}

export function acknowledgeVerb(context: Context): Command {
  return studyFileVerb('acknowledge', context.render(say('study.acknowledge.about', {})), context)
    .argument('<trial>', context.render(say('study.acknowledge.trial', {})))
    .option('--because <text>', context.render(say('study.acknowledge.option', {})))
    .action(
      async (
        file: string,
        trial: string,
        { json, because }: { readonly json?: boolean; readonly because?: string },
      ) => {
        const { studyAcknowledge } = await import('../ask/study-marks.js')
        const answer = await context.ask(studyAcknowledge, { file, trial, because })
        if (json) {
          context.printJson(answer)
          return
        }
        const said = { trial: printable(answer.trial, 60), because: printable(answer.because, 300) }
        const suspicions = answer.suspicions.map(each => printable(each, 300)).join('; ')
        context.print(context.render(say('study.acknowledge.done', { ...said, suspicions })))
      },
    )
}
