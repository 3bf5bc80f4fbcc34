import type { Clock } from '../../src/lab/endpoint/limiter.js'

/** A clock that moves only when somebody sleeps: the one who wakes first wakes at once. */
export function manualClock(): Clock & { readonly slept: readonly number[] } {
  let time = 0
  const slept: number[] = []
  let sleepers: { readonly wake: number; readonly resolve: () => void }[] = []

  function wakeFirst(): void {
    const first = sleepers.reduce((a, b) => (b.wake < a.wake ? b : a))
    sleepers = sleepers.filter(sleeper => sleeper !== first)
    time = Math.max(time, first.wake)
    first.resolve()
  }

  return {
    slept,
    now: () => time,
    sleep(milliseconds) {
      slept.push(milliseconds)
      return new Promise(resolve => {
        sleepers.push({ wake: time + milliseconds, resolve })
        setImmediate(wakeFirst)
      })
    },
  }
}
