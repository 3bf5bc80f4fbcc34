import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { birthOf, processNumbered } from '../../src/core/store/process.js'
import { stopTraining } from '../../src/lab/study/watch/act.js'
import { demand } from '../fuzz/check.js'
import type { Random } from '../fuzz/random.js'
import { inWorkspace } from './truth.js'

/**
 * A training ends while `klens watch --act` is about to stop it, and a bystander gets its number: the bystander is never
 * signalled, whether the training was named by --pid or by its lease, and whatever else a lease may say. The number is
 * forced (ns_last_pid, for root on Linux); where that cannot be done, the training only ends.
 */
export async function reusedNumber(folder: string, random: Random): Promise<void> {
  const trainer = await started('trap "" INT TERM; echo up; exec sleep 60')
  const { pid } = trainer
  const own = processNumbered(pid)
  demand(own !== null, 'a process has a birth')
  const lease = random.pick(['right', 'right', 'group', 'future', 'none'] as const)
  const moment = random.pick(['act.in', 'act.asked'] as const)
  leaveLease(join(folder, 'runs', 'r1'), lease, own)
  mkdirSync(join(folder, 'cache'), { recursive: true })
  const bystanders: ChildProcess[] = []
  const remarks: string[] = []
  let replaced: Promise<void> | null = null
  const remark = ({ key }: { readonly key: string }): void => {
    remarks.push(key)
    if (key === moment) replaced ??= pause(random.below(150)).then(() => replace(trainer, bystanders))
  }
  try {
    const hasStopped = await inWorkspace(folder, workspace =>
      stopTraining(
        workspace,
        { run: 'r1', name: 'r1', rule: 'dead', message: '' },
        {
          vetoSeconds: 0.4,
          trainer: lease === 'none' ? own : null,
          remark,
          signal: new AbortController().signal,
          patienceSeconds: [0.6, 0.3],
        },
      ),
    )
    await replaced
    const isKnown = lease === 'right' || lease === 'none'
    demand(isKnown || remarks.join() === 'act.unknown-process', 'a lease that cannot be right names nothing', remarks)
    demand(isKnown || isRunning(trainer.child), 'what such a lease names is not signalled')
    demand(!isKnown || hasStopped === (moment === 'act.asked'), 'what ended by itself was not stopped', remarks)
    await pause(100)
    for (const bystander of bystanders) demand(isRunning(bystander), 'a bystander is left alone', remarks)
  } finally {
    for (const { pid: group } of [...bystanders, trainer.child]) kill(group)
  }
}

const TRIES = 20

/** Ends the training, and starts others until one has its number. */
async function replace({ child, pid }: Started, bystanders: ChildProcess[]): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1))
    } catch {
      return
    }
    const bystander = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
    bystanders.push(bystander)
    if (bystander.pid === pid) return
  }
}

interface Started {
  readonly child: ChildProcess
  readonly pid: number
}

async function started(script: string): Promise<Started> {
  const child = spawn('bash', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  return { child, pid: child.pid ?? 0 }
}

/** As klens leaves it, or as no klens would. */
function leaveLease(
  folder: string,
  kind: 'right' | 'group' | 'future' | 'none',
  { pid }: { readonly pid: number },
): void {
  if (kind === 'none') return
  mkdirSync(folder, { recursive: true })
  const holder = {
    pid: kind === 'group' ? -pid : pid,
    birth: birthOf(pid),
    host: hostname(),
    purpose: 'train',
    token: 't',
  }
  const path = join(folder, 'lease.1')
  writeFileSync(path, JSON.stringify(holder))
  const date = Date.now() / 1000 + (kind === 'future' ? 3600 : 0)
  utimesSync(path, date, date)
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

function kill(group: number | undefined): void {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
