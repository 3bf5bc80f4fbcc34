import { constants } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { Problem } from '../../model/problem.js'
import { message } from '../../text/say.js'

/** Files of a task, read whole; one that is not there or too large is an error by its name. */
export async function readTaskFile(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new Problem('unreadable', message('task.file-unreadable', { file, detail }))
  }
}

export function textOf(file: string, bytes: Buffer): string {
  if (bytes.length <= constants.MAX_STRING_LENGTH) return bytes.toString('utf8')
  const most = Math.floor(constants.MAX_STRING_LENGTH / 2 ** 20)
  throw new Problem(
    'unreadable',
    message('task.file-too-large', { file, megabytes: Math.ceil(bytes.length / 2 ** 20), most }),
  )
}
