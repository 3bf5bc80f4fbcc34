import { open } from 'node:fs/promises'
import type { JsonObject } from '../model/json.js'
import { makeFileAtomically } from '../store/atomic.js'
import { OWN_METADATA } from './safetensors-read.js'
import { byteCount, type Tensor } from './tensor.js'
import { STATE_PREFIX } from './weights-file.js'

/** Writes safetensors, tensor by tensor: whole or not at all, and in constant memory. */

/** The reference implementation pads the header so that the tensors begin at a multiple of eight. */
const ALIGNMENT = 8

/** `metadata`: what other readers look for in the header; `about` is klens's own. */
export async function writeSafetensors(
  path: string,
  tensors: readonly Tensor[],
  about: JsonObject,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  // Largest elements first keeps every tensor aligned without gaps, which the format forbids.
  const ordered = tensors.toSorted((a, b) => elementBytes(b) - elementBytes(a))
  const header: [string, unknown][] = []
  const own = Object.keys(about).length > 0 ? { [OWN_METADATA]: JSON.stringify(about) } : {}
  const allMetadata = { ...metadata, ...own }
  if (Object.keys(allMetadata).length > 0) header.push(['__metadata__', allMetadata])
  let end = 0
  for (const tensor of ordered) {
    const from = end
    end += byteCount(tensor)
    const name = tensor.part === 'state' ? STATE_PREFIX + tensor.name : tensor.name
    header.push([name, { dtype: tensor.dtype, shape: tensor.shape, data_offsets: [from, end] }])
  }
  const text = Buffer.from(JSON.stringify(Object.fromEntries(header)))
  const padded = Buffer.alloc(Math.ceil(text.length / ALIGNMENT) * ALIGNMENT, ' ')
  text.copy(padded)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(padded.length))
  await makeFileAtomically(path, async beside => {
    const file = await open(beside, 'wx')
    try {
      await file.writeFile(Buffer.concat([length, padded]))
      for (const tensor of ordered) for await (const piece of tensor.bytes()) await file.writeFile(piece)
    } finally {
      await file.close()
    }
  })
}

function elementBytes(tensor: Tensor): number {
  return byteCount({ dtype: tensor.dtype, shape: [1] })
}
