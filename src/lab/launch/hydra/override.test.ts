import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UNKNOWN } from '../shell/values.js'
import { composeConfig } from './compose.js'
import { parseOverride } from './override.js'

describe("a word of hydra's command line", () => {
  it.each([
    ['a.b=1', { operation: 'set', key: 'a.b', value: 1 }],
    ['a.lr=1e-6', { operation: 'set', key: 'a.lr', value: 1e-6 }],
    ['a=True', { operation: 'set', key: 'a', value: true }],
    ['a=null', { operation: 'set', key: 'a', value: null }],
    ['a=', { operation: 'set', key: 'a', value: '' }],
    ['+a.b=x', { operation: 'add', key: 'a.b', value: 'x' }],
    ["++a.b='x y'", { operation: 'force', key: 'a.b', value: 'x y' }],
    ['~a.b', { operation: 'remove', key: 'a.b', value: null }],
    ['a=[console,wandb]', { operation: 'set', key: 'a', value: ['console', 'wandb'] }],
    [`a=["x","y,z"]`, { operation: 'set', key: 'a', value: ['x', 'y,z'] }],
    ['a=[[1,2],[3]]', { operation: 'set', key: 'a', value: [[1, 2], [3]] }],
    ['a={b:1,c:[2]}', { operation: 'set', key: 'a', value: { b: 1, c: [2] } }],
    ['a@b.c=d', { operation: 'set', key: 'a@b.c', value: 'd' }],
    [`a=x${UNKNOWN}`, { operation: 'set', key: 'a', value: undefined }],
  ])('%s', (word, expected) => expect(parseOverride(word)).toEqual(expected))

  it.each(['', 'plain', '--flag=1', '=1', '1=2'])('%j is none', word => expect(parseOverride(word)).toBeNull())

  it('of any characters is read without an error', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), text => void parseOverride(`a=${text}`)))
    expect(() => parseOverride(`a=${'['.repeat(100_000)}`)).not.toThrow()
    expect(() => parseOverride(`a=${'[1,'.repeat(10_000)}${']'.repeat(10_000)}`)).not.toThrow()
  })
})

describe('a config that hydra composes', () => {
  const files: { readonly [path: string]: string } = {
    main: 'defaults:\n  - base\n  - optim@actor.optim: adam\n  - _self_\nactor:\n  lr: 2\n',
    base: 'actor:\n  lr: 1\n  clip: 0.2\n',
    'optim/adam': 'betas: [0.9, 0.99]\n',
    circle: 'defaults:\n  - circle\na: 1\n',
  }
  const folder = (path: string): string | null => files[path] ?? null

  it('has its parts at their places, its own keys last', () => {
    expect(composeConfig(folder, 'main')).toEqual({ actor: { lr: 2, clip: 0.2, optim: { betas: [0.9, 0.99] } } })
  })

  it('may name itself, or what is not there', () => {
    expect(composeConfig(folder, 'circle')).toEqual({ a: 1 })
    expect(composeConfig(folder, 'nothing')).toBeNull()
  })
})
