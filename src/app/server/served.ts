import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Workspace } from '../../core/store/workspace.js'
import type { Entrance, Visitor } from './entrance.js'
import type { Files } from './files.js'
import type { Helper, Jobs } from './jobs.js'
import type { LiveEvents } from './live.js'

/** What every route of the dashboard's server has at hand. */
export interface Served {
  readonly workspace: Workspace
  readonly jobs: Jobs
  readonly live: LiveEvents
  /** For what takes long; null: this process answers everything itself. */
  readonly helper: Helper | null
  /** Null where only this machine can ask, and may ask everything. */
  readonly entrance: Entrance | null
  readonly files: Files
  /** An answer, as JSON, as those who ask may see it. */
  readonly shown: (json: string) => string
}

export type RequestEnvironment = { Bindings: HttpBindings; Variables: { visitor: Visitor } }
export type RequestContext = Context<RequestEnvironment>

/** Who changed what: a line in `trail.jsonl` of the workspace for everything that a server was asked to change, by the name of the token. */
export async function note(
  c: RequestContext,
  { workspace }: Served,
  question: string,
  request: unknown,
): Promise<void> {
  const from = c.env.incoming.socket.remoteAddress ?? null
  const line = { time: new Date().toISOString(), by: c.get('visitor').name, from, question, request }
  // A workspace that may only be read cannot be changed either; the question itself will say so.
  await appendFile(join(workspace.root, 'trail.jsonl'), `${JSON.stringify(line)}\n`).catch(() => {})
}
