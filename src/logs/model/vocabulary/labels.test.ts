import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { metricLabel, settingLabel, vocabularyTexts } from '../../../text/vocabulary.js'
import { CONFIG_KEYS } from './config-keys.js'
import { METRICS } from './metrics.js'
import { parseUserVocabulary } from './user.js'

const page = new URL('../../../../docs/vocabulary.md', import.meta.url)

describe('labels', () => {
  test('every metric and every setting has one in both languages, and none is left over', () => {
    const expected = [...METRICS.map(row => `metric.${row.canonical}`), ...CONFIG_KEYS.map(row => `config.${row.key}`)]
    const present = Object.keys(vocabularyTexts).filter(key => /^(?:metric|config)\./.test(key))
    expect(present.toSorted()).toEqual(expected.toSorted())
  })

  test('the validation twin of a metric is named after it', () => {
    expect(metricLabel('val.kl.ref', 'en')).toBe('KL to the reference (validation)')
    expect(metricLabel('val.entropy', 'zh')).toBe('熵（验证）')
    expect(metricLabel('val.score', 'en')).toBe('validation score')
  })

  test('a name of the user’s own stands for itself', () => {
    expect(metricLabel('agent.calls', 'zh')).toBe('agent.calls')
    expect(settingLabel('constructor', 'en')).toBe('constructor')
  })
})

test('the vocabulary.yaml shown in docs/vocabulary.md is a good one', () => {
  const example = /```yaml\n(.*?)```/s.exec(readFileSync(page, 'utf8'))?.[1] ?? ''
  const { vocabulary, problems } = parseUserVocabulary(example)
  expect(problems).toEqual([])
  expect(vocabulary.metrics.size).toBe(4)
})
