import { type ChildProcess, fork } from 'node:child_process'
import type { Workspace } from '../../../core/store/workspace.js'
import { message } from '../../../text/say.js'
import type { PlannedTraining } from './grid.js'
import type { Assignment, FromWorker, ToWorker, TrialOutcome } from './messages.js'

/**
 * Many trainings on all cores, each in a process of its own: one that fails or is killed takes no other with it, and a
 * process that is done with a training takes the next, so that starting up is paid once. Numbers depend on config, data
 * and seed alone; how many run at a time changes nothing but the time it takes.
 */
interface SweepOptions {
  readonly workers: number
  readonly command: WorkerCommand
  readonly fresh: boolean
  readonly code: string
  readonly signal: AbortSignal
  readonly observe: (trial: PlannedTraining, said: FromWorker) => void
  /** Lets the errors of workers through. */
  readonly isLoud: boolean
}

/** A script of Node that serves as a worker (see worker.ts), and the words it is given. */
type WorkerCommand = readonly [program: string, ...words: string[]]

/** Resolves when all trials have ended, or all those begun have stopped; what was not begun has no outcome. */
export async function runSweep(
  { root }: Workspace,
  trials: readonly PlannedTraining[],
  { workers, command, fresh, code, signal, observe, isLoud }: SweepOptions,
): Promise<ReadonlyMap<PlannedTraining, TrialOutcome>> {
  const outcomes = new Map<PlannedTraining, TrialOutcome>()
  const waiting = [...trials]

  async function lane(): Promise<void> {
    let worker: Worker | null = null
    for (let trial = waiting.shift(); trial !== undefined && !signal.aborted; trial = waiting.shift()) {
      const current = trial
      worker ??= startWorker(command, signal, isLoud)
      const outcome = await worker.train({ trial, root, fresh, code }, said => observe(current, said))
      outcomes.set(trial, outcome)
      observe(trial, { type: 'end', outcome })
      if (!worker.alive()) worker = null
    }
    await worker?.dismiss()
  }

  await Promise.all(Array.from({ length: Math.min(workers, trials.length) }, lane))
  return outcomes
}

interface Worker {
  train(assignment: Assignment, hear: (said: FromWorker) => void): Promise<TrialOutcome>
  alive(): boolean
  dismiss(): Promise<void>
}

function startWorker([program, ...words]: WorkerCommand, signal: AbortSignal, isLoud: boolean): Worker {
  const child = fork(program, words, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', isLoud ? 'inherit' : 'ignore', 'ipc'],
  })
  const tell = (said: ToWorker): void => {
    if (child.connected) child.send(said)
  }
  const stop = (): void => tell({ type: 'stop' })
  signal.addEventListener('abort', stop)
  child.once('exit', () => signal.removeEventListener('abort', stop))
  // A process that cannot be started, or a message to one that has just died: `exit` or the lost answer tells the rest.
  child.on('error', () => {})
  return {
    alive: () => isAlive(child),
    train: (assignment, hear) =>
      new Promise(resolve => {
        const lost = (code: number | null, killedBy: string | null): void => {
          child.off('message', listen)
          const how = killedBy ?? `exit code ${code}`
          resolve({ kind: 'failed', reasons: [message('train.worker-lost', { how })] })
        }
        const listen = (said: FromWorker): void => {
          if (said.type !== 'end') {
            hear(said)
            return
          }
          child.off('message', listen)
          child.off('exit', lost)
          resolve(said.outcome)
        }
        child.on('message', listen)
        child.once('exit', lost)
        tell({ type: 'train', assignment })
      }),
    async dismiss() {
      if (!isAlive(child)) return
      const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
      child.disconnect()
      await gone
    },
  }
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}
