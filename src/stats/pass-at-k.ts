/**
 * pass@k of one prompt from n samples of which c are right: 1 − C(n − c, k)/C(n, k) (Chen et al. 2021), the share of draws
 * of k among them that hold a right one. Averaged over prompts; its error comes from prompts (`meanOfScores`,
 * `promptDifference`), never from samples.
 */
export function passAtK(right: number, samples: number, k: number): number {
  if (k > samples) throw new Error(`pass@${k} needs at least ${k} samples of a prompt, and there are ${samples}`)
  let allWrong = 1
  for (let i = 0; i < k; i += 1) allWrong *= Math.max(0, samples - right - i) / (samples - i)
  return 1 - allWrong
}
