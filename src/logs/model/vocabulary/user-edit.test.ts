import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUserVocabulary } from './user.js'
import { editUserVocabulary, type VocabularyEdit } from './user-edit.js'

function edited(text: string, ...edits: readonly VocabularyEdit[]): string {
  const after = editUserVocabulary(text, edits)
  if (after === null) throw new Error('not editable')
  return after
}

const OWN = `# our names, agreed in March
metrics:
  kl.ref: [my/kl] # k3
  val.score: eval/solved
  agent.calls:
    names: [agent/api_calls]
    unit: calls

config:
  kl.loss.coef:
    - penalty # old
`

describe('an accepted name', () => {
  it('joins the user’s own under its meaning, and comments stay', () => {
    const after = edited(
      OWN,
      { section: 'metrics', canonical: 'kl.ref', name: 'policy/kl' },
      { section: 'metrics', canonical: 'val.score', name: 'x' },
      { section: 'metrics', canonical: 'agent.calls', name: 'y' },
      { section: 'metrics', canonical: 'entropy', name: 'z' },
      { section: 'config', canonical: 'kl.loss.coef', name: 'beta2' },
    )
    expect(after).toBe(`# our names, agreed in March
metrics:
  kl.ref: [my/kl, policy/kl] # k3
  val.score: [eval/solved, x]
  agent.calls:
    names: [agent/api_calls, y]
    unit: calls
  entropy: [z]

config:
  kl.loss.coef:
    - penalty # old
    - beta2
`)
  })

  it('makes the file, or an empty section, where there is none', () => {
    expect(edited('', { section: 'metrics', canonical: 'lr', name: 'a' })).toBe('metrics:\n  lr: [a]\n')
    expect(edited('metrics:\n', { section: 'metrics', canonical: 'lr', name: 'a' })).toContain('lr: [a]')
  })

  it('has one meaning: the last one', () => {
    const text = edited('', { section: 'metrics', canonical: 'lr', name: 'a' }, { section: 'ignore', name: 'a' })
    expect(parseUserVocabulary(text).vocabulary).toMatchObject({ metrics: new Map(), ignored: new Set(['a']) })
    const again = edited(text, { section: 'metrics', canonical: 'entropy', name: 'a' })
    expect(parseUserVocabulary(again).vocabulary).toEqual({
      metrics: new Map([['entropy', { names: ['a'] }]]),
      config: new Map(),
    })
  })
})

it('leaves a file alone that it cannot add to', () => {
  const edit = { section: 'metrics', canonical: 'lr', name: 'a' } as const
  for (const text of ['metrics: [a', '- a', 'metrics: words', 'metrics: {lr: &x [b], entropy: *x}\n']) {
    const after = editUserVocabulary(text, [{ ...edit, canonical: 'entropy' }])
    expect(after, text).toBeNull()
  }
})

it('keeps every name what it is, whatever stands in it', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.constantFrom(
      '- a',
      'a: b',
      '#x',
      '&a',
      '*b',
      '!!js',
      '<b>',
      "it's",
      '"',
      '\u0000',
      'a\nmetrics:\n  x: y',
      'true',
      '1e3',
    ),
  )
  fc.assert(
    fc.property(fc.uniqueArray(hostile, { minLength: 1, maxLength: 4 }), names => {
      const text = edited(OWN, ...names.map(name => ({ section: 'metrics', canonical: 'lr', name }) as const))
      const { vocabulary, problems } = parseUserVocabulary(text)
      expect(vocabulary.metrics.get('lr')?.names).toEqual(names)
      expect([...vocabulary.metrics.keys()].filter(key => key !== 'lr')).toEqual([
        ...parseUserVocabulary(OWN).vocabulary.metrics.keys(),
      ])
      expect(problems).toEqual([])
    }),
  )
})
