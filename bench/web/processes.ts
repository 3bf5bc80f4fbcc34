import { readdirSync, readFileSync } from 'node:fs'

/** What processes cost, as Linux tells it: CPU time of a server with its children, memory of a browser's tab. */

const TICKS_A_SECOND = 100

/** Of a process and those that it has started and that still run. */
export function cpuSecondsOf(pid: number): number {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => statOf(Number(name)) ?? [])
  const family = new Set([pid])
  // Children have been started after their parents, but numbers may begin anew.
  for (let before = 0; before < family.size; ) {
    before = family.size
    for (const each of all) if (family.has(each.parent)) family.add(each.pid)
  }
  return all.filter(each => family.has(each.pid)).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_A_SECOND
}

interface Stat {
  readonly pid: number
  readonly parent: number
  readonly ticks: number
}

/** Null for a process that has ended meanwhile. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ')
    return { pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return null
  }
}

/** Memory that belongs to this process alone, in MB: what closing it would give back. */
export function privateMegabytesOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)].map(([, size]) => Number(size))
  return kilobytes.reduce((sum, size) => sum + size, 0) / 1000
}
