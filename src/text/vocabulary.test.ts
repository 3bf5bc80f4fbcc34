import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CONFIG_KEYS } from '../model/vocabulary/config-keys.js'
import { METRICS } from '../model/vocabulary/metrics.js'
import { parseUserVocabulary } from '../model/vocabulary/user.js'
import { metricLabel, settingLabel, vocabularyTexts } from './vocabulary.js'
import { vocabularyNotes } from './vocabulary-notes.js'

const model = new URL('../model/vocabulary/', import.meta.url)
const page = new URL('../../docs/vocabulary.md', import.meta.url)

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

describe('notes', () => {
  test('every sentence that the model refers to exists', () => {
    const source = readdirSync(model)
      .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map(name => readFileSync(new URL(name, model), 'utf8'))
      .join('\n')
    const named = [...source.matchAll(/'((?:metric-note|setting|trap|user-vocabulary)\.[\w.-]*\w)'/g)].map(
      found => found[1],
    )
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter(key => key !== undefined && !Object.hasOwn(vocabularyNotes, key))).toEqual([])
  })

  test.each(Object.entries(vocabularyNotes))('%s takes the same parameters in both languages', (_, { en, zh }) => {
    const parameters = (text: string) => new Set([...text.matchAll(/\{([^{}|]+)[^{}]*\}/g)].map(found => found[1]))
    expect(parameters(zh)).toEqual(parameters(en))
  })
})

test('the vocabulary.yaml shown in docs/vocabulary.md is a good one', () => {
  const example = /```yaml\n(.*?)```/s.exec(readFileSync(page, 'utf8'))?.[1] ?? ''
  const { vocabulary, problems } = parseUserVocabulary(example)
  expect(problems).toEqual([])
  expect(vocabulary.metrics.size).toBe(4)
})
