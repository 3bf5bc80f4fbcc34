import {
  bytesField,
  doubleField,
  enter,
  floatField,
  leave,
  readDouble,
  readFloat,
  readTag,
  readText,
  readVarint,
  skipField,
  varintField,
  type Wire,
} from '../binary/protobuf.js'

/**
 * What klens takes from a TensorProto: a lone number, or a text. Writers put the number where they like: in a list of
 * floats or doubles, packed or not, or as raw bytes. Everything with dimensions is a picture of something, no point.
 */
export type TensorContent = number | string | undefined

const DTYPE = varintField(1)
const SHAPE = bytesField(2)
const RAW_BYTES = bytesField(4)
const FLOATS = bytesField(5)
const FLOAT = floatField(5)
const DOUBLES = bytesField(6)
const DOUBLE = doubleField(6)
const TEXT = bytesField(8)
/** TensorShapeProto */
const DIMENSION = bytesField(2)

const DT_FLOAT = 1
const DT_DOUBLE = 2

/** Reads the tensor that the wire has been narrowed to. */
export function readTensor(wire: Wire): TensorContent {
  let dtype = 0
  let isScalar = true
  let rawAt = -1
  let number: number | undefined
  let text: string | undefined
  for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
    if (tag === DTYPE) dtype = readVarint(wire)
    else if (tag === SHAPE) isScalar = isRankZero(wire)
    else if (tag === FLOAT) number = readFloat(wire)
    else if (tag === DOUBLE) number = readDouble(wire)
    else if (tag === FLOATS) number = readPacked(wire, readFloat)
    else if (tag === DOUBLES) number = readPacked(wire, readDouble)
    else if (tag === TEXT) text ??= readText(wire)
    else {
      if (tag === RAW_BYTES) rawAt = wire.position
      skipField(wire, tag)
    }
  }
  if (text !== undefined) return text
  if (!isScalar) return undefined
  if (dtype === DT_FLOAT) return number ?? readRaw(wire, rawAt, readFloat)
  if (dtype === DT_DOUBLE) return number ?? readRaw(wire, rawAt, readDouble)
  return undefined
}

function isRankZero(wire: Wire): boolean {
  const outer = enter(wire)
  let rankZero = true
  for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
    if (tag === DIMENSION) rankZero = false
    skipField(wire, tag)
  }
  leave(wire, outer)
  return rankZero
}

function readPacked(wire: Wire, readOne: (wire: Wire) => number): number | undefined {
  const outer = enter(wire)
  const number = wire.position < wire.end ? readOne(wire) : undefined
  leave(wire, outer)
  return number
}

function readRaw(wire: Wire, position: number, readOne: (wire: Wire) => number): number | undefined {
  if (position < 0) return undefined
  wire.position = position
  return readPacked(wire, readOne)
}
