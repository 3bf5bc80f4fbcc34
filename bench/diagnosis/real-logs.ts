import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../generate.js'
import type { BenchLog, LogRow } from './log.js'
import { REAL_TRUTH } from './truth-real.js'

/** The runs that are shipped, and one of each further group where the archive of all of them is at hand. */

const SHIPPED = join(ROOT, 'examples', 'grpo-addition')
const ARCHIVE = join(ROOT, '..', 'shared', 'fixtures', 'grpo-runs.tar.gz')

export function realLogs(scratch: string): readonly BenchLog[] {
  const shipped = groupsIn(SHIPPED)
  return [...shipped.flatMap(group => runsOf(SHIPPED, group)), ...furtherLogs(scratch, shipped)]
}

function furtherLogs(scratch: string, shipped: readonly string[]): readonly BenchLog[] {
  if (!existsSync(ARCHIVE)) return []
  const unpacked = join(scratch, 'grpo-runs')
  mkdirSync(unpacked, { recursive: true })
  execFileSync('tar', ['-xzf', ARCHIVE, '-C', unpacked])
  return groupsIn(unpacked)
    .filter(group => !shipped.includes(group))
    .flatMap(group => runsOf(unpacked, group).slice(0, 1))
}

function groupsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(group => group in REAL_TRUTH)
    .sort()
}

function runsOf(folder: string, group: string): readonly BenchLog[] {
  const seeds = readdirSync(join(folder, group)).sort()
  return seeds.map(seed => realLog(join(folder, group, seed), group, seed))
}

function realLog(folder: string, group: string, seed: string): BenchLog {
  const { lab, ...config } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))
  const lines = readFileSync(join(folder, 'metrics.jsonl'), 'utf8').trim().split('\n')
  const rows = lines.map((line): LogRow => {
    const { step, data } = JSON.parse(line)
    return { step, values: data }
  })
  return { name: `${group}/${seed}`, framework: 'verl', config, rows, truth: REAL_TRUTH[group] }
}
