import { mkdir, readFile } from 'node:fs/promises'
import { Problem } from '../../logs/model/problem.js'
import type { VocabularyEdit } from '../../logs/model/vocabulary/user-edit.js'
import { sentences } from '../../text/sentences.js'
import { writeFileAtomically } from './atomic.js'
import { vocabularyFiles } from './vocabulary.js'
import type { Workspace } from './workspace.js'

/** Writes into the workspace's vocabulary.yaml, which is the user's file: what stands in it stays. */

const say = sentences({
  'vocabulary.not-editable': {
    en: 'vocabulary.yaml in the workspace is not YAML that klens can edit; correct it, or add the line by hand',
    zh: '工作区中的 vocabulary.yaml 不是 klens 能够添加内容的 YAML；请先改正，或手动写入',
  },
})

export async function editVocabulary(workspace: Workspace, edits: readonly VocabularyEdit[]): Promise<void> {
  const [path] = vocabularyFiles(workspace)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const { editUserVocabulary } = await import('../../logs/model/vocabulary/user-edit.js')
  const edited = editUserVocabulary(text, edits)
  if (edited === null) throw new Problem('unreadable', say('vocabulary.not-editable', {}))
  await mkdir(workspace.root, { recursive: true })
  await writeFileAtomically(path, edited)
}
