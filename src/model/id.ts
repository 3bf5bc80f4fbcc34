/** Run ids are ten letters and digits: short enough to type, long enough that none comes twice. */

/** The id that belongs to a hash, of which the first 16 hexadecimal digits count. */
export function idFromHash(hash: string): string {
  return BigInt(`0x${hash.slice(0, 16)}`)
    .toString(36)
    .padStart(10, '0')
    .slice(0, 10)
}

export function newId(): string {
  return idFromHash(Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex'))
}
