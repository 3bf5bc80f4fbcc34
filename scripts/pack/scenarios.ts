import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readEntries } from './entries.js'
import { type Place, type Ran, runIn } from './sandbox.js'

/** What an installed klens must be able to do, each in an empty workspace: its own data, kernels and charts are in use. */

const REPORT = '报告 1.html'

interface Scenario {
  readonly name: string
  readonly words: readonly string[]
  /** What must be the same as in the checkout. */
  readonly result: (ran: Ran, folder: string) => string
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'version', words: ['--version'], result: printed },
  { name: 'diagnose, en', words: ['diagnose', 'wandb/', '--lang', 'en'], result: printed },
  { name: 'diagnose, zh', words: ['diagnose', 'wandb/', '--lang', 'zh'], result: printed },
  { name: 'train', words: ['train', '--seed', '1', '--json', ...tiny('policy.hidden=16')], result: trained },
  {
    name: 'report',
    words: ['report', 'wandb/finished.wandb', 'wandb/axes.wandb', '-o', REPORT],
    result: (ran, folder) =>
      `${printed(ran)}${existsSync(join(folder, REPORT)) ? readFileSync(join(folder, REPORT), 'utf8') : ''}`,
  },
  {
    name: 'dashboard, as a copy',
    words: ['export', '--site', 'site', 'wandb/finished.wandb'],
    result: (ran, folder) => `${printed(ran)}${webFiles(join(folder, 'site'))}`,
  },
]

export function play(
  { words, result }: Scenario,
  place: Place,
  command: readonly string[],
  logs: string,
): { readonly result: string; readonly ran: Ran } {
  rmSync(place.folder, { recursive: true, force: true })
  mkdirSync(place.folder, { recursive: true })
  cpSync(logs, join(place.folder, 'wandb'), { recursive: true })
  const [program = 'klens', ...first] = command
  const ran = runIn(place, program, [...first, ...words])
  return { result: result(ran, place.folder), ran }
}

/** What the browser loads, byte for byte. What the runs are is beside it, with the time at which it was written. */
function webFiles(site: string): string {
  if (!existsSync(site)) return ''
  return readEntries(site, path => !path.startsWith('data/'))
    .map(({ path, bytes }) => `${path} ${createHash('sha256').update(bytes).digest('hex')}`)
    .join('\n')
}

function tiny(...settings: readonly string[]): string[] {
  return ['epochs.rce=1', 'epochs.grpo=1', ...settings].flatMap(setting => ['--set', setting])
}

function printed({ code, out, error }: Ran): string {
  return `${code}\n${out}${error}`
}

/** The lines of `--json` without what differs from one training to the next: times, folders, the run's id. */
function trained(ran: Ran): string {
  return printed(ran).replaceAll(/"volatile":\{[^}]*\}|"run":"[^"]*"/g, '')
}
