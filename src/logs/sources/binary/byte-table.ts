/**
 * Logs repeat the same few names millions of times. This table finds what belongs to a name by its bytes, so that what it
 * means is worked out once, not once per point. Most names have numbers already (`scanner.ts`) and are not looked for here.
 */
interface ByteTable<Entry> {
  find(bytes: Buffer, start: number, end: number): Entry
  clear(): void
}

/** `make` builds the entry of a name seen for the first time. When full, the table starts again: memory stays bounded. */
export function byteTable<Entry>(
  make: (bytes: Buffer, start: number, end: number) => Entry,
  { capacity = 65_536 } = {},
): ByteTable<Entry> {
  const entries = new Map<string, Entry>()

  function find(bytes: Buffer, start: number, end: number): Entry {
    // A character for each byte, whatever it is.
    const key = bytes.toString('latin1', start, end)
    let entry = entries.get(key)
    if (entry === undefined) {
      entry = make(bytes, start, end)
      if (entries.size >= capacity) entries.clear()
      entries.set(key, entry)
    }
    return entry
  }

  return { find, clear: () => entries.clear() }
}
