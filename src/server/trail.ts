import { appendFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Workspace } from '../store/workspace.js'

/** Who changed what: a line in `trail.jsonl` of the workspace for everything that a server was asked to change, by the name of the token. */
export interface Trail {
  add(incoming: IncomingMessage, by: string, question: string, request: unknown): Promise<void>
}

export function trailOf({ root }: Workspace): Trail {
  return {
    async add({ socket }, by, question, request) {
      const line = { time: new Date().toISOString(), by, from: socket.remoteAddress ?? null, question, request }
      // A workspace that may only be read cannot be changed either; the question itself will say so.
      await appendFile(join(root, 'trail.jsonl'), `${JSON.stringify(line)}\n`).catch(() => {})
    },
  }
}
