import type { Command } from 'commander'
import { vocabularyBlocks } from '../../core/present/vocabulary.js'
import { sentences } from '../../text/sentences.js'
import { editVocabularyQuestion, vocabulary } from '../ask/vocabulary.js'
import { type Context, collect, verb } from './context.js'
import { printable } from './print/style.js'

const say = sentences({
  'vocabulary.runs': { en: 'runs or logs; without any, the whole workspace', zh: 'run 或日志；不写则为整个工作区' },
  'vocabulary.option.accept': {
    en: 'accept the proposal for NAME, or give it the meaning CANONICAL',
    zh: '采用对该名称的建议，或指定其规范名',
  },
  'vocabulary.option.reject': {
    en: 'NAME needs no meaning; undoes an acceptance too',
    zh: '该名称不需要含义；也可撤销已接受的含义',
  },
  'vocabulary.option.all': { en: 'list every name', zh: '列出全部名称' },
  'vocabulary.accepted': { en: '{name} is {canonical} from now on', zh: '今后 {name} 即 {canonical}' },
  'vocabulary.rejected': { en: '{name} needs no meaning', zh: '{name} 不需要含义' },
})

interface Options {
  readonly json?: boolean
  readonly accept?: readonly string[]
  readonly reject?: readonly string[]
  readonly all?: boolean
}

export function vocabularyVerb(context: Context): Command {
  return verb('vocabulary', context.say('vocabulary.about', {}), context)
    .argument('[runs...]', context.render(say('vocabulary.runs', {})))
    .option('--accept <NAME[=CANONICAL]>', context.render(say('vocabulary.option.accept', {})), collect)
    .option('--reject <NAME>', context.render(say('vocabulary.option.reject', {})), collect)
    .option('--all', context.render(say('vocabulary.option.all', {})))
    .action(async (runs: readonly string[], { json, accept, reject, all }: Options) => {
      if (accept === undefined && reject === undefined) {
        const answer = await context.ask(vocabulary, { runs })
        if (json) context.printJson(answer)
        else context.present(vocabularyBlocks(answer, context.speaker, { all }))
        return
      }
      const { edits } = await context.ask(editVocabularyQuestion, { runs, accept, reject })
      if (json) return context.printJson({ edits })
      for (const edit of edits) {
        const name = printable(edit.name)
        const { canonical } = edit
        const done =
          canonical === null ? say('vocabulary.rejected', { name }) : say('vocabulary.accepted', { name, canonical })
        context.print(context.render(done))
      }
    })
}
