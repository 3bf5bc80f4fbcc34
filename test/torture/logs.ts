import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { corpus, type Seed } from '../fuzz/corpus.js'
import type { Random } from '../fuzz/random.js'

/** Logs to be imported through mishaps: a run as a training loop writes it, beside files of the real libraries. */

let known: Promise<readonly Seed[]> | undefined

function seeds(): Promise<readonly Seed[]> {
  known ??= corpus().then(found => [...found].filter(([format]) => format !== 'config').flatMap(([, some]) => some))
  return known
}

const MOST_ROWS = 3_000

/** Into `folder`, each in a folder of its own. */
export async function makeLogs(folder: string, random: Random): Promise<void> {
  const rows = 20 + random.below(MOST_ROWS)
  put(join(folder, 'own', 'metrics.jsonl'), jsonRows(0, rows, random.below(1000)))
  put(join(folder, 'own', 'config.json'), JSON.stringify({ seed: random.below(5), lr: 1e-6 }))
  const all = await seeds()
  for (let nth = random.below(3); nth > 0; nth -= 1) {
    const { name, bytes } = random.pick(all)
    put(join(folder, `other-${nth}`, basename(dirname(name)), basename(name)), bytes)
  }
}

/** `from` to `to`, with a validation every tenth step. */
export function jsonRows(from: number, to: number, salt: number): string {
  const lines: string[] = []
  for (let step = from; step < to; step += 1) lines.push(jsonRow(step, salt))
  return lines.join('')
}

export function jsonRow(step: number, salt: number): string {
  const data = { 'actor/pg_loss': Math.sin(step + salt), 'actor/entropy': 1 / (1 + step + salt) }
  const validation = step % 10 === 0 ? { 'val-core/gsm8k/acc/mean@1': ((step * 7 + salt) % 101) / 100 } : {}
  return `${JSON.stringify({ step, data: { ...data, ...validation } })}\n`
}

export function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
