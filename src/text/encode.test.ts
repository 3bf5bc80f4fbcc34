import { describe, expect, it } from 'vitest'
import { encode } from './encode.js'
import { messageAsString, messageFrom, sentences } from './sentences.js'

const say = sentences({ 'runs.found': { en: '{n} {n|run|runs}', zh: '{n} 个 run' } })

describe('an answer at the edge', () => {
  it('has sentences for messages and words for what is no finite number, however deep', () => {
    const answer = {
      said: [say('runs.found', { n: 2 })],
      values: [1, Number.NaN, Number.NEGATIVE_INFINITY],
      none: null,
    }
    expect(encode(answer, 'en')).toEqual({ said: ['2 runs'], values: [1, 'NaN', '-Infinity'], none: null })
    expect(encode(answer, 'zh').said).toEqual(['2 个 run'])
  })

  it('leaves a config alone that happens to have the members of a message', () => {
    const config = { key: 'a', text: 'b', params: {} }
    expect(encode({ config }, 'en')).toEqual({ config })
  })
})

describe('a message as a string', () => {
  it('comes back as it was', () => {
    const message = say('runs.found', { n: 1 })
    expect(messageFrom(messageAsString(message))).toEqual(message)
  })

  it.each(['', '{"key":', '{"key":1}', 'must be a number'])('is none in %j', text => {
    expect(messageFrom(text)).toBeNull()
  })
})
