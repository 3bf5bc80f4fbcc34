import { describe, expect, it } from 'vitest'
import { searchMatcher } from './run-search.js'

describe('searchMatcher', () => {
  const names = ['kl-0.0/seed0', 'kl-0.1/seed1', 'kl-0.3/seed1', 'kl-0.10/seed10', 'Plain (old)']
  const runs = names.map(name => ({
    name,
    id: `id-${name.length}`,
    source: 'verl',
    status: 'finished',
    tags: ['good'],
    note: name === 'kl-0.3/seed1' ? 'collapsed: see https://wiki/42' : '',
  }))
  const found = (search: string) => runs.filter(searchMatcher(search)).map(({ name }) => name)

  it.each([
    ['', names],
    ['collapsed wiki', ['kl-0.3/seed1']],
    ['KL-0.1 VERL', ['kl-0.1/seed1', 'kl-0.10/seed10']],
    ['kl-0.1/*', ['kl-0.1/seed1']],
    ['kl-0.?/seed1', ['kl-0.1/seed1', 'kl-0.3/seed1']],
    ['seed?', []],
    ['kl-0\\.[01]/', ['kl-0.0/seed0', 'kl-0.1/seed1']],
    ['kl-0.*/seed1$', ['kl-0.1/seed1', 'kl-0.3/seed1']],
    ['^(?:plain|kl-0.3)', ['kl-0.3/seed1', 'Plain (old)']],
    ['go*d seed0', ['kl-0.0/seed0']],
    // Not yet an expression, or a name with such signs.
    ['kl-[', []],
    ['(old)', ['Plain (old)']],
  ])('finds by %s', (search, expected) => {
    expect(found(search)).toEqual(expected)
  })
})
