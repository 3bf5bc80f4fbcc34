import { createHash } from 'node:crypto'
import { Problem } from '../../../logs/model/problem.js'
import { message } from '../../../text/say.js'
import { withWeights } from '../../weights/open.js'
import { type Tensor, tensorValues } from '../../weights/tensor.js'
import type { FloatArray } from '../kernels/kernels.js'

/** A matrix of embeddings, one row for each item, row after row. */
export interface Embeddings {
  readonly rows: number
  readonly width: number
  readonly values: FloatArray
}

export function rowOf(embeddings: Embeddings, row: number): FloatArray {
  return embeddings.values.subarray(row * embeddings.width, (row + 1) * embeddings.width)
}

/** Cosine similarity of one query with each candidate of its pool. A zero vector is similar to nothing: 0. */
export function similarities(query: FloatArray, candidates: Embeddings, pool: ArrayLike<number>): Float64Array {
  const queryLength = Math.sqrt(dot(query, query))
  return Float64Array.from(pool, row => {
    const candidate = rowOf(candidates, row)
    const lengths = queryLength * Math.sqrt(dot(candidate, candidate))
    return lengths === 0 ? 0 : dot(query, candidate) / lengths
  })
}

/** Positions of the largest values first; equal ones in their order, so that the answer is the same on every machine. */
export function positionsFromLargest(values: ArrayLike<number>): number[] {
  return Array.from(values, (_, position) => position).sort((a, b) => values[b] - values[a] || a - b)
}

function dot(a: FloatArray, b: FloatArray): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i]
  return sum
}

/** Embeddings as people save them: .npy, safetensors, or the original's .pt, read by the weights module, which runs nothing. */
interface EmbeddingFile {
  readonly embeddings: Embeddings
  /** SHA-256 of shape and values, so the same embeddings in another format are the same data. */
  readonly hash: string
}

export async function readEmbeddings(file: string): Promise<EmbeddingFile> {
  const { shape, values } = await readMatrix(file)
  const [rows, width] = shape
  const bad = values.findIndex(value => !Number.isFinite(value))
  if (bad >= 0) {
    const row = Math.floor(bad / width)
    throw new Problem('unreadable', message('embeddings.not-finite', { file, row, column: bad % width }))
  }
  const hash = createHash('sha256').update(`${rows} ${width}\n`).update(new Uint8Array(values.buffer))
  return { embeddings: { rows, width, values }, hash: hash.digest('hex') }
}

interface StoredMatrix {
  readonly shape: readonly number[]
  readonly values: Float32Array<ArrayBuffer>
}

async function readMatrix(file: string): Promise<StoredMatrix> {
  return withWeights(file, async ({ tensors }) => {
    const matrices = tensors.filter(isMatrix)
    if (matrices.length !== 1) {
      throw new Problem('unreadable', message('embeddings.not-one-matrix', { file, count: matrices.length }))
    }
    const [matrix] = matrices
    return { shape: matrix.shape, values: Float32Array.from(await tensorValues(matrix)) }
  })
}

/** Whole numbers are ids or labels that were saved beside, not embeddings. */
function isMatrix({ shape, dtype }: Tensor): boolean {
  return shape.length === 2 && shape[1] > 0 && FLOATS.has(dtype)
}

const FLOATS: ReadonlySet<Tensor['dtype']> = new Set(['F64', 'F32', 'F16', 'BF16'])

/** Queries and candidates go through one projection, so they must be as wide as each other. */
export function checkWidths(queries: Embeddings, queryFile: string, candidates: Embeddings, file: string): void {
  if (queries.width === candidates.width) return
  throw new Problem(
    'unreadable',
    message('embeddings.widths-differ', {
      file,
      width: candidates.width,
      other: queryFile,
      otherWidth: queries.width,
    }),
  )
}
