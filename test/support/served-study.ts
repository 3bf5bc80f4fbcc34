import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StudyRunAnswer } from '../../src/logs/model/study/answers.js'
import { klensJson } from '../cli.js'
import { temporaryFolder } from '../workspace.js'

/** The example of a study with services, with one seed, and changed. */
export function servedStudy(change: (text: string) => string): { readonly folder: string; readonly hash: string } {
  const folder = temporaryFolder()
  const from = join(import.meta.dirname, '..', '..', 'examples', 'studies')
  for (const name of ['bandit.mjs', 'bandit-served.mjs']) cpSync(join(from, name), join(folder, name))
  const text = readFileSync(join(from, 'bandit-served.yaml'), 'utf8').replace('seeds: 3', 'seeds: 1')
  writeFileSync(join(folder, 'served.yaml'), change(text))
  const { programs } = klensJson<StudyRunAnswer>(folder, ['study', 'run', 'served.yaml', '--dry-run'])
  return { folder, hash: programs?.hash ?? '' }
}
