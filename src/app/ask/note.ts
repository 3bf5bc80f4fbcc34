import { z } from 'zod'
import type { RunSide } from '../../core/analysis/compare/evidence.js'
import { comparisonNote, keepComparisonNote } from '../../core/store/comparison-notes.js'
import { changeRun } from '../../core/store/manage.js'
import { shownName } from '../../core/store/manifest.js'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import { sentences } from '../../text/sentences.js'
import { list, refuse, request } from './fields.js'
import { type Naming, resolveRuns, resolveSides } from './names.js'
import { question } from './question.js'

/** What a person wants to remember of runs, or of a comparison: read, written, or taken away with an empty text. */

/** A note, not an archive: each is read with the list of runs. */
const LONGEST_NOTE = 10_000

const say = sentences({
  'note.damaged': {
    en: 'notes.json in the workspace cannot be read, so nothing is written over it; fix or remove it',
    zh: '工作区中的 notes.json 无法读取，因此不会覆盖它；请修复或删除该文件',
  },
})

const noteAnswer = list(z.object({ about: list(z.string()), runs: list(z.string()), note: z.string() }))

const about = {
  /** One: a run, or several by a pattern, each with its own note. More: the sides of a comparison. */
  sides: list(z.string()),
}

export const notes = question({
  request: request(about),
  answer: noteAnswer,
  ask: (workspace, { sides }, asking) => notesOn(workspace, sides, asking),
})

export const setNote = question({
  request: request({
    ...about,
    text: z.string().transform((text, context) => {
      const note = text.toWellFormed().trim()
      return note.length > LONGEST_NOTE
        ? refuse(context, note.length, 'note.too-long', { most: String(LONGEST_NOTE) })
        : note
    }),
  }),
  answer: noteAnswer,
  async ask(workspace, { sides, text }, asking) {
    if (sides.length > 1) {
      const keys = (await resolveSides(workspace, sides, asking)).map(sideKey)
      if (!(await keepComparisonNote(workspace, { sides: keys, text })))
        throw new Problem('damaged', say('note.damaged', {}))
    } else {
      const runs = await resolveRuns(workspace, sides[0] ?? '', asking)
      for (const { manifest } of runs) await changeRun(workspace, manifest.id, () => ({ note: text }))
    }
    return notesOn(workspace, sides, asking)
  },
})

async function notesOn(
  workspace: Workspace,
  sides: readonly string[],
  naming: Naming,
): Promise<z.infer<typeof noteAnswer>> {
  if (sides.length > 1) {
    const found = await resolveSides(workspace, sides, naming)
    const note = await comparisonNote(workspace, found.map(sideKey))
    const runs = found.flatMap(side => side.runs.map(({ manifest }) => manifest.id))
    return [{ about: found.map(({ label }) => label), runs, note }]
  }
  const runs = await resolveRuns(workspace, sides[0] ?? '', naming)
  return runs.map(({ manifest }) => ({ about: [shownName(manifest)], runs: [manifest.id], note: manifest.note }))
}

/** By which the note on a comparison is found again, whether its runs were named by id or by name. */
export function sideKey({ label, runs, checkpoint }: RunSide): string {
  return runs.length === 1 ? `${runs[0].manifest.id}${checkpoint === null ? '' : `@${checkpoint}`}` : label
}
