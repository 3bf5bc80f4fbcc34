import { expect } from 'vitest'

/**
 * Compares a gradient with central differences of the loss, entry by entry. The step balances the error of the
 * difference quotient (step²) against rounding (1e-16 / step).
 */
export function expectGradient(
  loss: (values: Float64Array) => number,
  at: Float64Array,
  gradient: Float64Array,
  { step = 1e-5, tolerance = 1e-8 }: { readonly step?: number; readonly tolerance?: number } = {},
): void {
  const differences = at.map((value, i) => {
    const [up, down] = [value + step, value - step].map(moved => loss(at.with(i, moved)))
    return (up - down) / (2 * step)
  })
  for (const [i, expected] of differences.entries()) {
    const scale = Math.max(1, Math.abs(expected))
    expect(Math.abs(gradient[i] - expected) / scale, `entry ${i}: ${gradient[i]}, not ${expected}`).toBeLessThan(
      tolerance,
    )
  }
}
