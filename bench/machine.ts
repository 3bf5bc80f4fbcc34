import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { version } from '@duckdb/node-api'

/** What the figures were measured on, without which they mean nothing. */
export interface Machine {
  readonly date: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  readonly node: string
  readonly duckdb: string
}

export function machine(): Machine {
  const cores = cpus()
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    duckdb: version(),
  }
}

/** Processes that wanted a core during the last minute: what else the machine had to do. */
export function load(): number {
  return loadavg()[0]
}
