import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { QUESTIONS } from './questions.js'

describe('the questions', () => {
  it.each(Object.entries(QUESTIONS))('%s can be told to other programs as JSON Schema', async (_, load) => {
    const { request, answer } = await load()
    const asked = z.toJSONSchema(request, { io: 'input' })
    expect(asked).toMatchObject({ type: 'object', properties: { lang: { enum: ['en', 'zh'] } } })
    expect(z.toJSONSchema(answer)).toMatchObject({ $schema: expect.any(String) })
  })
})
