import { expect, it } from 'vitest'
import { timeFromNumber, timeFromText } from './source-helpers.js'

const NOON = Date.UTC(2025, 10, 15, 12) / 1000

it.each([1, 1e3, 1e6, 1e9])('reads Unix time in 1/%d of a second', unit => {
  expect(timeFromNumber(NOON * unit)).toBe(NOON)
})

it.each([0, 12.5, 3600, -NOON, 1e10, Number.NaN, Number.POSITIVE_INFINITY])('does not take %d for a time', value => {
  expect(timeFromNumber(value)).toBeNull()
})

it.each([
  ['2025-11-15T12:00:00Z', 0],
  ['2025-11-15 12:00:00', 0],
  ['2025-11-15T12:00', 0],
  ['2025/11/15 12:00:00', 0],
  ['2025-11-15 12:00:00.250000', 0.25],
  ['2025-11-15 12:00:00,250', 0.25],
  ['2025-11-15T20:00:00+08:00', 0],
  ['2025-11-15T06:30:00-0530', 0],
  ['2025-11-15', -12 * 3600],
])('reads %s, and as UTC where no zone is given', (text, difference) => {
  expect(timeFromText(text)).toBe(NOON + difference)
})

it.each(['', 'now', '12:00', '2025', '0001-01-01', '9999-12-31 00:00:00'])('does not take "%s" for a time', text => {
  expect(timeFromText(text)).toBeNull()
})
