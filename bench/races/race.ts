import type { Figures } from '../benchmark.js'
import type { Spent } from '../measure.js'

/** How a race is run and told. `ratio` is always how many times as fast klens is: the peer's time over klens's. */

export interface Runner<Trial extends Spent = Spent> {
  readonly run: () => Promise<Trial>
  /** Only so many rounds, for a peer that takes minutes. */
  readonly atMost?: number
}

/** The best trial of each. They take turns, so that other work of the machine meets all of them. */
export async function interleaved<Name extends string>(
  runners: { readonly [name in Name]: Runner },
  rounds: number,
): Promise<{ readonly [name in Name]: Spent }> {
  const best = new Map<string, Spent>()
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { run, atMost = rounds }] of Object.entries<Runner>(runners)) {
      if (round >= atMost) continue
      const trial = await run()
      const known = best.get(name)
      if (known === undefined || trial.seconds < known.seconds) best.set(name, trial)
    }
  }
  return Object.fromEntries(best) as { readonly [name in Name]: Spent }
}

export function raced(what: string, ours: Spent, peer: string, theirs: Spent, target: number): Figures {
  const ratio = theirs.seconds / ours.seconds
  return {
    what,
    klens: seconds(ours.seconds),
    'CPU s': ours.cpuSeconds,
    peer,
    "peer's": seconds(theirs.seconds),
    "peer's CPU s": theirs.cpuSeconds,
    ratio,
    'CPU ratio': theirs.cpuSeconds / ours.cpuSeconds,
    target: `≥ ${Number(target.toPrecision(2))}`,
    met: ratio >= target ? 'yes' : 'no',
  }
}

/** A race against a figure alone. */
export function reached(what: string, ours: Spent, figure: string, target: string, met: boolean): Figures {
  return { what, klens: figure, 'CPU s': ours.cpuSeconds, target, met: met ? 'yes' : 'no' }
}

export function seconds(value: number): string {
  return value < 1 ? `${Math.round(value * 10_000) / 10} ms` : `${Math.round(value * 100) / 100} s`
}
