import { describe, expect, it } from 'vitest'
import { factsOf } from './answers.js'
import { failureJudge, type Scored } from './failures.js'

let serial = 0

function scored(
  output: string | null,
  given: Partial<Scored> & { readonly values?: Record<string, number> } = {},
): Scored {
  const { values = {}, ...rest } = given
  const facts = output === null ? null : factsOf(output)
  serial += 1
  return {
    id: `q${serial}`,
    repeat: 0,
    right: false,
    parts: new Map(Object.entries(values)),
    facts,
    choice: null,
    ...rest,
  }
}

const boxed = Array.from({ length: 6 }, () => scored('<think>so</think> \\boxed{1}', { right: true }))

function classOf(failed: Scored, others: readonly Scored[] = boxed, limit: number | null = null) {
  const { class: failure, how } = failureJudge([...others, failed], limit)(failed)
  return [failure, how.key]
}

describe('why an answer failed', () => {
  it.each([
    ['wrong', 'samples.how.form', 'so \\boxed{2}'],
    ['unparsable', 'samples.how.no-form', 'it is two'],
    ['unparsable', 'samples.how.empty', ' \n'],
    ['truncated', 'samples.how.open', '<think>so and so'],
    ['environment', 'samples.how.error', 'tool: HTTP 503 \\boxed{2}'],
    ['environment', 'samples.how.error', 'Traceback (most recent call last):'],
  ])('is %s by %s', (failure, how, output) => {
    expect(classOf(scored(output))).toEqual([failure, how])
  })

  it('is told by a flag, or by a length at the limit', () => {
    expect(classOf(scored('\\boxed{2}', { values: { truncated: 1 } }))).toEqual(['truncated', 'samples.how.flag'])
    expect(classOf(scored('\\boxed{2}', { values: { response_length: 512 } }), boxed, 512)).toEqual([
      'truncated',
      'samples.how.limit',
    ])
    expect(classOf(scored('\\boxed{2}', { values: { response_length: 511 } }), boxed, 512)[0]).toBe('wrong')
    expect(classOf(scored('x', { values: { tool_error: 1 } }))).toEqual(['environment', 'samples.how.flag'])
  })

  it('is told by the format reward, where that tells answers apart', () => {
    const others = [0, 1, 1].map(format => scored('x', { right: true, values: { format } }))
    expect(classOf(scored('x', { values: { format: 0 } }), others)).toEqual(['unparsable', 'samples.how.format'])
    expect(classOf(scored('x', { values: { format: 1 } }), others)).toEqual(['wrong', 'samples.how.format-passed'])
    const alike = [0, 0].map(format => scored('x', { values: { format } }))
    expect(classOf(scored('x', { values: { format: 0 } }), alike)[0]).toBe('unknown')
  })

  it('is told by a missing end token only where most answers have one', () => {
    const ended = Array.from({ length: 3 }, () => scored('done<|im_end|>', { right: true }))
    expect(classOf(scored('and then'), ended)).toEqual(['truncated', 'samples.how.no-end'])
    expect(classOf(scored('and then'), [scored('a'), scored('b'), ...ended.slice(0, 1)])[0]).toBe('unknown')
  })

  it('is told by an extracted answer, or by its lack', () => {
    const others = Array.from({ length: 3 }, () => scored('x', { right: true, choice: '5' }))
    expect(classOf(scored('x', { choice: '6' }), others)).toEqual(['wrong', 'samples.how.choice'])
    expect(classOf(scored('x', { choice: '[INVALID]' }), others)).toEqual(['unparsable', 'samples.how.no-choice'])
  })

  it('is unknown where nothing tells', () => {
    expect(classOf(scored('some words'), [scored('others', { right: true })])).toEqual([
      'unknown',
      'samples.how.nothing',
    ])
    expect(classOf(scored(null), [scored(null, { right: true })])).toEqual(['unknown', 'samples.how.no-text'])
  })
})

describe('final answers', () => {
  it.each([
    ['a \\boxed{\\frac{1}{2}} b', '\\frac{1}{2}'],
    ['first \\boxed{1}, then \\boxed{2}', '2'],
    ['so\n#### 42', '42'],
    ['<answer> yes </answer>', 'yes'],
    ['The answer is 7.', '7.'],
    ['答案是 8', '8'],
    ['\\boxed{never closed', null],
    ['nothing', null],
  ])('of %j is %j', (text, final) => {
    expect(factsOf(text).final).toBe(final)
  })
})
