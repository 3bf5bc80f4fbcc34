import type { ParameterSet } from './matrix/parameters.js'
import type { Values } from './training-state.js'

/**
 * A reference that moves: before every so many further steps it becomes
 *
 *   mixup · policy + (1 − mixup) · reference      (TRL's `sync_ref_model`; TR-DPO, Gorbatovski et al. 2024)
 *
 * With a mixup of 1 that is a reset: the KL begins at 0 again, and the steps up to the next one are a leg of the run. With a
 * small one after every step the reference is a moving average of the policy.
 */
interface SyncSettings {
  /** In steps of the run; null: the reference stays where it is. */
  readonly steps: number | null
  readonly mixup: number
}

/** `done`: steps that the policy has behind it. */
export function moveReference(
  reference: ParameterSet,
  policy: ParameterSet,
  { steps, mixup }: SyncSettings,
  done: number,
): void {
  if (steps === null || done === 0 || done % steps !== 0) return
  const own = policy.read()
  reference.load(mixup === 1 ? own : mixed(reference.read(), own, mixup))
}

function mixed(reference: Values, policy: Values, mixup: number): Values {
  return new Map(
    [...reference].map(([name, values]) => {
      const own = policy.get(name) ?? values
      return [name, Float64Array.from(values, (value, i) => mixup * own[i] + (1 - mixup) * value)]
    }),
  )
}

/** What the next step is logged with: the leg that it belongs to. Nothing where the reference is never reset. */
export function legMetrics({ steps, mixup }: SyncSettings, done: number): { readonly [name: string]: number } {
  return steps === null || mixup < 1 ? {} : { 'ref.resets': Math.floor(done / steps) }
}
