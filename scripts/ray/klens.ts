import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** A klens process of the checkout, with what it prints and says. */
export interface Klens {
  /** Its exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>
  readonly kill: (signal: NodeJS.Signals) => void
  readonly printed: () => string
  readonly said: () => string
}

export function klens(folder: string, words: readonly string[]): Klens {
  const env = { ...process.env, KLENS_HOME: join(folder, '.klens'), NO_COLOR: '1', LANG: 'C.UTF-8', LC_ALL: '' }
  const child = spawn(process.execPath, [join(process.cwd(), 'bin', 'klens.js'), ...words], { cwd: folder, env })
  let [printed, said] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return {
    ended: new Promise(resolve => child.once('close', resolve)),
    kill: signal => child.kill(signal),
    printed: () => printed,
    said: () => said,
  }
}
