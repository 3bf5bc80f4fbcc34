import { hash } from 'node:crypto'

/**
 * The id that belongs to a hash, of which the first 16 hexadecimal digits count: ten letters and digits, short enough
 * to type, long enough that none comes twice.
 */
export function idFromHash(digits: string): string {
  return BigInt(`0x${digits.slice(0, 16)}`)
    .toString(36)
    .padStart(10, '0')
    .slice(0, 10)
}

export function newId(): string {
  return idFromHash(Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex'))
}

/** SHA-256 as 64 hexadecimal digits: what klens names contents by. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content)
}
