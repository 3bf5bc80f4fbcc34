import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ask } from '../ask/question.js'
import { QUESTIONS } from '../ask/questions.js'
import type { Workspace } from '../store/workspace.js'

/**
 * A log that comes over HTTP: kept in the workspace under what it contains, so that sending it twice changes nothing, and
 * then imported like any other. The name is only a label.
 */

export const LARGEST_LOG = 64 << 20

export async function importUpload(workspace: Workspace, name: string, bytes: Buffer, lang: string) {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  const folder = join(workspace.root, 'uploads', hash)
  const path = join(folder, harmless(name))
  await mkdir(folder, { recursive: true })
  await writeFile(path, bytes)
  return ask(workspace, await QUESTIONS.import(), { paths: [path], lang })
}

function harmless(name: string): string {
  const label = basename(name.replaceAll('\\', '/'))
    .replace(/[\u0000-\u001f\u007f/:*?"<>|]/g, '_')
    .replace(/^\.+/, '')
    .slice(-120)
  return label === '' ? 'log.jsonl' : label
}
