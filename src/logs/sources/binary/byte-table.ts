/**
 * Logs repeat the same few names millions of times. This table finds what belongs to a name by its bytes, so that a
 * name is decoded to a string once, not once per point. Mostly in the same order, too: the name that followed last time
 * is tried first, which spares hashing.
 */
interface ByteTable<Entry> {
  find(bytes: Buffer, start: number, end: number): Entry
  clear(): void
}

interface Slot<Entry> {
  readonly key: Buffer
  readonly entry: Entry
  readonly next: Slot<Entry> | undefined
  /** What was looked for after this one. */
  follower: Slot<Entry> | undefined
}

/** `make` builds the entry of a name seen for the first time. When full, the table starts again: memory stays bounded. */
export function byteTable<Entry>(
  make: (bytes: Buffer, start: number, end: number) => Entry,
  { capacity = 65_536 } = {},
): ByteTable<Entry> {
  const slots = new Map<number, Slot<Entry>>()
  let size = 0
  let last: Slot<Entry> | undefined

  function find(bytes: Buffer, start: number, end: number): Entry {
    const likely = last?.follower
    if (likely !== undefined && equals(likely.key, bytes, start, end)) {
      last = likely
      return likely.entry
    }
    const slot = slotOf(bytes, start, end)
    if (last !== undefined) last.follower = slot
    last = slot
    return slot.entry
  }

  function slotOf(bytes: Buffer, start: number, end: number): Slot<Entry> {
    const hash = hashOf(bytes, start, end)
    for (let slot = slots.get(hash); slot !== undefined; slot = slot.next) {
      if (equals(slot.key, bytes, start, end)) return slot
    }
    const entry = make(bytes, start, end)
    if (size >= capacity) clear()
    const key = Buffer.from(bytes.subarray(start, end))
    const slot = { key, entry, next: slots.get(hash), follower: undefined }
    slots.set(hash, slot)
    size += 1
    return slot
  }

  function clear(): void {
    slots.clear()
    size = 0
    last = undefined
  }

  return { find, clear }
}

/** A start that no file's author can know: names made to collide would otherwise slow reading to a crawl. */
const HASH_START = Math.trunc(Math.random() * 2 ** 32)

/** FNV-1a, kept to 30 bits so that the map's keys stay small integers. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = HASH_START
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ (bytes[index] ?? 0), 0x01000193)
  return hash & 0x3fff_ffff
}

function equals(key: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (key.length !== end - start) return false
  for (let index = 0; index < key.length; index += 1) if (key[index] !== bytes[start + index]) return false
  return true
}
