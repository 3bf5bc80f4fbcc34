import { z } from 'zod'
import { listRuns } from '../../core/store/catalogue.js'
import { changeRun, removeRun } from '../../core/store/manage.js'
import { shownName } from '../../core/store/manifest.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { list, otherwise, refuse, request } from './fields.js'
import { resolveAll, resolveOne, resolveRuns } from './names.js'
import { type Asking, question } from './question.js'

/** What a person does to runs as a whole: remove, rename, tag. A run that is being written is left alone. */

interface RemovedRun {
  readonly id: string
  readonly name: string
}

/** Takes no paths: to import a folder only to throw it away helps nobody. Tells each run as it goes. */
export const remove = question({
  request: request({ runs: list(z.string()) }),
  answer: z.object({ removed: list(z.string()) }),
  async ask(workspace, { runs: names }, { onProgress }: Asking<RemovedRun>) {
    const found = await resolveAll(workspace, names, { importPaths: false })
    const removed = new Map(found.map(({ manifest }) => [manifest.id, shownName(manifest)]))
    for (const [id, name] of removed) {
      await removeRun(workspace, id)
      onProgress?.({ id, name })
    }
    return { removed: [...removed.keys()] }
  },
})

export const rename = question({
  request: request({
    run: z.string(),
    name: z.string().trim().min(1, otherwise('rename.empty')),
  }),
  answer: z.object({ id: z.string(), name: z.string() }),
  async ask(workspace, { run, name }, asking) {
    const { id } = (await resolveOne(workspace, run, asking)).manifest
    const { entries } = await listRuns(workspace)
    const other = entries.find(entry => entry.id !== id && entry.name === name)
    if (other !== undefined) throw new Problem('bad-request', message('rename.taken', { name, id: other.id }))
    await changeRun(workspace, id, () => ({ givenName: name }))
    return { id, name }
  },
})

export const tag = question({
  request: request({
    run: z.string(),
    /** `good` and `+good` add, `-bad` takes away. */
    tag: list(z.string()).default([]),
    remove: list(z.string()).default([]),
  }).transform(({ run, tag: words, remove: taken }, context) => {
    const removed = [...taken, ...words.filter(word => /^-./.test(word)).map(word => word.slice(1))]
    const added = words.filter(word => !word.startsWith('-')).map(word => word.replace(/^\+/, '').trim())
    if (removed.length === 0 && added.every(word => word === '')) return refuse(context, words, 'tag.nothing')
    return { run, added, removed }
  }),
  answer: list(z.object({ id: z.string(), name: z.string(), tags: list(z.string()) })),
  async ask(workspace, { run, added, removed }, asking) {
    const gone = new Set(['', ...removed])
    const changed = []
    for (const { manifest } of await resolveRuns(workspace, run, asking)) {
      const retagged = await changeRun(workspace, manifest.id, ({ tags }) => ({
        tags: [...new Set([...tags, ...added])].filter(each => !gone.has(each)),
      }))
      changed.push({ id: manifest.id, name: shownName(manifest), tags: retagged?.tags ?? [] })
    }
    return changed
  },
})
