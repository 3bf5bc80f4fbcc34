/** When a row was written. Trackers write Unix time in any of four units, or ISO 8601; klens keeps Unix seconds. */

/** The year 1985 to 2128 in seconds; smaller numbers are time since the start, which is a metric like any other. */
const EARLIEST = 5e8
const LATEST = 5e9

export function timeFromNumber(value: number): number | null {
  for (const unit of [1, 1e3, 1e6, 1e9]) {
    if (value >= EARLIEST * unit && value <= LATEST * unit) return value / unit
  }
  return null
}

const ISO_8601 =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i

/** A time without a zone is taken as UTC: the log does not say where it was written, and this machine may be elsewhere. */
export function timeFromText(text: string): number | null {
  const match = ISO_8601.exec(text)
  if (match === null) return null
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone = 'Z'] = match
  const milliseconds = Date.UTC(+year, +month - 1, +day, +hour, +minute, +second)
  const seconds = milliseconds / 1000 + Number(`0.${fraction}`) - zoneSeconds(zone)
  return seconds >= EARLIEST && seconds <= LATEST ? seconds : null
}

function zoneSeconds(zone: string): number {
  if (/^[zu]/i.test(zone)) return 0
  const digits = zone.slice(1).replace(':', '')
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2)) * 60
  return zone.startsWith('-') ? -seconds : seconds
}
