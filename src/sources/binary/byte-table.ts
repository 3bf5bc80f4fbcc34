/**
 * Logs repeat the same few names millions of times. This table finds what belongs to a name by its bytes, so that a
 * name is decoded to a string once, not once per point.
 */
export interface ByteTable<Entry> {
  find(bytes: Buffer, start: number, end: number): Entry
  clear(): void
}

interface Slot<Entry> {
  readonly key: Buffer
  readonly entry: Entry
  readonly next: Slot<Entry> | undefined
}

/** `make` builds the entry of a name seen for the first time. When full, the table starts anew: memory stays bounded. */
export function byteTable<Entry>(
  make: (bytes: Buffer, start: number, end: number) => Entry,
  { capacity = 65_536 } = {},
): ByteTable<Entry> {
  const slots = new Map<number, Slot<Entry>>()
  let size = 0

  function find(bytes: Buffer, start: number, end: number): Entry {
    const hash = hashOf(bytes, start, end)
    const first = slots.get(hash)
    for (let slot = first; slot !== undefined; slot = slot.next) {
      if (equals(slot.key, bytes, start, end)) return slot.entry
    }
    const entry = make(bytes, start, end)
    if (size >= capacity) clear()
    const key = Buffer.from(bytes.subarray(start, end))
    slots.set(hash, { key, entry, next: slots.get(hash) })
    size += 1
    return entry
  }

  function clear(): void {
    slots.clear()
    size = 0
  }

  return { find, clear }
}

/** A start that no file's author can know: names made to collide would otherwise slow reading to a crawl. */
const HASH_START = Math.trunc(Math.random() * 2 ** 32)

/** FNV-1a, kept to 30 bits so that the map's keys stay small integers. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = HASH_START
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ bytes[index], 0x01000193)
  return hash & 0x3fff_ffff
}

function equals(key: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (key.length !== end - start) return false
  for (let index = 0; index < key.length; index += 1) if (key[index] !== bytes[start + index]) return false
  return true
}
