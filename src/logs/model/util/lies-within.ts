import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve } from 'node:path'

/** Whether a path leads into this folder, whatever links are on the way; of what is not there yet, its folder counts. Without a folder every path does. */
export async function liesWithin(folder: string | null | undefined, path: string): Promise<boolean> {
  if (folder == null) return true
  if (path.includes('\0')) return false
  const top = await realpath(folder).catch(() => null)
  if (top === null) return false
  const whole = resolve(top, path)
  const real = await realpath(whole).catch(() => realpath(dirname(whole)).catch(() => null))
  return real !== null && isBelow(top, real)
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && way.split(/[/\\]/)[0] !== '..'
}
