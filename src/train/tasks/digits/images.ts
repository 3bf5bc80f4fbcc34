import { brotliDecompressSync } from 'node:zlib'
import { packedDigits } from './data.js'

/** The digits as they were published: labels, and images of 64 pixels from 0 to 16. */
export interface Digits {
  readonly count: number
  readonly labels: Uint8Array
  readonly pixels: Uint8Array
  /** Labels, then pixels: what the data hash is taken over. */
  readonly bytes: Uint8Array
}

export const PIXELS = 64
export const INK = 16
export const LABELS = 10

export function readDigits(): Digits {
  const bytes = new Uint8Array(brotliDecompressSync(Buffer.from(packedDigits, 'base64')))
  const count = bytes.length / (PIXELS + 1)
  return { count, labels: bytes.subarray(0, count), pixels: bytes.subarray(count), bytes }
}
