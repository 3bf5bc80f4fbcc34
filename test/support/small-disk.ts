import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { system } from '../hostile.js'

/** A disk of this size, or null where we may not mount one. */
export function smallDisk(folder: string, kilobytes: number): string | null {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  if (process.getuid?.() !== 0) return null
  if (!system('mount -t tmpfs -o "$@"', `size=${kilobytes}k`, 'tmpfs', disk)) return null
  onTestFinished(() => void system('umount "$1"', disk))
  return disk
}
