import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { z } from 'zod'
import { type Joined, joinServices } from './join.js'
import { type ServiceSpec, serviceSpec, withBlanks } from './spec.js'

/**
 * A program with the services that it needs beside it: `klens study beside FILE`, which is what a queue starts where a
 * study has services. Its own steps come one after the other: the study's services, what is to be made first, the
 * services of this evaluation alone, the program. The exit code is the program's.
 */
export type BesideSpec = z.output<typeof besideSpec>

const words = z.tuple([z.string()], z.string()).readonly()

const besideSpec = z.strictObject({
  /** Of all services of the study. */
  root: z.string(),
  shared: z.array(serviceSpec).readonly(),
  /** Programs that come before the own services, each when the one before has ended well. */
  before: z.array(words).readonly(),
  own: z.array(serviceSpec).readonly(),
  words,
  folder: z.string(),
  environment: z.record(z.string(), z.string()),
})

/** The machine that it runs on, and the process that runs it. */
export interface BesideHost {
  /** The words by which klens is started here. */
  readonly klens: readonly [program: string, ...rest: string[]]
  readonly environment: NodeJS.ProcessEnv
  /** Aborted with the signal that this process got. The group gets it too, and the program with it: this one ends after it. */
  readonly asked: AbortSignal
}

export async function runBeside(path: string, { klens, environment: given, asked }: BesideHost): Promise<number> {
  const spec = besideSpec.parse(JSON.parse(await readFile(path, 'utf8')))
  const joined: Joined[] = []
  const join = async (specs: readonly ServiceSpec[]): Promise<void> => {
    if (specs.length > 0) joined.push(await joinServices(spec.root, specs, klens, asked))
  }
  const run = (command: BesideSpec['words']): Promise<number> => {
    const blanks = new Map(joined.flatMap(each => [...each.blanks]))
    const fill = (text: string): string => withBlanks(text, blanks)
    const environment = Object.entries(spec.environment).map(([name, value]) => [name, fill(value)])
    return exitOf(command.map(fill), spec.folder, { ...given, ...Object.fromEntries(environment) })
  }
  try {
    await join(spec.shared)
    for (const command of spec.before) {
      const code = await run(command)
      if (code !== 0 || asked.aborted) return code
    }
    await join(spec.own)
    return await run(spec.words)
  } catch (error) {
    if (!asked.aborted) throw error
    return codeOf(asked.reason)
  } finally {
    for (const each of joined) each.leave()
  }
}

const FROM_A_SIGNAL = 128

function codeOf(signal: NodeJS.Signals): number {
  return FROM_A_SIGNAL + constants.signals[signal]
}

function exitOf([program, ...rest]: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, { cwd, env, stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? codeOf(signal ?? 'SIGKILL')))
  })
}
