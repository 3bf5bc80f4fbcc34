/** Wall time says what a person waits, CPU time what the work costs: on a busy machine only the second can be trusted. */
export interface Spent {
  readonly seconds: number
  readonly cpuSeconds: number
}

export async function measure<Result>(work: () => Promise<Result>): Promise<Spent & { readonly result: Result }> {
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  const result = await work()
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  return { result, seconds, cpuSeconds: (user + system) / 1e6 }
}

/** Noise only ever adds, so the fastest of several is the nearest to the truth. */
export async function bestOf<Trial extends Spent>(rounds: number, work: () => Promise<Trial>): Promise<Trial> {
  let best = await work()
  for (let round = 1; round < rounds; round += 1) {
    const next = await work()
    if (next.seconds < best.seconds) best = next
  }
  return best
}

export interface Contender {
  readonly name: string
  readonly run: () => Promise<unknown>
}

/** Median seconds of each. They take turns in changing order, so that a passing disturbance meets all of them. */
export async function race(contenders: readonly Contender[], rounds: number): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
  for (const { run } of contenders) for (let warmUp = 0; warmUp < 3; warmUp += 1) await run()
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const { name, run } = contenders[(round + turn) % contenders.length]
      times.get(name)?.push((await measure(run)).seconds)
    }
  }
  return new Map([...times].map(([name, seconds]) => [name, median(seconds)]))
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
