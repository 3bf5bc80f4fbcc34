import { spawnSync } from 'node:child_process'
import { availableParallelism, homedir, hostname } from 'node:os'
import { delimiter } from 'node:path'
import type { Host } from '../../lab/study/executor/local.js'
import type { Examiner } from '../../lab/study/program/preflight.js'
import { version } from './version.js'

/** The machine that klens runs on, as far as trials want to know it, and klens as it was started. */
export function thisHost(environment: NodeJS.ProcessEnv = process.env): Host {
  return {
    host: hostname(),
    environment,
    cores: availableParallelism(),
    // Asked for by few, and asking takes a while.
    get cards() {
      return cardsOf(environment)
    },
    klens: [process.execPath, process.argv[1]],
    folder: process.cwd(),
    version: version(),
    isLoud: Boolean(environment.KLENS_DEBUG),
  }
}

/** Where a launch from here would find its framework and its files. */
export function whereLaunched(environment: NodeJS.ProcessEnv = process.env): Examiner {
  const { VIRTUAL_ENV = '', PYTHONPATH = '' } = environment
  return {
    folders: [process.cwd()],
    pythonPath: [VIRTUAL_ENV, ...PYTHONPATH.split(delimiter)].filter(folder => folder !== ''),
    home: homedir(),
  }
}

/** Those that klens itself was given, else all. */
function cardsOf({ CUDA_VISIBLE_DEVICES: given, PATH }: NodeJS.ProcessEnv): readonly string[] {
  if (given !== undefined) return given.split(',').filter(card => card.trim() !== '')
  const { stdout } = spawnSync('nvidia-smi', ['--query-gpu=index', '--format=csv,noheader'], {
    encoding: 'utf8',
    env: { PATH },
  })
  return (stdout ?? '').split('\n').filter(line => /^\d+$/.test(line.trim()))
}
