import { spawnSync } from 'node:child_process'
import { availableParallelism, homedir, hostname } from 'node:os'
import { delimiter } from 'node:path'
import type { Machine } from '../study/executor/local.js'

/** The machine that klens runs on, as far as trials want to know it. */
export function thisMachine(environment: NodeJS.ProcessEnv = process.env): Machine {
  return {
    host: hostname(),
    environment,
    cores: availableParallelism(),
    // Asked for by few, and asking takes a while.
    get cards() {
      return cardsOf(environment)
    },
  }
}

/** Where a launch from here would find its framework and its files. */
export function whereLaunched(environment: NodeJS.ProcessEnv = process.env) {
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
