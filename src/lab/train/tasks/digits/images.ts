import { brotliDecompressSync } from 'node:zlib'
import { seededRandom } from '../../../../stats/random.js'
import type { Embeddings } from '../embeddings.js'
import { packedDigits } from './data.js'

/**
 * What the policy sees of an image: a fixed random projection of its pixels mixed with features that have nothing to
 * do with the digit, as the embedding of a photograph holds its light and background beside its subject. The most
 * similar embedding is therefore often not the most similar digit, and there is something to learn: which directions
 * to trust. A shared offset makes all embeddings point much the same way, as CLIP's do.
 */

/** Chosen by measurement (README.md beside this file): the nearest neighbour is far better than chance and far from the best choice. */
const DISTRACTION = 1.5
const DISTRACTIONS = 8
const OFFSET = 0.7

export function embedDigits(digits: Digits, width: number, seed: number): Embeddings {
  const random = seededRandom(seed)
  const features = PIXELS + DISTRACTIONS
  const inputs = inputFeatures(digits, random.normal)
  const projection = Float64Array.from({ length: features * width }, () => random.normal() / Math.sqrt(width))
  const direction = unit(Float64Array.from({ length: width }, () => random.normal()))
  // Pixels and distractions have mean squared lengths 1 and DISTRACTION², and a random projection keeps their sum.
  const offset = OFFSET * Math.sqrt(1 + DISTRACTION ** 2)
  const values = new Float32Array(digits.count * width)
  for (let image = 0; image < digits.count; image += 1) {
    const embedding = direction.map(value => value * offset)
    for (let feature = 0; feature < features; feature += 1) {
      const input = inputs[image * features + feature]
      for (let i = 0; i < width; i += 1) embedding[i] += input * projection[feature * width + i]
    }
    values.set(unit(embedding), image * width)
  }
  return { rows: digits.count, width, values }
}

/** For each image its centred pixels, scaled to a mean squared length of 1, then the distractions. */
function inputFeatures(digits: Digits, normal: () => number): Float64Array {
  const means = new Float64Array(PIXELS)
  for (let i = 0; i < digits.pixels.length; i += 1) means[i % PIXELS] += digits.pixels[i] / digits.count
  let squares = 0
  for (let i = 0; i < digits.pixels.length; i += 1) squares += (digits.pixels[i] - means[i % PIXELS]) ** 2
  const scale = Math.sqrt(digits.count / squares)
  const features = PIXELS + DISTRACTIONS
  const inputs = new Float64Array(digits.count * features)
  for (let image = 0; image < digits.count; image += 1) {
    for (let pixel = 0; pixel < PIXELS; pixel += 1) {
      inputs[image * features + pixel] = (digits.pixels[image * PIXELS + pixel] - means[pixel]) * scale
    }
    for (let i = 0; i < DISTRACTIONS; i += 1) {
      inputs[image * features + PIXELS + i] = (DISTRACTION * normal()) / Math.sqrt(DISTRACTIONS)
    }
  }
  return inputs
}

function unit(vector: Float64Array): Float64Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map(value => value / length)
}

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
