import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { Problem } from '../../model/problem.js'
import { writeFileAtomically } from '../../store/atomic.js'
import { unreadable } from '../../store/disk-problem.js'
import { nullWhenMissing } from '../../store/lease.js'
import type { Workspace } from '../../store/workspace.js'
import { sentences } from '../../text/sentences.js'

/**
 * What klens keeps of a study beside its runs: a small JSON file for each kind of thing, always written as a whole. One that
 * is not there says nothing. One that cannot be read, because a disk was full or somebody has cut it off, is named: to
 * begin anew in its place would forget what people have decided.
 */
export interface KeptFile<Content> {
  /** Null: nothing has been kept. */
  read(workspace: Workspace, study: string): Promise<Content | null>
  keep(workspace: Workspace, study: string, content: Content): Promise<void>
}

const say = sentences({
  'study.kept.damaged': {
    en: '{path} is damaged and cannot be read as what klens keeps of a study; put a copy of it back, or remove it to go on without',
    zh: '{path} 已损坏，无法作为研究的记录读取；请恢复其副本，或删除它以继续',
  },
})

export function studyFolder({ root }: Workspace, name: string): string {
  return join(root, 'studies', name)
}

export function keptFile<Schema extends z.ZodType>(name: string, schema: Schema): KeptFile<z.output<Schema>> {
  return {
    async read(workspace, study) {
      const path = join(studyFolder(workspace, study), name)
      return readKept(path, schema)
    },
    async keep(workspace, study, content) {
      const folder = studyFolder(workspace, study)
      await mkdir(folder, { recursive: true })
      await writeFileAtomically(join(folder, name), `${JSON.stringify(content)}\n`)
    },
  }
}

/** Null where there is no such file. */
export async function readKept<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const text = await readFile(path, 'utf8')
    .catch(nullWhenMissing)
    .catch(error => {
      throw unreadable(path, error)
    })
  if (text === null) return null
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Problem('damaged', say('study.kept.damaged', { path }), { cause })
  }
}
