/**
 * Looking while it runs, at a few planned moments: a test at t of the whole may claim at p below its bound, and all looks
 * together claim falsely in at most 5 % (Lan and DeMets 1983, of which 0.05 t² is spent by the share t of the evidence;
 * the bounds follow by recursion on Brownian motion). Looking at every moment instead claims in 40–62 % of equal pairs.
 */
export interface Look {
  /** Share of the planned evidence. */
  readonly share: number
  /** Claims need a p-value below this. */
  readonly level: number
}

export const LOOKS: readonly Look[] = [
  { share: 1 / 8, level: 0.00078 },
  { share: 1 / 4, level: 0.0026 },
  { share: 1 / 2, level: 0.0104 },
  { share: 1, level: 0.043 },
]
