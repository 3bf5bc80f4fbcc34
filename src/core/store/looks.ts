import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Workspace } from './workspace.js'

/**
 * Looks at pairs of runs that may still grow, in looks.jsonl at the root of the workspace: one line a look, only ever
 * appended to, so that processes which look at once cannot undo each other's. The order of the lines decides.
 */
export interface Look {
  /** Shared evaluations that there were. */
  readonly n: number
  /** The last step of them. */
  readonly until: number
}

/** What is looked at: the runs of both sides, whichever stands first, by one metric. */
export interface LookedPair {
  readonly sides: readonly (readonly string[])[]
  readonly metric: string
}

const line = z.object({ sides: z.array(z.array(z.string())), metric: z.string(), n: z.number(), until: z.number() })

/** The looks at a pair before and up to this one, which is remembered where it is due: the evaluations have grown enough. */
export async function recordLook(
  workspace: Workspace,
  pair: LookedPair,
  look: Look,
  growth: number,
): Promise<readonly Look[]> {
  const before = await readLooks(workspace, pair, growth)
  if (!isDue(before, look, growth)) return before
  const written = JSON.stringify({ ...pair, ...look, at: new Date().toISOString() })
  try {
    // A line that a full disk cut short ends here, and spoils no other.
    await appendFile(join(workspace.root, 'looks.jsonl'), `\n${written}\n`)
  } catch {
    // A workspace that may only be read answers all the same.
    return [...before, look]
  }
  // Another process may have looked in between: then its look came first.
  return readLooks(workspace, pair, growth)
}

export async function readLooks({ root }: Workspace, pair: LookedPair, growth: number): Promise<readonly Look[]> {
  const text = await readFile(join(root, 'looks.jsonl'), 'utf8').catch(() => '')
  const key = keyOf(pair)
  const looks: Look[] = []
  for (const written of text.split('\n')) {
    const found = parsed(written)
    if (found !== null && keyOf(found) === key && isDue(looks, found, growth)) looks.push(found)
  }
  return looks
}

function isDue(looks: readonly Look[], { n, until }: Look, growth: number): boolean {
  const last = looks.at(-1)
  return last === undefined || (n >= growth * last.n && until > last.until)
}

function keyOf({ sides, metric }: LookedPair): string {
  return JSON.stringify([sides.map(runs => runs.toSorted().join()).toSorted(), metric])
}

function parsed(text: string): (LookedPair & Look) | null {
  if (text === '') return null
  try {
    return line.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
