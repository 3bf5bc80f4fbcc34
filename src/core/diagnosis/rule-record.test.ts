import { expect, it } from 'vitest'
import { render } from '../../text/sentences.js'
import { RULES } from './registry.js'
import { RULE_RECORD, recordOf } from './rule-record.js'

const rows = Object.entries(RULE_RECORD).map(([id, record]) => ({ id, kinds: [record?.lab, record?.public] }))

it('is kept of rules that there are', () => {
  const ids = new Set(RULES.map(({ id }) => id))
  expect(rows.filter(({ id }) => !ids.has(id))).toEqual([])
})

it('has errors right nine times in ten, where there were ten', () => {
  const poor = rows.filter(({ kinds }) => {
    const [fired, right] = [0, 1].map(at => kinds.reduce((sum, kind) => sum + (kind?.error[at] ?? 0), 0))
    return fired >= 10 && right < 0.9 * fired
  })
  expect(poor).toEqual([])
})

it('is told in words, errors and warnings apart', () => {
  expect(render(recordOf('kl-runaway'), 'en')).toContain('60 of 60 errors in the labs')
  expect(render(recordOf('kl-runaway'), 'zh')).toContain('实验中的错误 60 次中 60 次')
  expect(render(recordOf('logging-trap'), 'en')).toContain('not yet raised an error or warning')
})
