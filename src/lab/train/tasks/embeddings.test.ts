import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { npyFile } from '../../../../test/support/npy.js'
import { refusal } from '../../../../test/support/refusal.js'
import { temporaryFolder } from '../../../../test/workspace.js'
import { readEmbeddings } from './embeddings.js'

const values = [1, -2, 0.5, 4, 8, 0]

function saved(name: string, bytes: Uint8Array): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, bytes)
  return file
}

test('the same embeddings are the same data, whatever the format', async () => {
  const npy = await readEmbeddings(saved('e.npy', npyFile(values, [3, 2])))
  const halves = await readEmbeddings(saved('e.npy', npyFile(values, [3, 2], { type: '<f2' })))
  const safe = await readEmbeddings(saved('e.safetensors', safetensors({ data: [3, 2] }, values)))
  expect(npy.embeddings).toEqual({ rows: 3, width: 2, values: Float32Array.from(values) })
  expect(halves).toEqual(npy)
  expect(safe).toEqual(npy)
  expect((await readEmbeddings(saved('e.npy', npyFile(values, [2, 3])))).hash).not.toBe(npy.hash)
})

test('what torch saves, in both of its formats, is what NumPy and safetensors save of it', async () => {
  const fixture = (name: string) => readEmbeddings(fileURLToPath(new URL(`fixtures/${name}`, import.meta.url)))
  const npy = await fixture('embeddings.npy')
  expect(npy.embeddings).toMatchObject({ rows: 12, width: 16 })
  for (const name of ['embeddings.pt', 'embeddings-legacy.pt', 'embeddings.safetensors', 'named.pt']) {
    expect(await fixture(name), name).toEqual(npy)
  }
})

test('a NaN is refused by row and column', async () => {
  const file = saved('e.npy', npyFile([0, 1, 2, Number.NaN], [2, 2]))
  expect(await refusal(readEmbeddings(file))).toMatch(`${file}: row 1, column 1 is not a finite number`)
})

test.each([
  ['a vector', npyFile(values, [6])],
  ['whole numbers', npyFile(values, [3, 2], { type: '<i8' })],
  ['two matrices', safetensors({ a: [1, 2], b: [2, 2] }, values)],
])('%s is refused, because which row belongs to which item would be a guess', async (_, bytes) => {
  expect(await refusal(readEmbeddings(saved('e.bin', bytes)))).toMatch('one matrix of embeddings is needed')
})

test('a file that was cut off or is not there is refused by name', async () => {
  const file = saved('e.npy', npyFile(values, [3, 2]).subarray(0, -4))
  expect(await refusal(readEmbeddings(file))).toMatch(file)
  expect(await refusal(readEmbeddings('/nowhere/e.npy'))).toMatch('/nowhere/e.npy')
})

/** As the format says: the length of a JSON header, the header, the numbers. */
function safetensors(shapes: { readonly [name: string]: readonly number[] }, numbers: readonly number[]): Buffer {
  let at = 0
  const header = Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      const start = at
      at += 4 * shape.reduce((product, size) => product * size, 1)
      return [name, { dtype: 'F32', shape, data_offsets: [start, at] }]
    }),
  )
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, Buffer.from(Float32Array.from(numbers).buffer)])
}
