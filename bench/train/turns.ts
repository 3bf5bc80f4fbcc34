import { median } from '../../src/stats/descriptive.js'
import type { Contestant, TrainAnswer, TrainRequest } from './contestant.js'

/** Contestants that train at the same time, each on its own; most teams have one member. */
export interface Team {
  readonly name: string
  readonly members: readonly Contestant[]
}

/** One number for each round. */
export interface Speed {
  /** Queries a second of wall time, over all members. */
  readonly perSecond: readonly number[]
  /** The same of the processor's time, which does not count waiting for a core. */
  readonly perCpuSecond: readonly number[]
  /** What the first member answered in the first round. */
  readonly answer: TrainAnswer
}

/** In changing order, so that a passing disturbance meets all of them. */
export async function takeTurns(
  teams: readonly Team[],
  request: TrainRequest,
  { rounds, queryCount }: { readonly rounds: number; readonly queryCount: number },
): Promise<ReadonlyMap<string, Speed>> {
  const answers = new Map<string, TrainAnswer[][]>(teams.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < teams.length; turn += 1) {
      const { name, members } = teams[(round + turn) % teams.length]
      answers.get(name)?.push(await Promise.all(members.map(member => member.train(request))))
    }
  }
  return new Map([...answers].map(([name, ofRounds]) => [name, speedOf(ofRounds, queryCount)]))
}

function speedOf(ofRounds: readonly (readonly TrainAnswer[])[], queryCount: number): Speed {
  // The first pass warms up caches and compilers.
  const rate = (epochs: readonly number[]): number => queryCount / median(epochs.slice(1))
  const perSecond = ofRounds.map(members => members.reduce((sum, { seconds }) => sum + rate(seconds), 0))
  const perCpuSecond = ofRounds.map(
    members => members.reduce((sum, { cpuSeconds }) => sum + rate(cpuSeconds), 0) / members.length,
  )
  return { perSecond, perCpuSecond, answer: ofRounds[0][0] }
}

/** float32 in another order of summation, over some hundred steps. */
const TOLERANCE = 2e-3
const PASSES_TO_COMPARE = 2

/** That all do the same work is seen by their losses and gradient norms, which come out the same. */
export function checkAgreement(what: string, speeds: ReadonlyMap<string, Speed>): void {
  const [[ours, { answer }], ...others] = [...speeds]
  for (const [name, other] of others) {
    for (const figure of ['losses', 'norms'] as const) {
      for (let pass = 0; pass < PASSES_TO_COMPARE; pass += 1) {
        const [expected, found] = [other.answer[figure][pass], answer[figure][pass]]
        if (Math.abs(found - expected) <= TOLERANCE * Math.abs(expected)) continue
        throw new Error(
          `${what}: mean ${figure} of pass ${pass + 1} are ${found} in ${ours} and ${expected} in ${name}`,
        )
      }
    }
  }
}
