import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the built program, also from the sources (tests, benchmarks); null where nothing was built. */
export function builtFile(...parts: readonly string[]): string | null {
  const here = dirname(fileURLToPath(import.meta.url))
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const built = join(folder, 'dist', ...parts)
    if (existsSync(built)) return built
  }
  return null
}
