import type { Command } from 'commander'
import type { StudyAdoptAnswer } from '../ask/study-adopt.js'
import { sentences } from '../text/sentences.js'
import type { Context } from './context.js'
import { printable } from './print/style.js'
import { studyFileVerb } from './study-verb.js'

/** `study adopt`. */

const say = sentences({
  'study.adopt.about': {
    en: 'put runs that were made outside of the study into its cells; in what their configs differ is named',
    zh: '将研究之外得到的 run 放入其单元格；配置的不同之处会逐一列出',
  },
  'study.adopt.runs': {
    en: 'RUN=ARM/SEED: a run (id, name or path to its logs) and the cell that it fills; none=ARM/SEED takes one back',
    zh: 'RUN=ARM/SEED：run（id、名字或日志路径）及其所填的单元格；none=ARM/SEED 为撤回',
  },
  'study.adopt.checkpoint': {
    en: 'the weights that the figure of the run belongs to',
    zh: '该 run 的数值所对应的权重',
  },
  'study.adopt.done': { en: '{trial}: run {run}', zh: '{trial}：run {run}' },
  'study.adopt.taken-back': { en: '{trial}: taken back', zh: '{trial}：已撤回' },
  'study.adopt.difference': {
    en: '  {key} is {run}, in the study {study}: suspicious until klens study acknowledge vouches for it',
    zh: '  {key} 为 {run}，研究为 {study}：在用 klens study acknowledge 担保之前视为可疑',
  },
  'study.adopt.untold': { en: '  its config does not tell {keys}', zh: '  其配置没有说明 {keys}' },
})

export function adoptVerb(context: Context): Command {
  return studyFileVerb('adopt', context.render(say('study.adopt.about', {})), context)
    .argument('<runs...>', context.render(say('study.adopt.runs', {})))
    .option('--checkpoint <path>', context.render(say('study.adopt.checkpoint', {})))
    .action(async (file: string, runs: readonly string[], { json = false, checkpoint }: Options) => {
      const { studyAdopt } = await import('../ask/study-adopt.js')
      const answer = await context.ask(studyAdopt, { file, runs, checkpoint }, { importPaths: true })
      if (json) context.printJson(answer)
      else printAdopted(context, answer)
    })
}

interface Options {
  readonly json?: boolean
  readonly checkpoint?: string
}

const MOST_NAMED = 12

function printAdopted(context: Context, { adopted }: StudyAdoptAnswer): void {
  for (const { trial, run, differences, untold } of adopted) {
    const name = printable(trial, 80)
    context.print(
      context.render(
        run === null ? say('study.adopt.taken-back', { trial: name }) : say('study.adopt.done', { trial: name, run }),
      ),
    )
    for (const { key, study, run: own } of differences) {
      const values = { study: printable(JSON.stringify(study)), run: printable(JSON.stringify(own)) }
      context.print(
        context.paint('yellow', context.render(say('study.adopt.difference', { key: printable(key), ...values }))),
      )
    }
    if (untold.length > 0) {
      const more = untold.length > MOST_NAMED ? ', …' : ''
      const keys = `${untold
        .slice(0, MOST_NAMED)
        .map(key => printable(key))
        .join(', ')}${more}`
      context.print(context.paint('dim', context.render(say('study.adopt.untold', { keys }))))
    }
  }
}
