import { expect, test } from 'vitest'
import { manualClock } from '../../../test/support/manual-clock.js'
import { createLimiter } from './limiter.js'

test('starts requests no closer together than the rate allows', async () => {
  const clock = manualClock()
  const limiter = createLimiter({ concurrency: 10, requestsPerMinute: 60, clock })
  const starts = await Promise.all(Array.from({ length: 4 }, () => limiter.run(async () => clock.now())))
  expect(starts).toEqual([0, 1000, 2000, 3000])
})

test('never runs more at once than allowed, and runs all, also after failures', async () => {
  const limiter = createLimiter({
    concurrency: 3,
    requestsPerMinute: Number.POSITIVE_INFINITY,
    clock: manualClock(),
  })
  let running = 0
  let most = 0
  const request = async (i: number) => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    if (i % 2 === 0) throw new Error('no')
  }
  const results = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => limiter.run(() => request(i))))
  expect(most).toBe(3)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
})

test('holds back every request when the server asks for a pause', async () => {
  const clock = manualClock()
  const limiter = createLimiter({ concurrency: 2, requestsPerMinute: Number.POSITIVE_INFINITY, clock })
  limiter.pause(5000)
  expect(await limiter.run(async () => clock.now())).toBe(5000)
})
