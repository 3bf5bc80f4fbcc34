import { closeSync, type Dirent, existsSync, openSync, readdirSync, readSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { typedForShell } from '../../text/shell.js'
import { storedRuns } from '../ask/stored-runs.js'
import { version } from '../ask/version.js'
import type { Context } from './context.js'
import { printable } from './print/style.js'

/**
 * Bare `klens`: what lies in this folder, and one command to begin with. A look and no more: names of files and the
 * first bytes of the few whose names say too little, so that it takes milliseconds. `klens import` decides by content.
 */
export async function greet(context: Context): Promise<void> {
  const kinds = lookAround('.')
  const { root, runs } = await storedRuns()
  const files = [...kinds.values()].reduce((sum, n) => sum + n, 0)
  const listed = [...kinds].map(
    ([kind, n]) => `${kind === 'console' ? context.say('cli.first.console', {}) : kind} ${n}`,
  )
  context.print(`klens ${version()}\n`)
  if (files > 0) context.print(`  ${context.say('cli.first.folder', { n: files, kinds: listed.join(', ') })}`)
  else context.print(`  ${context.say('cli.first.nothing', {})}`)
  if (runs > 0)
    context.print(`  ${context.say('cli.first.runs', { n: runs, path: printable(relative('.', root), 200) })}`)
  const command = files > 0 ? 'klens diagnose .' : runs > 0 ? 'klens serve' : exampleCommand()
  context.print(`  ${context.paint('bold', context.say('cli.first.try', { command }))}\n`)
  context.print(context.say('cli.first-steps', {}))
}

/** The example that is shipped with klens, two folders above the bundle and three above this file. */
function exampleCommand(): string {
  const places = ['../../examples', '../../../examples'].map(place => fileURLToPath(new URL(place, import.meta.url)))
  const examples = places.find(place => existsSync(place))
  if (examples === undefined) return 'klens import PATH'
  return `klens diagnose ${typedForShell(join(relative('.', examples), 'grpo-addition', 'sick-length-bonus'))}`
}

const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\.wandb$/, 'W&B'],
  [/^events\.out\.tfevents/, 'TensorBoard'],
  [/^trainer_state\.json$/, 'TRL/HF'],
  [/\.swanlab$/, 'SwanLab'],
  [/^mlflow\.db$|^mlruns\.db$/, 'MLflow'],
  [/\.eval$/, 'Inspect'],
]

/** Many files have these endings; only those that count steps are logs. */
const TEXTS: readonly (readonly [RegExp, string, RegExp])[] = [
  [/\.jsonl$/, 'JSONL', /"(?:global_)?(?:step|epoch|iteration|episode)"/],
  [/\.csv$/, 'CSV', /^[^\n]*\b(?:step|epoch|iteration|episode)\b/i],
  [/\.(?:log|out)$/, 'console', /\b(?:step|epoch|iter(?:ation)?|episode)\b/i],
]

const MOST_ENTRIES = 5000
const MOST_PEEKS = 100
const DEEPEST = 6
const ELSEWHERE = new Set(['node_modules', '__pycache__', 'venv', 'site-packages', 'dist', 'build'])

function lookAround(folder: string): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>()
  let entries = 0
  let peeks = 0
  const enter = (path: string, depth: number): void => {
    for (const entry of entriesOf(path)) {
      entries += 1
      if (entries > MOST_ENTRIES) return
      const place = join(path, entry.name)
      if (entry.isDirectory() && depth < DEEPEST && !ELSEWHERE.has(entry.name) && !entry.name.startsWith('.')) {
        enter(place, depth + 1)
      } else if (entry.isFile()) {
        const kind = kindOf(entry.name, place)
        if (kind !== null) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }
    }
  }
  const kindOf = (name: string, path: string): string | null => {
    const known = NAMES.find(([pattern]) => pattern.test(name))
    if (known !== undefined) return known[1]
    const text = TEXTS.find(([pattern]) => pattern.test(name))
    if (text === undefined || peeks >= MOST_PEEKS) return null
    peeks += 1
    return text[2].test(headOf(path)) ? text[1] : null
  }
  enter(folder, 0)
  return kinds
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function headOf(path: string): string {
  try {
    const file = openSync(path, 'r')
    const head = Buffer.alloc(2048)
    const size = readSync(file, head)
    closeSync(file)
    return head.toString('utf8', 0, size)
  } catch {
    return ''
  }
}
