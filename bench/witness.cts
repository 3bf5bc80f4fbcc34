const fs: typeof import('node:fs') = require('node:fs')

/**
 * Loaded into a child process, as CommonJS because Node would start its loader of ES modules else; when that ends, it reports on channel 3 what the process has needed. The peak comes from
 * /proc where there is one: `maxRSS` of a child counts what its parent held when it was forked.
 */
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const cpuSeconds = (user + system) / 1e6
  const report = { cpuSeconds, mainSeconds: mainSeconds() ?? cpuSeconds, peakBytes: peakKilobytes() * 1024 }
  fs.writeSync(3, JSON.stringify(report))
})

function peakKilobytes(): number {
  try {
    const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync('/proc/self/status', 'utf8')) ?? []
    if (peak !== undefined) return Number(peak)
  } catch {
    // No /proc on this system.
  }
  return process.resourceUsage().maxRSS
}

/** Nanoseconds that the first thread has run stand first in its schedule. */
function mainSeconds(): number | null {
  try {
    return Number(fs.readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e9
  } catch {
    return null
  }
}
