import { expect, it } from 'vitest'
import { QUESTIONS } from '../ask/questions.js'
import { EXPOSED } from './exposed.js'

it('lets nobody who comes through the server run a study file, trust programs or adopt files', () => {
  const starting = ['study-run', 'study-settle', 'study-eval', 'study-adopt', 'study-init']
  for (const name of starting) expect(Object.keys(QUESTIONS)).toContain(name)
  expect(Object.keys(EXPOSED).filter(name => starting.includes(name))).toEqual([])
})
