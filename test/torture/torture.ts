import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomFrom } from '../fuzz/random.js'
import type { Campaign } from './campaigns.js'

/** One trial, made from the campaign's name, a seed and a number, so that it can be made again. Its folder stays where it failed. */
export async function torture({ name, trial }: Campaign, seed: number, number: number): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), `klens-torture-${name}-`))
  mkdirSync(folder, { recursive: true })
  try {
    await trial(folder, randomFrom(`${name} ${seed} ${number}`))
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const again = `npm run torture -- --campaign ${name} --seed ${seed} --trial ${number}`
    return `${name}: trial ${number} of seed ${seed}: ${said}\n  again: ${again}\n  left in: ${folder}`
  }
  rmSync(folder, { recursive: true, force: true })
  return null
}
