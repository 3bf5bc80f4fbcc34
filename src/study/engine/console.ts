import { appendFile, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../store/atomic.js'
import type { LogPiece } from '../executor/executor.js'

/**
 * What a trial prints, as one file in its folder, all attempts one after the other. Where an attempt begins is written
 * down first: whoever goes on after a kill throws away what it has of that attempt and asks for all of it again, so that
 * no line is lost and none stands twice.
 */
export interface TrialConsole {
  /** Takes in what is new; false where there is nothing. */
  pull(): Promise<boolean>
}

export const CONSOLE = 'console.log'

const schema = z.object({ handle: z.string(), from: z.number() })

export async function openConsole(
  folder: string,
  handle: string,
  log: (from: number) => Promise<LogPiece>,
): Promise<TrialConsole> {
  const path = join(folder, CONSOLE)
  const note = join(folder, 'console.json')
  const before = await readNote(note)
  if (before?.handle === handle) await truncate(path, before.from).catch(() => {})
  else {
    const from = (await stat(path).catch(() => null))?.size ?? 0
    await writeFileAtomically(note, `${JSON.stringify({ handle, from })}\n`)
  }
  let next = 0
  return {
    async pull() {
      const piece = await log(next)
      next = piece.next
      if (piece.text === '') return false
      await appendFile(path, piece.text)
      return true
    },
  }
}

async function readNote(path: string): Promise<z.infer<typeof schema> | null> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}
