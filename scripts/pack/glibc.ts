import type { Entry } from './entries.js'

/**
 * The oldest glibc that all of these binaries start with. A binary names the version of every symbol it takes from glibc
 * ("GLIBC_2.28"), so the newest name decides. The wheel's tag and the launcher's sentence are made from this: they stay
 * true when Node or DuckDB is raised.
 */
export function requiredGlibc(entries: readonly Entry[]): string {
  const minors = entries
    .filter(isBinary)
    .flatMap(({ bytes }) => neededMinors(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)))
  if (minors.length === 0) throw new Error('no file among those to be packed names a version of glibc')
  return `2.${minors.reduce((newest, minor) => Math.max(newest, minor))}`
}

function isBinary({ bytes }: Entry): boolean {
  return Buffer.from(bytes.subarray(0, 4)).equals(Buffer.from('\x7fELF'))
}

function neededMinors(bytes: Buffer): number[] {
  return [...bytes.toString('latin1').matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor))
}
