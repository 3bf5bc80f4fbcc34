/** Time, so that tests need not wait for it. */
export interface Clock {
  /** Milliseconds. */
  now(): number
  sleep(milliseconds: number): Promise<void>
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
}

/** So many requests at once, and their starts so far apart. A server that asks for a pause gets it from all of them. */
export interface Limiter {
  run<Result>(request: () => Promise<Result>): Promise<Result>
  pause(milliseconds: number): void
}

export interface LimiterOptions {
  readonly concurrency: number
  /** Infinity for no limit. */
  readonly requestsPerMinute: number
  readonly clock: Clock
}

export function createLimiter({ concurrency, requestsPerMinute, clock }: LimiterOptions): Limiter {
  const apart = 60_000 / requestsPerMinute
  const waiting: (() => void)[] = []
  let running = 0
  let nextStart = clock.now()

  async function enter(): Promise<void> {
    // A slot that becomes free is handed to the first in line, so `running` does not change hands.
    if (running >= concurrency) await new Promise<void>(resolve => waiting.push(resolve))
    else running += 1
    const now = clock.now()
    const start = Math.max(now, nextStart)
    nextStart = start + apart
    if (start > now) await clock.sleep(start - now)
  }

  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async run(request) {
      await enter()
      try {
        return await request()
      } finally {
        leave()
      }
    },
    pause(milliseconds) {
      nextStart = Math.max(nextStart, clock.now() + milliseconds)
    },
  }
}
