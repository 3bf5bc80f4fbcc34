import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { klens } from '../cli.js'

/** Studies whose trials are trainings of klens itself, so small that each takes hardly longer than its process. */

const BASE =
  'base: {policy.hidden: 8, data.width: 8, data.candidates: 8, batch.prompts: 10, epochs: {rce: 1, grpo: 1}}\n'

/** Relative to the folder. */
export function trainingsIn(folder: string, text: string): string {
  writeFileSync(join(folder, 'tiny.yaml'), `question: does it matter?\n${BASE}${text}`)
  return 'tiny.yaml'
}

/** The last line of what is told as JSON. */
export function answerOf<T>(folder: string, words: readonly string[]): T {
  const { code, out, error } = klens(folder, [...words, '--json'])
  if (code !== 0) throw new Error(`ended with ${code}: ${error}`)
  return JSON.parse(out.trim().split('\n').at(-1) ?? '') as T
}
