import { describe, expect, test } from 'vitest'
import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import { CONFIG_KEYS } from './config-keys.js'
import { FRAMEWORKS } from './framework.js'
import { QUIRKS } from './metric-index.js'
import { METRICS } from './metrics.js'
import { looseName } from './names.js'

const COLUMNS = [...FRAMEWORKS, 'any'] as const

describe('the tables', () => {
  test.each(FRAMEWORK_DATA)(
    'hold every metric and setting that the file of $id names',
    ({ metrics, also, settings }) => {
      const canonical = new Set(METRICS.map(row => row.canonical))
      const keys = new Set(CONFIG_KEYS.map(row => row.key))
      expect(Object.keys({ ...metrics, ...also }).filter(name => !canonical.has(name))).toEqual([])
      expect(Object.keys(settings ?? {}).filter(key => !keys.has(key))).toEqual([])
    },
  )

  test('name every metric and every setting once', () => {
    const metrics = METRICS.map(row => row.canonical)
    const settings = CONFIG_KEYS.map(row => row.key)
    expect(new Set(metrics).size).toBe(metrics.length)
    expect(new Set(settings).size).toBe(settings.length)
  })

  test.each(COLUMNS)('give a name of %s to one metric and to one setting only', column => {
    for (const rows of [METRICS, CONFIG_KEYS]) {
      const names = rows.flatMap(row => [...new Set((row[column] ?? []).map(looseName))])
      expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
    }
  })

  test('let a name stand in only for a second meaning of its own framework', () => {
    for (const row of METRICS) {
      for (const column of COLUMNS) {
        for (const name of row.also?.[column] ?? []) {
          const first = METRICS.find(other => other[column]?.includes(name))
          expect(first?.canonical, name).toBeDefined()
          expect(first?.canonical).not.toBe(row.canonical)
        }
      }
    }
  })

  test('remark on names that stand in them', () => {
    for (const [column, quirks] of QUIRKS) {
      for (const name of quirks.flatMap(({ names }) => names)) {
        const known = METRICS.some(row => row[column]?.includes(name))
        expect(known, `${column} ${name}`).toBe(true)
      }
    }
  })
})
