import {
  bytesField,
  doubleField,
  readBytes,
  readDouble,
  readTag,
  readVarint,
  skipField,
  varintField,
  wireOver,
} from './protobuf.js'

/**
 * A message with all its fields at hand, for messages that come once or a few times per file: convenient, not fast.
 * As in proto3, an absent field reads as '', 0 or nothing, and of a field given twice the last counts.
 */
export interface Message {
  text(field: number): string
  texts(field: number): readonly string[]
  integer(field: number): number
  double(field: number): number
  bytes(field: number): Buffer | undefined
  allBytes(field: number): readonly Buffer[]
  message(field: number): Message | undefined
  /** A google.protobuf.Timestamp in Unix seconds. */
  seconds(field: number): number | undefined
  messages(field: number): readonly Message[]
  has(field: number): boolean
}

export function parseMessage(bytes: Buffer): Message {
  const pieces = new Map<number, Buffer[]>()
  const numbers = new Map<number, number>()
  const wire = wireOver(bytes)
  for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
    const field = tag >>> 3
    if (tag === bytesField(field)) {
      const known = pieces.get(tag)
      if (known === undefined) pieces.set(tag, [readBytes(wire)])
      else known.push(readBytes(wire))
    } else if (tag === varintField(field)) numbers.set(tag, readVarint(wire))
    else if (tag === doubleField(field)) numbers.set(tag, readDouble(wire))
    else skipField(wire, tag)
  }
  const all = (field: number): readonly Buffer[] => pieces.get(bytesField(field)) ?? []
  const message = (field: number): Message | undefined => all(field).map(parseMessage).at(-1)
  return {
    text: field => all(field).at(-1)?.toString('utf8') ?? '',
    texts: field => all(field).map(piece => piece.toString('utf8')),
    integer: field => numbers.get(varintField(field)) ?? 0,
    double: field => numbers.get(doubleField(field)) ?? 0,
    bytes: field => all(field).at(-1),
    allBytes: all,
    message,
    seconds(field) {
      const timestamp = message(field)
      return timestamp && timestamp.integer(1) + timestamp.integer(2) / 1e9
    },
    messages: field => all(field).map(parseMessage),
    has: field => pieces.has(bytesField(field)) || numbers.has(varintField(field)) || numbers.has(doubleField(field)),
  }
}
