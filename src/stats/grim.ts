/**
 * GRIM (Brown and Heathers 2017): a mean of n scores that are multiples of a grain can only be a multiple of grain / n.
 * A printed mean that no such multiple rounds to is impossible: n, the grain or the mean is not what was said.
 */
export function meanIsPossible(
  mean: number,
  decimals: number,
  n: number,
  { grain = 1 }: { readonly grain?: number } = {},
): boolean {
  const unit = grain / n
  const half = 0.5 * 10 ** -decimals
  const slack = 1e-9 * Math.max(1, Math.abs(mean))
  const nearest = Math.round(mean / unit) * unit
  return Math.abs(nearest - mean) <= half + slack
}
