import { runBeside } from '../../lab/study/services/beside.js'
import { keepService } from '../../lab/study/services/keep.js'

/** What klens starts of itself where a study has services: no questions of a person, and no answers. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const

/** Runs a program with the services that it needs beside it; its exit code. */
export async function besideHere(file: string): Promise<number> {
  const asked = new AbortController()
  for (const signal of SIGNALS) process.on(signal, () => asked.abort(signal))
  const klens = [process.execPath, process.argv[1] ?? ''] as const
  return runBeside(file, { klens, environment: process.env, asked: asked.signal })
}

/** Keeps a service for as long as it is needed. */
export async function keepServiceHere(folder: string): Promise<void> {
  await keepService(folder, process.env)
}
