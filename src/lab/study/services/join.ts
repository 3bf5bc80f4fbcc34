import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import { workerOn } from '../../../core/store/lease.js'
import { birthOf } from '../../../core/store/process.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'
import { blanksOf, type ServiceSpec, serviceFiles, serviceFolder, serviceState } from './spec.js'

/** Services that this process needs until it ends or says otherwise: started where they are not there, joined where they are. */
export interface Joined {
  /** What they fill in the words of a program. */
  readonly blanks: ReadonlyMap<string, string>
  leave(): void
}

const say = sentences({
  'study.service.failed': {
    en: 'the service "{name}" did not become ready: {reason}. What it printed is in {log}',
    zh: '服务“{name}”未能就绪：{reason}。其输出见 {log}',
  },
  'study.service.slow': { en: 'no answer within {seconds} s', zh: '{seconds} 秒内没有应答' },
})

const LOOK_MS = 50
/** For the keeper itself, beside what the service may take. */
const KEEPER_MS = 15_000

/** `klens`: the words by which klens is started here. */
export async function joinServices(
  root: string,
  specs: readonly ServiceSpec[],
  klens: readonly [program: string, ...rest: string[]],
  signal: AbortSignal,
): Promise<Joined> {
  const users = specs.map(spec => userFile(serviceFolder(root, spec)))
  const leave = (): void => {
    for (const user of users) rmSync(user, { force: true })
  }
  try {
    const ports = await Promise.all(specs.map(spec => portOf(serviceFolder(root, spec), spec, klens, signal)))
    const blanks = specs.flatMap(({ name }, i) => {
      const [url, port] = blanksOf(name)
      return [[url, `http://127.0.0.1:${ports[i]}`] as const, [port, String(ports[i])] as const]
    })
    return { blanks: new Map(blanks), leave }
  } catch (error) {
    leave()
    throw error
  }
}

/** Written before the service is looked for: it cannot go away in between. */
function userFile(folder: string): string {
  const users = join(folder, serviceFiles.users)
  mkdirSync(users, { recursive: true })
  const path = join(users, String(process.pid))
  writeFileSync(path, birthOf(process.pid) ?? '')
  return path
}

async function portOf(
  folder: string,
  spec: ServiceSpec,
  [program, ...words]: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<number> {
  const log = join(folder, serviceFiles.log)
  const failed = (reason: Message | string): Problem =>
    new Problem('unreachable', say('study.service.failed', { name: spec.name, reason, log }))
  const deadline = Date.now() + 1000 * spec.seconds + KEEPER_MS
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    if ((await workerOn(folder)) === null) {
      await writeFileAtomically(join(folder, serviceFiles.spec), `${JSON.stringify(spec)}\n`)
      spawn(program, [...words, 'study', 'keep-service', folder], { detached: true, stdio: 'ignore' })
        .on('error', () => {})
        .unref()
      for (let look = 0; look < 100 && (await workerOn(folder)) === null; look += 1) await pause(LOOK_MS)
    }
    const known = await stateIn(folder)
    if (known?.state === 'ready') return known.port
    if (known?.state === 'failed') throw failed(known.reason)
    await pause(LOOK_MS)
  }
  throw failed(say('study.service.slow', { seconds: spec.seconds }))
}

async function stateIn(folder: string) {
  try {
    return serviceState.parse(JSON.parse(await readFile(join(folder, serviceFiles.state), 'utf8')))
  } catch {
    return null
  }
}
