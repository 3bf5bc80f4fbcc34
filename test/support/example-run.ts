import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MadeUp } from './subject.js'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))

interface Row {
  readonly step: number
  readonly data: { readonly [metric: string]: number }
}

/** A shipped run as its two files have it: verl's file logger and a config of dotted keys. */
export function exampleRun(folder: string): MadeUp {
  const read = (file: string): string => readFileSync(join(EXAMPLES, folder, file), 'utf8')
  const metrics: { [metric: string]: [number, number][] } = {}
  for (const line of read('metrics.jsonl').split('\n')) {
    if (line === '') continue
    const { step, data }: Row = JSON.parse(line)
    for (const [metric, value] of Object.entries(data)) {
      metrics[metric] ??= []
      metrics[metric].push([step, value])
    }
  }
  const { lab: _, ...config } = JSON.parse(read('config.json'))
  return { metrics, config }
}
