import type { Command } from 'commander'
import { remove, rename, tag } from '../ask/manage.js'
import { notes, setNote } from '../ask/note.js'
import { type Context, collect, verb } from './context.js'
import { printable } from './print/style.js'

/** rm, rename, tag, note: small verbs of one kind. */

interface Options {
  readonly json?: boolean
}

export function removeVerb(context: Context): Command {
  return verb('rm', context.say('rm.about', {}), context)
    .argument('<run...>', context.say('argument.runs', {}))
    .action(async (runs: string[], { json }: Options) => {
      const onProgress = ({ id, name }: { readonly id: string; readonly name: string }): void => {
        if (!json) context.print(context.say('rm.done', { name: printable(name), id }))
      }
      const answer = await context.ask(remove, { runs }, { onProgress })
      if (json) context.printJson(answer)
    })
}

export function renameVerb(context: Context): Command {
  return verb('rename', context.say('rename.about', {}), context)
    .argument('<run>', context.say('argument.run', {}))
    .argument('<name>', context.say('rename.name', {}))
    .action(async (run: string, name: string, { json }: Options) => {
      const answer = await context.ask(rename, { run, name })
      if (json) context.printJson(answer)
      else context.print(context.say('rename.done', { id: answer.id, name: printable(answer.name) }))
    })
}

interface TagOptions extends Options {
  readonly remove?: readonly string[]
}

export function tagVerb(context: Context): Command {
  return verb('tag', context.say('tag.about', {}), context)
    .argument('<run>', context.say('argument.runs', {}))
    .argument('[tag...]', context.say('tag.tags', {}))
    .option('-r, --remove <tag>', context.say('tag.remove', {}), collect)
    .action(async (run: string, words: string[], { json, remove: removed }: TagOptions) => {
      const answer = await context.ask(tag, { run, tag: words, remove: removed })
      if (json) return context.printJson(answer)
      for (const { name, tags } of answer) {
        const shown = tags.length > 0 ? printable(tags.join(', '), 200) : context.say('tag.no-tags', {})
        context.print(context.say('tag.done', { name: printable(name), tags: shown }))
      }
    })
}

interface NoteOptions extends Options {
  readonly against?: readonly string[]
}

export function noteVerb(context: Context): Command {
  return verb('note', context.say('note.about', {}), context)
    .argument('<run>', context.say('argument.runs', {}))
    .argument('[text]', context.say('note.text', {}))
    .option('--against <run>', context.say('note.against', {}), collect)
    .action(async (run: string, text: string | undefined, { json, against = [] }: NoteOptions) => {
      const sides = [run, ...against]
      const answer = await (text === undefined ? context.ask(notes, { sides }) : context.ask(setNote, { sides, text }))
      if (json) return context.printJson(answer)
      for (const { about, note } of answer) {
        context.print(`${printable(about.join(' · '))}:`)
        const lines = note === '' ? [context.say('note.none', {})] : note.split('\n')
        for (const line of lines) context.print(`  ${printable(line, Number.POSITIVE_INFINITY)}`)
      }
    })
}
