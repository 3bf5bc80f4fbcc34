import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from './atomic.js'
import type { Workspace } from './workspace.js'

/**
 * Notes on comparisons, in notes.json at the root of the workspace: a run's own note stands in its manifest. A side is known
 * by the id of its run, or by the pattern that names its runs, so that a note stays where a seed is added.
 */
export interface ComparisonNote {
  readonly sides: readonly string[]
  readonly text: string
}

const notesSchema = z.array(z.object({ sides: z.array(z.string()), text: z.string() }))

/** A file that somebody broke by hand is no reason to stop: it is left as it is, and nothing is written over it. */
async function readNotes(workspace: Workspace): Promise<readonly ComparisonNote[] | null> {
  const text = await readFile(pathOf(workspace), 'utf8').catch(() => '[]')
  try {
    return notesSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

export async function comparisonNote(workspace: Workspace, sides: readonly string[]): Promise<string> {
  const notes = await readNotes(workspace)
  return notes?.find(note => isSame(note.sides, sides))?.text ?? ''
}

/** An empty text takes it away. False where the file cannot be read. */
export async function keepComparisonNote(workspace: Workspace, { sides, text }: ComparisonNote): Promise<boolean> {
  const before = await readNotes(workspace)
  if (before === null) return false
  const others = before.filter(note => !isSame(note.sides, sides))
  await mkdir(workspace.root, { recursive: true })
  const notes = text === '' ? others : [...others, { sides, text }]
  await writeFileAtomically(pathOf(workspace), `${JSON.stringify(notes, null, 2)}\n`)
  return true
}

function pathOf({ root }: Workspace): string {
  return join(root, 'notes.json')
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((side, i) => side === other[i])
}
