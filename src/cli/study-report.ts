import type { Command } from 'commander'
import { sentences } from '../text/sentences.js'
import { shortHash } from '../text/short-hash.js'
import type { Context } from './context.js'
import { printable } from './print/style.js'
import { studyFileVerb } from './study-verb.js'

/** `klens study report FILE`. */

const say = sentences({
  'study.report.about': {
    en: 'write the study as a document: question, design, answer, matrix, costs, lineage, and the config to take',
    zh: '把研究写成文档：问题、设计、答案、矩阵、开销、来源，以及应采用的配置',
  },
  'study.report.take': {
    en: 'the setting to take is {arm} ({hash}): klens {verb} {file}',
    zh: '应采用的配置是 {arm}（{hash}）：klens {verb} {file}',
  },
})

interface Options {
  readonly json?: boolean
}

export function studyReportVerb(context: Context): Command {
  return studyFileVerb('report', context.render(say('study.report.about', {})), context)
    .option('-o, --output <file>', context.say('report.option.output', {}), 'study-report.md')
    .option('--title <title>', context.say('report.option.title', {}))
    .option('--date <date>', context.say('report.option.date', {}))
    .action(async (file: string, { json, ...options }: Options) => {
      const { studyReport } = await import('../ask/study-report.js')
      const answer = await context.ask(studyReport, { ...options, file })
      if (json) {
        context.printJson(answer)
        return
      }
      for (const path of answer.files) context.print(context.say('report.written', { path: printable(path, 300) }))
      const { arm, hash, verb, file: launch } = answer.take
      const said = { arm: printable(arm), hash: shortHash(hash), verb, file: printable(launch, 300) }
      context.print(context.render(say('study.report.take', said)))
    })
}
