import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../../../logs/model/id.js'

/**
 * A program that others need beside them: a simulator, a judge, a server of the model that is evaluated. It runs on the
 * machine of those who need it, once for all of them there, and for as long as any of them lives (keep.ts, join.ts).
 * What is known of it lies in `services/HOST/NAME-HASH` of the study.
 */
export type ServiceSpec = z.output<typeof serviceSpec>

export const serviceSpec = z.strictObject({
  name: z.string(),
  /** `{port}` stands for the port that it is to listen on, in its variables too. */
  words: z.array(z.string()).min(1).readonly(),
  folder: z.string(),
  environment: z.record(z.string(), z.string()),
  /** A path that is answered with success once it is ready; null: it is when its port takes connections. */
  ready: z.string().nullable(),
  /** How long it may take until then. */
  seconds: z.number(),
  stop: z.strictObject({ signal: z.enum(['SIGINT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2']), seconds: z.number() }),
  /** How long it waits for the next that needs it. */
  lingerMs: z.number(),
})

/** `root`: the folder of all services of a study. */
export function serviceFolder(root: string, spec: ServiceSpec): string {
  return join(root, hostname(), `${spec.name}-${sha256(JSON.stringify(spec)).slice(0, 12)}`)
}

export const serviceFiles = {
  spec: 'spec.json',
  state: 'state.json',
  log: 'service.log',
  /** One file for each process that needs it, `PID` with its birth. */
  users: 'users',
} as const

export const serviceState = z.object({
  state: z.enum(['starting', 'ready', 'failed']),
  port: z.number(),
  /** The last that it printed, where it failed. */
  reason: z.string(),
})

/** The blanks that a service fills in the words of those who need it. */
export function blanksOf(name: string): readonly [url: string, port: string] {
  return [`${name}.url`, `${name}.port`]
}

/** Fills `{NAME}` by its text, and leaves every other brace alone. */
export function withBlanks(text: string, texts: ReadonlyMap<string, string>): string {
  let filled = text
  for (const [blank, value] of texts) filled = filled.replaceAll(`{${blank}}`, value)
  return filled
}
