import { expect, it } from 'vitest'
import { terminalChart } from './terminal-chart.js'

it('draws a rising line from the lower left to the upper right, with both ends labelled', () => {
  const { lines, envelope } = terminalChart([0, 1, 2, 3], [0, 1, 2, 3], { width: 4, height: 2 })
  expect(lines).toEqual(['3 ┤  ⡠⠊', '0 ┤⡠⠊', '   0  3'])
  expect(envelope).toBe(false)
})

it('keeps a single spike among ten thousand points visible, and says that columns hold several points', () => {
  const steps = Array.from({ length: 10_000 }, (_, i) => i)
  const values = steps.map(step => (step === 5_000 ? 100 : 0))
  const { lines, envelope } = terminalChart(steps, values, { width: 30, height: 4 })
  expect(envelope).toBe(true)
  expect(lines[0].trim()).toMatch(/^100 ┤\s+[\u2801-\u28ff]+$/)
})

it('draws nothing for a series without finite values, and a flat line for a constant one', () => {
  expect(terminalChart([1, 2], [Number.NaN, Number.POSITIVE_INFINITY]).lines).toEqual([])
  expect(terminalChart([1, 2], [5, 5], { width: 4, height: 2 }).lines[0]).toContain('5 ┤')
})

it('draws a few values that would flatten the rest as arrows at the edge, and tells how far they are', () => {
  const steps = Array.from({ length: 200 }, (_, i) => i)
  const values = steps.map(step => (step === 120 ? 4000 : 0.3 + 0.02 * step))
  const { lines, beyond } = terminalChart(steps, values, { width: 30, height: 4 })
  expect(beyond).toEqual({ count: 1, farthest: 4000 })
  expect(lines[0]).toContain('▲')
  expect(lines[0]).toMatch(/^4\.28 ┤/)
  expect(terminalChart(steps, steps).beyond).toBeNull()
})
