import type { Command } from 'commander'
import { changeRun, removeRun } from '../store/manage.js'
import { shownName } from '../store/manifest.js'
import { openWorkspace } from '../store/workspace.js'
import { type Context, collect, UserError, verb } from './context.js'
import { findRun, findRuns } from './find-runs.js'
import { printable } from './print/style.js'

/** rm, rename, tag: three small verbs of one kind. */

interface Options {
  readonly json?: boolean
}

export function removeVerb(context: Context): Command {
  return verb('rm', context.say('rm.about', {}), context)
    .argument('<run...>', context.say('argument.runs', {}))
    .action(async (names: string[], options: Options) => {
      const workspace = await openWorkspace()
      const runs = (await Promise.all(names.map(name => findRuns(context, name, { pathsToo: false })))).flat()
      const removed = new Map(runs.map(({ manifest }) => [manifest.id, manifest]))
      for (const [id, manifest] of removed) {
        await removeRun(workspace, id)
        if (!options.json) context.print(context.say('rm.done', { name: printable(shownName(manifest)), id }))
      }
      if (options.json) context.printJson({ removed: [...removed.keys()] })
    })
}

export function renameVerb(context: Context): Command {
  return verb('rename', context.say('rename.about', {}), context)
    .argument('<run>', context.say('argument.run', {}))
    .argument('<name>', context.say('rename.name', {}))
    .action(async (name: string, newName: string, options: Options) => {
      if (newName.trim() === '') throw new UserError(context.say('rename.empty', {}))
      const workspace = await openWorkspace()
      const { id } = (await findRun(context, name)).manifest
      await changeRun(workspace, id, () => ({ givenName: newName.trim() }))
      if (options.json) context.printJson({ id, name: newName.trim() })
      else context.print(context.say('rename.done', { id, name: printable(newName.trim()) }))
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
    .action(async (name: string, words: string[], options: TagOptions) => {
      const removed = new Set([
        ...(options.remove ?? []),
        ...words.filter(word => /^-./.test(word)).map(word => word.slice(1)),
      ])
      const added = words.filter(word => !word.startsWith('-')).map(word => word.replace(/^\+/, '').trim())
      if (removed.size === 0 && added.every(tag => tag === '')) throw new UserError(context.say('tag.nothing', {}))
      const workspace = await openWorkspace()
      const changed: object[] = []
      for (const { manifest } of await findRuns(context, name)) {
        const retagged = await changeRun(workspace, manifest.id, ({ tags }) => ({
          tags: [...new Set([...tags, ...added])].filter(tag => tag !== '' && !removed.has(tag)),
        }))
        const tags = retagged?.tags ?? []
        changed.push({ id: manifest.id, tags })
        const shown = tags.length > 0 ? printable(tags.join(', '), 200) : context.say('tag.no-tags', {})
        if (!options.json) context.print(context.say('tag.done', { name: printable(shownName(manifest)), tags: shown }))
      }
      if (options.json) context.printJson(changed)
    })
}
