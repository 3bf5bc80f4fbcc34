import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../core/store/atomic.js'
import { sha256 } from '../../logs/model/id.js'

/**
 * Answers on disk, under the hash of what was asked: a file is whole or not there, and an interrupted run that starts
 * again asks only what it has not asked before. Failures are not kept, so that they are tried again. The key of the
 * endpoint is no part of the question and is written nowhere.
 */
export interface ResponseCache {
  find(request: string): Promise<string | undefined>
  keep(request: string, answer: string): Promise<void>
}

const entrySchema = z.object({ version: z.literal(1), request: z.string(), answer: z.string() })

export function openResponseCache(folder: string): ResponseCache {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), `${hash}.json`)
  return {
    async find(request) {
      const hash = sha256(request)
      const entry = entrySchema.safeParse(await readJson(pathOf(hash)))
      return entry.success && entry.data.request === hash ? entry.data.answer : undefined
    },
    async keep(request, answer) {
      const hash = sha256(request)
      await mkdir(dirname(pathOf(hash)), { recursive: true })
      await writeFileAtomically(pathOf(hash), `${JSON.stringify({ version: 1, request: hash, answer })}\n`)
    },
  }
}

/** A file that is absent or damaged is an answer that has to be asked for again, nothing more. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}
