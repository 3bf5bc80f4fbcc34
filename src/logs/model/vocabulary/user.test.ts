import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseUserVocabulary } from './user.js'

function problems(yaml: string) {
  return parseUserVocabulary(yaml).problems.map(({ key, params }) => [key.replace('user-vocabulary.', ''), params])
}

test('metrics and settings get the names that the user gives them', () => {
  const { vocabulary, problems } = parseUserVocabulary(`
# own loop
metrics:
  kl.ref: [my/kl, other/kl]
  entropy: my/entropy
  agent.calls:
    names: [agent/*]
    unit: calls
    goal: min
  loss.total: { goal: none, unit: null }
config:
  kl.loss.coef: [penalty]
`)
  expect(problems).toEqual([])
  expect([...vocabulary.metrics]).toEqual([
    ['kl.ref', { names: ['my/kl', 'other/kl'] }],
    ['entropy', { names: ['my/entropy'] }],
    ['agent.calls', { names: ['agent/*'], unit: 'calls', goal: 'min' }],
    ['loss.total', { names: [], unit: null, goal: null }],
  ])
  expect([...vocabulary.config]).toEqual([['kl.loss.coef', ['penalty']]])
})

test.each(['', '# nothing yet', 'metrics:', '---'])('a file of %j says nothing, and that is no problem', yaml => {
  expect(parseUserVocabulary(yaml)).toEqual({ vocabulary: { metrics: new Map(), config: new Map() }, problems: [] })
})

describe('what is wrong is told, and the rest is used', () => {
  test('an unknown section is named with the one that was probably meant', () => {
    expect(problems('metric: {kl.ref: [x]}')).toEqual([
      ['unknown-section-meant', { where: 'metric', meant: 'metrics' }],
    ])
    expect(problems('colours: red')).toEqual([
      ['unknown-section', { where: 'colours', known: 'metrics, config, ignore' }],
    ])
  })

  test('a metric that is nearly a known one is kept as new, and the known one is suggested', () => {
    const { vocabulary } = parseUserVocabulary('metrics: {kl.reff: [x]}')
    expect(vocabulary.metrics.has('kl.reff')).toBe(true)
    expect(problems('metrics: {kl.reff: [x]}')).toEqual([['new-metric-meant', { name: 'kl.reff', meant: 'kl.ref' }]])
    expect(problems('config: {kl.loss.cof: [x]}')).toEqual([
      ['new-setting-meant', { name: 'kl.loss.cof', meant: 'kl.loss.coef' }],
    ])
    expect(problems('metrics: {agent.calls: [x], val.kl.ref: [y]}')).toEqual([])
  })

  test('an unknown field and a bad value leave out that metric only', () => {
    const yaml = 'metrics: {kl.ref: {name: [x]}, entropy: {goal: up}, lr: 3, step: [s]}\nconfig: {lr: {a: 1}}'
    expect(problems(yaml)).toEqual([
      ['unknown-field-meant', { where: 'metrics.kl.ref.name', meant: 'names' }],
      ['bad-metric', { name: 'entropy' }],
      ['bad-metric', { name: 'lr' }],
      ['bad-names', { where: 'config.lr' }],
    ])
    expect([...parseUserVocabulary(yaml).vocabulary.metrics.keys()]).toEqual(['step'])
  })

  test('a raw name given to two metrics is a problem', () => {
    expect(problems('metrics: {kl.ref: [x], kl.old: [x]}')).toEqual([
      ['said-twice', { name: 'x', first: 'kl.ref', second: 'kl.old' }],
    ])
  })

  test('a file that is no map, or a section that is none', () => {
    expect(problems('- kl')).toEqual([['no-map', {}]])
    expect(problems('metrics: [kl]')).toEqual([['no-section-map', { section: 'metrics' }]])
  })
})

describe('a file that is broken or hostile', () => {
  test('broken YAML is one problem with the place', () => {
    const [problem] = parseUserVocabulary('metrics:\n  kl.ref: [a').problems
    expect(problem?.key).toBe('user-vocabulary.not-yaml')
    expect(problem?.params.detail).toMatch(/line 2/)
  })

  test('an alias bomb is refused, not expanded', () => {
    const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]']
    for (let i = 1; i < 12; i += 1)
      lines.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(',')}]`,
      )
    expect(problems(`${lines.join('\n')}\nmetrics: {kl.ref: *a11}`).map(([key]) => key)).toEqual(['not-yaml'])
  })

  test('depth, length and the names of an object’s members do no harm', () => {
    expect(problems('['.repeat(100_000)).map(([key]) => key)).toEqual(['not-yaml'])
    expect(problems('x'.repeat(300_000)).map(([key]) => key)).toEqual(['too-long'])
    const { vocabulary } = parseUserVocabulary('metrics: {__proto__: [x], constructor: [y]}')
    expect([...vocabulary.metrics.keys()]).toContain('constructor')
    expect(Object.hasOwn(Object.prototype, 'names')).toBe(false)
  })

  test('no text makes it throw', () => {
    const piece = fc.constantFrom(
      'metrics',
      'config',
      ':',
      ' ',
      '\n',
      '  ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '&a',
      '*a',
      '"',
      '!!',
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(fc.oneof(piece, fc.string({ maxLength: 3 }))).map(list => list.join('')),
    )
    fc.assert(fc.property(text, yaml => Array.isArray(parseUserVocabulary(yaml).problems)))
  })
})
