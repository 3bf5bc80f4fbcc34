import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { ROOT } from './generate.js'
import type { Spent } from './measure.js'

/** klens as a user starts it: a process of its own, the built command line. */
export interface Finished extends Spent {
  readonly peakBytes: number
  /** CPU time of the main thread alone, where the system tells it. */
  readonly mainSeconds: number
  readonly output: string
}

/** `flags` are Node's own; `program` may be `-e`, for what Node costs without klens. */
export async function klens(
  home: string,
  words: readonly string[],
  flags: readonly string[] = [],
  program = join(ROOT, 'bin', 'klens.js'),
): Promise<Finished> {
  const witness = fileURLToPath(new URL('./witness.cjs', import.meta.url))
  const start = performance.now()
  const child = spawn(
    process.execPath,
    ['--require', witness, ...flags, program, ...words, ...(program === '-e' ? [] : ['--lang', 'en'])],
    {
      // Node reads certificates that this names as it starts: 47 ms of a proxy's that no user of klens has.
      env: { ...process.env, KLENS_HOME: home, NODE_EXTRA_CA_CERTS: '' },
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
