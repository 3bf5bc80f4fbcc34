import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { klens } from '../child.js'
import { type BenchLog, csvText, linesWithConfig, trainerState, verlLines } from './log.js'

/**
 * The four tools, each given a log in the format that it reads best and told which column is the loss where it cannot
 * know. The peers are installed into an environment of their own under the system's temporary folder.
 */
export interface Tool {
  readonly name: string
  /** Writes the log into a folder and answers what to pass to `diagnose`. */
  readonly prepare: (log: BenchLog, folder: string) => string
  readonly diagnose: (path: string, log: BenchLog) => Promise<readonly ToolFinding[]>
}

export interface ToolFinding {
  readonly id: string
  readonly severity: 'note' | 'warning'
  readonly text: string
}

const PEERS = ['rldoctor==0.2.0', 'runmedic==0.1.1', 'trainproof==0.22.0']
const ENVIRONMENT = join(tmpdir(), `klens-bench-peers-${PEERS.join('-').replaceAll('==', '-')}`)

const run = promisify(execFile)

export async function installPeers(): Promise<void> {
  if (existsSync(join(ENVIRONMENT, 'complete'))) return
  rmSync(ENVIRONMENT, { recursive: true, force: true })
  await run('python3', ['-m', 'venv', ENVIRONMENT])
  await run(peer('pip'), ['install', '--quiet', ...PEERS])
  writeFileSync(join(ENVIRONMENT, 'complete'), '')
}

function peer(command: string): string {
  return join(ENVIRONMENT, 'bin', command)
}

/** Findings are printed even where they make the exit code 1. */
async function printedBy(command: string, words: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(peer(command), words, { maxBuffer: 1e8 })
    return stdout
  } catch (error) {
    if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string' && error.stdout !== '') {
      return error.stdout
    }
    throw error
  }
}

/** Python's JSON has numbers that JSON has not. */
async function answerOf(command: string, words: readonly string[]) {
  return JSON.parse((await printedBy(command, words)).replaceAll(/: (-?Infinity|NaN)/g, ': null'))
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** All three read the Trainer's own file. */
function forPeer(log: BenchLog, folder: string, fileName: string, text: (log: BenchLog) => string): string {
  if (log.framework === 'trl') return write(join(folder, 'trainer_state.json'), trainerState(log))
  return write(join(folder, fileName), text(log))
}

const rldoctor: Tool = {
  name: 'rldoctor',
  prepare: (log, folder) => forPeer(log, folder, 'log.jsonl', linesWithConfig),
  async diagnose(path) {
    const { findings } = await answerOf('rldoctor', ['diagnose', path, '--format', 'json'])
    return findings.flatMap(({ detector, severity, summary }: { [key: string]: string }) =>
      severity === 'OK' || severity === 'SKIPPED'
        ? []
        : [{ id: detector, severity: severity === 'INFO' ? 'note' : 'warning', text: summary }],
    )
  },
}

const runmedic: Tool = {
  name: 'runmedic',
  prepare: (log, folder) => forPeer(log, folder, 'log.csv', csvText),
  async diagnose(path, { framework }) {
    const loss = framework === 'verl' ? ['--train-loss', 'actor/pg_loss'] : []
    const [{ findings }] = await answerOf('runmedic', ['diagnose', path, '--json', ...loss])
    return findings.map(({ check, severity, title }: { [key: string]: string }) => ({
      id: check,
      severity: severity === 'info' ? 'note' : 'warning',
      text: title,
    }))
  },
}

const COLUMNS = ['loss=actor/pg_loss', 'grad_norm=actor/grad_norm', 'lr=actor/lr', 'step_time=timing_s/step']

const trainproof: Tool = {
  name: 'trainproof',
  prepare: (log, folder) => forPeer(log, folder, 'log.csv', csvText),
  async diagnose(path, { framework }) {
    const columns = framework === 'verl' ? COLUMNS.flatMap(column => ['--map', column]) : []
    const { reports } = await answerOf('trainproof', ['doctor', path, '--json', ...columns])
    return reports[0].findings.flatMap(({ id, level, message }: { [key: string]: string }) =>
      level === 'FAIL' || level === 'WARN' ? [{ id, severity: 'warning', text: message }] : [],
    )
  },
}

/** A workspace of its own each time: reading and storing the log is part of what a first answer costs. */
const ours: Tool = {
  name: 'klens',
  prepare(log, folder) {
    if (log.framework === 'trl') return write(join(folder, 'trainer_state.json'), trainerState(log))
    write(join(folder, 'config.json'), JSON.stringify(log.config))
    write(join(folder, 'metrics.jsonl'), verlLines(log))
    return folder
  },
  async diagnose(path) {
    const home = join(dirname(path), 'workspace', '.klens')
    const { output } = await klens(home, ['diagnose', path, '--json'])
    rmSync(home, { recursive: true, force: true })
    return JSON.parse(output).findings.map(({ rule, severity, message }: { [key: string]: string }) => ({
      id: rule,
      severity: severity === 'note' ? 'note' : 'warning',
      text: message,
    }))
  },
}

export const TOOLS: readonly Tool[] = [rldoctor, runmedic, trainproof, ours]
