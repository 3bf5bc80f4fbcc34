import { z } from 'zod'
import { median } from '../../../stats/descriptive.js'
import type { Gym, GymTask } from '../gym.js'

/**
 * Moves whose right outcome a person has written down, played in the gym itself: how right is this judge? A question has an
 * answer, a guess, a story or an argument is to pay or not. They were written before the offline judges and are no part of
 * what these go by.
 */
const expectation = z.union([z.literal(['Yes', 'No']), z.literal([0, 1])])
const probeList = z.array(z.tuple([z.string(), z.string(), expectation]))
const probesSchema = z.object({ en: probeList, zh: probeList })

export function probesIn(json: unknown): { readonly [language in 'en' | 'zh']: readonly JudgeProbe[] } {
  const { en, zh } = probesSchema.parse(json)
  const probes = (list: typeof en) => list.map(([task, action, expected]) => ({ task, action, expected }))
  return { en: probes(en), zh: probes(zh) }
}

export interface JudgeProbe {
  readonly task: string
  readonly action: string
  readonly expected: z.output<typeof expectation>
}

export interface JudgeFigures {
  readonly probes: number
  /** The fewest of a kind: questions, moves that deserve pay, moves that do not. */
  readonly fewest: number
  /** Shares of the questions that were judged; null where there are none. */
  readonly answeredRight: number | null
  /** Yes for no, or no for yes. */
  readonly answeredWrong: number | null
  /** Of the moves that deserve it. */
  readonly paid: number | null
  /** Of the moves that do not. */
  readonly paidWrongly: number | null
  readonly failures: number
  /** Seconds, median. */
  readonly latency: number | null
}

/** What is at least half right deserves half of what is to be had. */
const PAYS = 1 / 12

export async function measureJudge(
  gym: Gym<GymTask>,
  tasks: readonly GymTask[],
  probes: readonly JudgeProbe[],
  signal?: AbortSignal,
): Promise<JudgeFigures> {
  const right: boolean[] = []
  const wrong: boolean[] = []
  const paid: boolean[] = []
  const paidWrongly: boolean[] = []
  const seconds: number[] = []
  let failures = 0
  for (const { task: id, action, expected } of probes) {
    signal?.throwIfAborted()
    const task = tasks.find(each => each.id === id)
    if (task === undefined) continue
    const start = performance.now()
    const { feedback, reward } = await gym.open(task).step(action)
    seconds.push((performance.now() - start) / 1000)
    if (reward === null) failures += 1
    else if (typeof expected === 'number') (expected === 1 ? paid : paidWrongly).push(reward > PAYS)
    else {
      right.push(feedback === expected)
      wrong.push(feedback === (expected === 'Yes' ? 'No' : 'Yes'))
    }
  }
  return {
    probes: seconds.length,
    fewest: Math.min(...[right, paid, paidWrongly].map(({ length }) => length).filter(length => length > 0)),
    answeredRight: share(right),
    answeredWrong: share(wrong),
    paid: share(paid),
    paidWrongly: share(paidWrongly),
    failures,
    latency: seconds.length === 0 ? null : median(seconds),
  }
}

function share(outcomes: readonly boolean[]): number | null {
  return outcomes.length === 0 ? null : outcomes.filter(Boolean).length / outcomes.length
}

/** What a judge must reach to be trained on: most of what is right, and hardly anything that is not. */
const FIT = { right: 0.6, wrong: 0.05, fewest: 10 } as const

export function isFit({ fewest, answeredRight, answeredWrong, paid, paidWrongly }: JudgeFigures): boolean {
  return (
    Number.isFinite(fewest) &&
    fewest >= FIT.fewest &&
    (answeredRight ?? 1) >= FIT.right &&
    (paid ?? 1) >= FIT.right &&
    (answeredWrong ?? 0) <= FIT.wrong &&
    (paidWrongly ?? 0) <= FIT.wrong
  )
}
