import { expect, test } from 'vitest'
import { promisesSettings, settingsFromText } from './settings.js'

test('looks for settings under the tags that people give them', () => {
  for (const tag of ['config', 'args/text_summary', 'trainer/Config', 'hyperparameters', 'model_config/text_summary']) {
    expect(promisesSettings(tag)).toBe(true)
  }
  for (const tag of ['sample', 'config/loss', 'reconfig', 'text_summary']) expect(promisesSettings(tag)).toBe(false)
})

test('reads what Python prints for a dict', () => {
  expect(settingsFromText('args', "{'lr': 1e-06, 'clip': True, 'model': {'name': 'qwen'}}")).toEqual({
    lr: 1e-6,
    clip: true,
    'model.name': 'qwen',
  })
})

test('keeps what JSON cannot hold as words', () => {
  expect(settingsFromText('config', 'low: -.inf\nodd: .nan')).toEqual({ low: '-Infinity', odd: 'NaN' })
  expect(settingsFromText('config', '{"odd": NaN}')).toEqual({ odd: 'NaN' })
})

test('finds nothing in a text that holds no settings', () => {
  for (const text of ['', 'We changed it.', '42', '[1, 2]', '|a|b|', 'a: [', '%']) {
    expect(settingsFromText('config', text)).toBeUndefined()
  }
})

test('leaves out what stands for itself', () => {
  expect(settingsFromText('config', 'a: &a {x: *a, y: 1}')).toEqual({ 'a.x': null, 'a.y': 1 })
})

test('is not caught by texts made to catch a parser', () => {
  const bomb = Array.from({ length: 40 }, (_, index) => `k${index}: &k${index} [*k${index - 1}, *k${index - 1}]`)
  const rule = `|a|b|\n|${'-'.repeat(500_000)}x`
  for (const text of [bomb.join('\n'), rule, '['.repeat(30_000), '{"a":'.repeat(100_000)]) {
    expect(settingsFromText('config', text)).toBeUndefined()
  }
})
