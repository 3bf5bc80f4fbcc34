import { readFileSync, writeSync } from 'node:fs'

/**
 * Loaded into a child process; when that ends, it reports on channel 3 what the process has needed. The peak comes from
 * /proc where there is one: `maxRSS` of a child counts what its parent held when it was forked.
 */
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const report = { cpuSeconds: (user + system) / 1e6, peakBytes: peakKilobytes() * 1024 }
  writeSync(3, JSON.stringify(report))
})

function peakKilobytes(): number {
  try {
    const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (peak !== undefined) return Number(peak)
  } catch {
    // No /proc on this system.
  }
  return process.resourceUsage().maxRSS
}
