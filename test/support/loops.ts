import { errorOfTry, judgeTry } from '../../src/core/analysis/gate/rule.js'

/**
 * Experiment loops of which the truth is known, played by the gate's rule and by the habit that it replaces: keep what the
 * last evaluation calls higher. Both propose, train and pay alike; only who decides differs.
 */

/** A setting: what it is worth in truth, and one more training of it. */
export interface LoopSetting {
  readonly id: string
  readonly truth: number
  /** `score`: what `compare` makes of a run, the mean at its end; `last`: its last evaluation. `at`: trainings of the loop so far. */
  readonly train: (at: number) => { readonly score: number; readonly last: number }
}

export interface LoopWorld {
  readonly start: LoopSetting
  /** What is tried next; `passed` has those let go so far with how they scored against the incumbent, in standard errors. */
  readonly propose: (incumbent: LoopSetting, passed: readonly PassedTry[]) => LoopSetting
}

export interface PassedTry {
  readonly setting: LoopSetting
  readonly distance: number
}

export interface LoopEnd {
  readonly truth: number
  readonly kept: number
  /** Kept though no better than what it replaced. */
  readonly falselyKept: number
  readonly trainings: number
  readonly tries: number
}

export interface LoopLimits {
  readonly trainings?: number
  readonly tries?: number
}

const ENDLESS = Number.POSITIVE_INFINITY
/** Proposals in a row that the ledger answers: nothing is left to try. */
const ALL_KNOWN = 100

/** A setting that was let go is proposed again with one more run, unless it was behind: then the ledger answers. */
export function playGate({ start, propose }: LoopWorld, { trainings = ENDLESS, tries = ENDLESS }: LoopLimits): LoopEnd {
  const scores = new Map<string, number[]>()
  const behind = new Map<string, string>()
  const passed: PassedTry[] = []
  let [used, done, kept, falselyKept, carried, idle] = [0, 0, 0, 0, 0, 0]
  let incumbent = start
  let isUnmeasured = false
  const of = ({ id }: LoopSetting): number[] => {
    const own = scores.get(id) ?? []
    scores.set(id, own)
    return own
  }
  const train = (setting: LoopSetting): void => {
    used += 1
    of(setting).push(setting.train(used).score)
  }
  while (used < trainings && done < tries && idle < ALL_KNOWN) {
    const candidate = propose(incumbent, passed)
    if (behind.get(candidate.id) === incumbent.id) {
      idle += 1
      continue
    }
    idle = 0
    done += 1
    const error = errorOfTry(done) + carried
    carried = 0
    const seen = of(incumbent).length
    const before = of(candidate).length
    train(candidate)
    let looked = 0
    for (;;) {
      const baseline = of(incumbent)
      const others = [...scores].filter(([id]) => id !== incumbent.id && id !== candidate.id).map(([, each]) => each)
      const judged = judgeTry(
        {
          baseline,
          fresh: baseline.slice(seen),
          candidate: of(candidate),
          candidateBefore: before,
          candidateLooked: Math.max(before, looked),
          others,
          isUnmeasured: isUnmeasured && baseline.length === seen,
          progress: 1,
        },
        error,
      )
      if (judged.decision === 'keep') {
        kept += 1
        if (candidate.truth <= incumbent.truth) falselyKept += 1
        incumbent = candidate
        isUnmeasured = true
        carried = error
        break
      }
      if (baseline.length > seen) isUnmeasured = false
      if (judged.decision === 'discard' || used >= trainings) {
        const { mean = 0, standardError = 1 } = judged.difference ?? {}
        const at = passed.findIndex(({ setting }) => setting.id === candidate.id)
        passed.splice(at < 0 ? passed.length : at, 1, { setting: candidate, distance: mean / standardError })
        if (mean < 0) behind.set(candidate.id, incumbent.id)
        break
      }
      const { what, n } = judged.more ?? { what: 'candidate', n: 1 }
      if (what === 'candidate') looked = of(candidate).length
      for (let i = 0; i < n; i += 1) train(what === 'baseline' ? incumbent : candidate)
    }
  }
  return { truth: incumbent.truth, kept, falselyKept, trainings: used, tries: done }
}

export function playHabit(
  { start, propose }: LoopWorld,
  { trainings = ENDLESS, tries = ENDLESS }: LoopLimits,
): LoopEnd {
  let [used, done, kept, falselyKept] = [1, 0, 0, 0]
  let incumbent = start
  let bar = start.train(1).last
  const passed: PassedTry[] = []
  while (used < trainings && done < tries) {
    const candidate = propose(incumbent, passed)
    used += 1
    done += 1
    const { last } = candidate.train(used)
    if (last > bar) {
      kept += 1
      if (candidate.truth <= incumbent.truth) falselyKept += 1
      incumbent = candidate
      bar = last
    } else {
      passed.push({ setting: candidate, distance: last - bar })
    }
  }
  return { truth: incumbent.truth, kept, falselyKept, trainings: used, tries: done }
}
