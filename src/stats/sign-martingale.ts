/**
 * Prompts asked one after the other of two policies, for as long as one likes: of those on which they differ, b speak for
 * the first and c for the second. If neither is better each flip is a fair coin, and
 *
 *   E = 2^(b+c) · B(5 + b, 5 + c) / B(5, 5)
 *
 * is a bet against that which on average never gains; so it ever reaches 20 in at most 5 % of cases (Ville 1939), however
 * often one looks and whenever one stops. The 5 says that a share of flips near one half is expected.
 */
export function signMartingale(forFirst: number, forSecond: number): number {
  const flips = forFirst + forSecond
  return Math.exp(flips * Math.LN2 + logBeta(PRIOR + forFirst, PRIOR + forSecond) - logBeta(PRIOR, PRIOR))
}

const PRIOR = 5
/** One in twenty. */
export const ENOUGH_EVIDENCE = 20

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/** Lanczos 1964, to 15 digits. */
function logGamma(x: number): number {
  const [first, ...others] = LANCZOS
  const sum = others.reduce((total, c, i) => total + c / (x + i), first)
  const t = x + LANCZOS_G - 0.5
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

const LANCZOS_G = 7
const LANCZOS = [
  0.999_999_999_999_809_93, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_13,
  -176.615_029_162_140_59, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
]
