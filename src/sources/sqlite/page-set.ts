/** A set of page numbers, a bit each: a database of gigabytes has millions of pages. */
export interface PageSet {
  has(page: number): boolean
  add(page: number): void
  clear(): void
}

const BITS_PER_BLOCK = 8192

export function pageSet(): PageSet {
  const blocks = new Map<number, Uint8Array>()
  return {
    has(page) {
      const block = blocks.get(Math.floor(page / BITS_PER_BLOCK))
      return block !== undefined && (block[(page % BITS_PER_BLOCK) >> 3] & (1 << (page & 7))) !== 0
    },
    add(page) {
      const at = Math.floor(page / BITS_PER_BLOCK)
      const block = blocks.get(at) ?? new Uint8Array(BITS_PER_BLOCK / 8)
      blocks.set(at, block)
      block[(page % BITS_PER_BLOCK) >> 3] |= 1 << (page & 7)
    },
    clear: () => blocks.clear(),
  }
}
