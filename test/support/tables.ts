import type { RunEvent } from '../../src/logs/model/events.js'
import type { Message } from '../../src/logs/model/run.js'
import type { Belonging, Hints, Source } from '../../src/logs/sources/source.js'
import { sourceFile, withFile } from './reading.js'

/** Reads every run of a text as an import does, for tests of tables. */
export interface Imported {
  readonly recognised: boolean
  readonly runs: readonly (Belonging & { readonly events: readonly RunEvent[] })[]
}

export function importText(
  source: Source,
  text: string | Uint8Array,
  { name = 'x.csv', hints = {} }: { readonly name?: string; readonly hints?: Hints } = {},
): Promise<Imported> {
  return withFile(text, path => importFile(source, path, hints), name)
}

export async function importFile(source: Source, path: string, hints: Hints = {}): Promise<Imported> {
  const file = await sourceFile(path)
  const runs = await source.describe(file, hints)
  const read = runs.map(async run => {
    const events: RunEvent[] = []
    for await (const batch of source.read(file, { run: run.run, cursor: null, hints })) events.push(...batch)
    return { ...run, events }
  })
  return { recognised: source.recognise(file), runs: await Promise.all(read) }
}

export function warningsIn(events: readonly RunEvent[]): Message[] {
  return events.flatMap(event => (event.type === 'warning' ? [event.message] : []))
}
