import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ROOT } from './generate.js'
import type { Spent } from './measure.js'

/** klens as a user starts it: a process of its own, the built command line. */
export interface Finished extends Spent {
  readonly peakBytes: number
  readonly output: string
}

export async function klens(home: string, words: readonly string[]): Promise<Finished> {
  const witness = new URL('./witness.js', import.meta.url).href
  const start = performance.now()
  const child = spawn(
    process.execPath,
    ['--import', witness, join(ROOT, 'bin', 'klens.js'), ...words, '--lang', 'en'],
    {
      env: { ...process.env, KLENS_HOME: home },
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    },
  )
  const [output, report] = await Promise.all([textOf(child.stdio[1]), textOf(child.stdio[3])])
  const seconds = (performance.now() - start) / 1000
  if (report === '') throw new Error(`klens ${words[0]} did not end by itself`)
  return { seconds, output, ...JSON.parse(report) }
}

async function textOf(stream: unknown): Promise<string> {
  if (!(stream instanceof Readable)) return ''
  let text = ''
  for await (const piece of stream.setEncoding('utf8')) text += piece
  return text
}
