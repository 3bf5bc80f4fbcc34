import { readFile, statfs } from 'node:fs/promises'
import { workerOn } from '../../../core/store/lease.js'
import { isAlive } from '../../../core/store/process.js'
import { runFolder, type Workspace } from '../../../core/store/workspace.js'

/**
 * The machine under a run, as far as it is this one: how much room is left where its log is written, and the process that
 * trains it. A disk that fills up ends more trainings than a bad learning rate. What cannot be known is null.
 */
export interface Machine {
  readonly freeBytes: number | null
  readonly process: TrainingProcess | null
}

interface TrainingProcess {
  readonly pid: number
  readonly isAlive: boolean
  /** Of its life, in cores; with the memory that it holds, told by Linux alone. */
  readonly cores: number | null
  readonly residentBytes: number | null
}

/** `pid` is what the user named; without it, the process that klens itself trains with. */
export async function machineUnder(
  workspace: Workspace,
  { run, folder, pid }: { readonly run: string; readonly folder: string | null; readonly pid: number | null },
): Promise<Machine> {
  const worker = pid === null ? await workerOn(runFolder(workspace, run)) : null
  const trainer = pid ?? (worker?.isHere ? worker.pid : null)
  const place = folder === null ? null : await statfs(folder).catch(() => null)
  return {
    freeBytes: place === null ? null : place.bavail * place.bsize,
    process: trainer === null ? null : await processOf(trainer),
  }
}

async function processOf(pid: number): Promise<TrainingProcess> {
  const alive = isAlive(pid)
  const stat = alive ? await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null) : null
  if (stat === null) return { pid, isAlive: alive, cores: null, residentBytes: null }
  // Fields as proc(5) counts them, behind the name: utime is the 14th, stime the 15th, starttime the 22nd, rss the 24th.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [worked, started, pages] = [fields[11] + fields[12], fields[19], fields[21]]
  const uptime = Number((await readFile('/proc/uptime', 'utf8').catch(() => '')).split(' ')[0])
  const lived = uptime - started / TICKS
  return {
    pid,
    isAlive: true,
    cores: lived > 0 ? worked / TICKS / lived : null,
    residentBytes: pages * PAGE,
  }
}

/** What Linux counts in, on every machine that klens is built for. */
const TICKS = 100
const PAGE = 4096
