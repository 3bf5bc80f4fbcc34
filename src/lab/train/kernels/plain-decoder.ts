/** The decoder's kernels as one would write them on a blackboard; the oracle of those in assembly/. */
import { type DecoderKernels, weightStride } from './decoder-kernels.js'

export function plainDecoderKernels(numbers: () => Float64Array): DecoderKernels {
  return {
    add(target, source, length) {
      const a = numbers()
      for (let i = 0; i < length; i++) a[target + i] += a[source + i]
    },

    gatherRows(out, table, indices, rows, columns) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        const from = table + a[indices + r] * columns
        a.copyWithin(out + r * columns, from, from + columns)
      }
    },

    addToRows(table, indices, x, rows, columns) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) a[table + a[indices + r] * columns + c] += a[x + r * columns + c]
      }
    },

    rmsNorm(out, inverse, x, weight, rows, columns, epsilon) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        const row = r * columns
        const scale = 1 / Math.sqrt(sum(columns, c => a[x + row + c] ** 2) / columns + epsilon)
        a[inverse + r] = scale
        for (let c = 0; c < columns; c++) a[out + row + c] = a[weight + c] * a[x + row + c] * scale
      }
    },

    rmsNormBackward(dx, dWeight, dOut, x, inverse, weight, rows, columns, accumulate) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        const row = r * columns
        const scale = a[inverse + r]
        const along = sum(columns, c => a[dOut + row + c] * a[weight + c] * a[x + row + c]) / columns
        for (let c = 0; c < columns; c++) {
          const slope = a[dOut + row + c]
          const value = a[x + row + c]
          a[dWeight + c] += slope * value * scale
          const result = slope * a[weight + c] * scale - value * scale ** 3 * along
          a[dx + row + c] = accumulate ? a[dx + row + c] + result : result
        }
      }
    },

    rotate(x, positions, cosines, sines, rows, heads, width, direction) {
      const a = numbers()
      const half = width / 2
      for (let r = 0; r < rows; r++) {
        for (let h = 0; h < heads; h++) {
          for (let i = 0; i < half; i++) {
            const angle = a[positions + r] * half + i
            const cosine = a[cosines + angle]
            const sine = a[sines + angle] * direction
            const first = x + (r * heads + h) * width + i
            const [left, right] = [a[first], a[first + half]]
            a[first] = left * cosine - right * sine
            a[first + half] = right * cosine + left * sine
          }
        }
      }
    },

    attend(out, weights, queries, keys, values, rows, past, heads, keyHeads, width) {
      const a = numbers()
      const stride = weightStride(past + rows)
      for (let h = 0; h < heads; h++) {
        const key = Math.floor((h * keyHeads) / heads) * width
        for (let i = 0; i < rows; i++) {
          const seen = past + i + 1
          const w = weights + (h * rows + i) * stride
          const query = queries + (i * heads + h) * width
          const of = (array: number, j: number, c: number): number => a[array + j * keyHeads * width + key + c]
          for (let j = 0; j < seen; j++) {
            a[w + j] = sum(width, c => a[query + c] * of(keys, j, c)) / Math.sqrt(width)
          }
          softmax(a, w, w, seen, 1)
          a.fill(0, w + seen, w + past + rows)
          for (let c = 0; c < width; c++) {
            a[out + (i * heads + h) * width + c] = sum(seen, j => a[w + j] * of(values, j, c))
          }
        }
      }
    },

    attendBackward(
      ...[dQueries, dKeys, dValues, dOut, _scratch, weights, queries, keys, values, rows, past, heads, keyHeads, width]
    ) {
      const a = numbers()
      const stride = weightStride(past + rows)
      const row = keyHeads * width
      for (let h = 0; h < heads; h++) {
        const key = Math.floor((h * keyHeads) / heads) * width
        for (let i = 0; i < rows; i++) {
          const seen = past + i + 1
          const w = weights + (h * rows + i) * stride
          const at = (i * heads + h) * width
          const dWeights = Float64Array.from({ length: seen }, (_, j) =>
            sum(width, c => a[dOut + at + c] * a[values + j * row + key + c]),
          )
          const along = sum(seen, j => a[w + j] * dWeights[j])
          a.fill(0, dQueries + at, dQueries + at + width)
          for (let j = 0; j < seen; j++) {
            const dScore = (a[w + j] * (dWeights[j] - along)) / Math.sqrt(width)
            for (let c = 0; c < width; c++) {
              const k = j * row + key + c
              a[dQueries + at + c] += dScore * a[keys + k]
              a[dKeys + k] += dScore * a[queries + at + c]
              a[dValues + k] += a[w + j] * a[dOut + at + c]
            }
          }
        }
      }
    },

    gated(out, gate, up, length) {
      const a = numbers()
      for (let i = 0; i < length; i++) a[out + i] = (a[gate + i] * a[up + i]) / (1 + Math.exp(-a[gate + i]))
    },

    gatedBackward(dGate, dUp, dOut, gate, up, length) {
      const a = numbers()
      for (let i = 0; i < length; i++) {
        const x = a[gate + i]
        const share = 1 / (1 + Math.exp(-x))
        a[dUp + i] = a[dOut + i] * x * share
        a[dGate + i] = a[dOut + i] * a[up + i] * share * (1 + x * (1 - share))
      }
    },

    softmaxRows(p, normaliser, z, rows, columns, scale) {
      const a = numbers()
      for (let r = 0; r < rows; r++) a[normaliser + r] = softmax(a, p + r * columns, z + r * columns, columns, scale)
    },

    entropyRows(h, p, normaliser, z, rows, columns, scale) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        const row = r * columns
        const logProb = (c: number): number => scale * a[z + row + c] - a[normaliser + r]
        a[h + r] = -sum(columns, c => a[p + row + c] * logProb(c))
      }
    },

    divergenceRows(d, p, normaliser, z, otherNormaliser, other, rows, columns, scale) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        const row = r * columns
        const logProb = (c: number): number => scale * a[z + row + c] - a[normaliser + r]
        const otherLogProb = (c: number): number => scale * a[other + row + c] - a[otherNormaliser + r]
        a[d + r] = sum(columns, c => a[p + row + c] * (logProb(c) - otherLogProb(c)))
      }
    },

    logitSlopes(dz, slopes, entropySlopes, targets, h, p, normaliser, z, rows, columns, scale) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
          const i = r * columns + c
          const onehot = c === a[targets + r] ? 1 : 0
          const logProb = scale * a[z + i] - a[normaliser + r]
          a[dz + i] =
            scale * (a[slopes + r] * (onehot - a[p + i]) - a[entropySlopes + r] * a[p + i] * (logProb + a[h + r]))
        }
      }
    },

    addDivergenceSlopes(dz, slopes, d, p, normaliser, z, otherNormaliser, other, rows, columns, scale) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
          const i = r * columns + c
          const difference = scale * a[z + i] - a[normaliser + r] - (scale * a[other + i] - a[otherNormaliser + r])
          a[dz + i] += scale * a[slopes + r] * a[p + i] * (difference - a[d + r])
        }
      }
    },
  }
}

function sum(count: number, term: (index: number) => number): number {
  let total = 0
  for (let i = 0; i < count; i++) total += term(i)
  return total
}

/** Answers the logarithm of the sum of exponentials. */
function softmax(a: Float64Array, out: number, x: number, length: number, scale: number): number {
  let largest = Number.NEGATIVE_INFINITY
  for (let i = 0; i < length; i++) largest = Math.max(largest, scale * a[x + i])
  for (let i = 0; i < length; i++) a[out + i] = Math.exp(scale * a[x + i] - largest)
  const total = sum(length, i => a[out + i])
  for (let i = 0; i < length; i++) a[out + i] /= total
  return largest + Math.log(total)
}
