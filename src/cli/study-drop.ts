import type { Command } from 'commander'
import { sentences } from '../text/sentences.js'
import type { Context } from './context.js'
import { printDropStand } from './print/study-drop.js'
import { studyFileVerb } from './study-verb.js'

/** `klens study drop FILE [ARM]` and `klens study keep FILE ARM`. */

const say = sentences({
  'study.drop.about': {
    en: 'drop an arm; without one, what was dropped and what the rule would drop now',
    zh: '放弃一个 arm；不指定则列出已放弃的以及规则现在会放弃的',
  },
  'study.keep.about': {
    en: 'take back a drop, and keep the arm whatever the rule says',
    zh: '撤回放弃，并且无论规则如何都保留该 arm',
  },
  'study.drop.arm': { en: 'an arm of the study', zh: '研究中的一个 arm' },
})

export function dropVerb(context: Context): Command {
  return studyFileVerb('drop', context.render(say('study.drop.about', {})), context)
    .argument('[arm]', context.render(say('study.drop.arm', {})))
    .action(async (file: string, arm: string | undefined, { json }: { readonly json?: boolean }) => {
      const { studyDrop } = await import('../ask/study-marks.js')
      const answer = await context.ask(studyDrop, { file, arm })
      if (json) context.printJson(answer)
      else printDropStand(context, answer)
    })
}

export function keepVerb(context: Context): Command {
  return studyFileVerb('keep', context.render(say('study.keep.about', {})), context)
    .argument('<arm>', context.render(say('study.drop.arm', {})))
    .action(async (file: string, arm: string, { json }: { readonly json?: boolean }) => {
      const { studyKeep } = await import('../ask/study-marks.js')
      const answer = await context.ask(studyKeep, { file, arm })
      if (json) context.printJson(answer)
      else printDropStand(context, answer)
    })
}
