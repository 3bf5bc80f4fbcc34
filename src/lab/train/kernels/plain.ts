/**
 * The kernels as one would write them on a blackboard. In float64 they are the oracle that the SIMD kernels and the
 * parity with the original are checked against; they are 10 to 60 times slower.
 */
import type { AdamRates, Kernels } from './kernels.js'
import { plainDecoderKernels } from './plain-decoder.js'

export function plainKernels(numbers: () => Float64Array): Kernels {
  return {
    ...plainDecoderKernels(numbers),

    copy(target, source, length) {
      numbers().copyWithin(target, source, source + length)
    },

    matrixVector(y, w, x, rows, columns, stride) {
      const a = numbers()
      for (let r = 0; r < rows; r++) a[y + r] = dot(a, w + r * stride, 1, x, 1, columns)
    },

    transposedVector(y, w, x, rows, columns, stride) {
      const a = numbers()
      for (let c = 0; c < columns; c++) a[y + c] = dot(a, w + c, stride, x, 1, rows)
    },

    addOuter(d, left, right, rows, columns, stride) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) a[d + r * stride + c] += a[left + r] * a[right + c]
      }
    },

    sumOfSquares: (x, length) => dot(numbers(), x, 1, x, 1, length),

    multiplyTransposed(y, x, w, m, n, k, strideY, strideX, strideW) {
      const a = numbers()
      for (let i = 0; i < m; i++) {
        for (let j = 0; j < n; j++) a[y + i * strideY + j] = dot(a, x + i * strideX, 1, w + j * strideW, 1, k)
      }
    },

    multiply(d, g, w, m, n, k, strideD, strideG, strideW, accumulate) {
      const a = numbers()
      for (let i = 0; i < m; i++) {
        for (let c = 0; c < k; c++) {
          const sum = dot(a, g + i * strideG, 1, w + c, strideW, n)
          a[d + i * strideD + c] = accumulate ? a[d + i * strideD + c] + sum : sum
        }
      }
    },

    transposedMultiply(d, g, x, m, n, k, strideD, strideG, strideX, accumulate) {
      const a = numbers()
      for (let j = 0; j < n; j++) {
        for (let c = 0; c < k; c++) {
          const sum = dot(a, g + j, strideG, x + c, strideX, m)
          a[d + j * strideD + c] = accumulate ? a[d + j * strideD + c] + sum : sum
        }
      }
    },

    normaliseRows(out, norms, x, rows, columns, epsilon) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        const row = r * columns
        const norm = Math.sqrt(dot(a, x + row, 1, x + row, 1, columns))
        a[norms + r] = norm
        for (let c = 0; c < columns; c++) a[out + row + c] = a[x + row + c] / Math.max(norm, epsilon)
      }
    },

    normaliseRowsBackward(dx, dOut, out, norms, rows, columns, epsilon) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        const row = r * columns
        const norm = a[norms + r]
        const along = dot(a, out + row, 1, dOut + row, 1, columns)
        for (let c = 0; c < columns; c++) {
          a[dx + row + c] = norm > epsilon ? (a[dOut + row + c] - a[out + row + c] * along) / norm : 0
        }
      }
    },

    adamw(p, m, v, g, length, ...rates) {
      const a = numbers()
      for (let i = 0; i < length; i++) adamwOne(a, p + i, m + i, v + i, a[g + i], rates)
    },

    floorMoments(m, v, length, floor) {
      const a = numbers()
      for (let i = 0; i < length; i++) {
        a[m + i] = a[m + i] + floor - floor
        a[v + i] = Math.max(a[v + i], floor)
      }
    },

    adamwOuter(p, m, v, left, right, rows, columns, ...rates) {
      const a = numbers()
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
          const i = r * columns + c
          adamwOne(a, p + i, m + i, v + i, a[left + r] * a[right + c], rates)
        }
      }
    },
  }
}

function dot(a: Float64Array, x: number, stepX: number, y: number, stepY: number, length: number): number {
  let sum = 0
  for (let i = 0; i < length; i++) sum += a[x + i * stepX] * a[y + i * stepY]
  return sum
}

function adamwOne(a: Float64Array, p: number, m: number, v: number, gradient: number, rates: AdamRates): void {
  const [scale, blendFirst, blendSecond, stepSize, epsilon, decay] = rates
  const g = gradient * scale
  a[m] += blendFirst * (g - a[m])
  a[v] += blendSecond * (g * g - a[v])
  a[p] -= (stepSize * a[m]) / (Math.sqrt(a[v]) + epsilon) + decay * a[p]
}
