import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json } from '../../../logs/model/json.js'
import { Problem } from '../../../logs/model/problem.js'
import { render } from '../../../text/sentences.js'
import { readStudy } from '../file/read.js'
import { stagesBehind, trialsOf } from '../trial.js'
import { plannedArms } from './arms.js'

function trials(study: object) {
  const read = readStudy('kl.yaml', JSON.stringify({ question: 'does it matter?', ...study }))
  return trialsOf(read.name, plannedArms(read), read.file.seeds)
}

function complaint(study: object): string {
  try {
    trials(study)
  } catch (error) {
    if (error instanceof Problem) return render(error.sentence, 'en')
    throw error
  }
  throw new Error('nothing was refused')
}

const STUDY = {
  base: { epochs: { rce: 0, grpo: 2 } },
  stages: {
    rce: { epochs: { rce: 2, grpo: 0 } },
    easy: { from: 'rce', 'curriculum.order': 'easy-first' },
  },
  from: 'rce',
  arms: {
    kl: { 'kl.loss.coef': 0.1 },
    'no-kl': { 'kl.loss.coef': 0 },
    easy: { from: 'easy' },
    scratch: { from: null },
  },
  seeds: 2,
}

describe('stages', () => {
  it('are shared by all arms that start from them, one for each seed', () => {
    const planned = trials(STUDY)
    expect(stagesBehind(planned).map(({ name }) => name)).toEqual([
      'stage/rce/seed1',
      'stage/easy/seed1',
      'stage/rce/seed2',
      'stage/easy/seed2',
    ])
    const [kl, noKl, easy, scratch] = planned
    expect(kl.start).toBe(noKl.start)
    expect(easy.start?.start?.id).toBe(kl.start?.id)
    expect(scratch.start).toBeNull()
    expect(kl.start?.config).toMatchObject({ seed: 1, epochs: { rce: 2, grpo: 0 } })
    // What starts from nothing is known as it was before there were stages.
    expect(scratch.id).toBe(scratch.settings)
    expect(kl.id).not.toBe(kl.settings)
  })

  it('are the same in another study, under another name', () => {
    const [one] = trials(STUDY)
    const [other] = trials({
      ...{ base: STUDY.base, from: 'warm-up', seeds: [1], name: 'other' },
      stages: { 'warm-up': { epochs: { rce: 2, grpo: 0 } } },
      arms: { a: { 'kl.loss.coef': 0.1 } },
    })
    expect(other.start?.id).toBe(one.start?.id)
    expect(other.id).toBe(one.id)
  })

  it('that change make anew just what comes after them', () => {
    const coefficient = fc.double({ min: 0.001, max: 1, noNaN: true })
    fc.assert(
      fc.property(coefficient, fc.constantFrom('rce', 'easy'), (value, changed) => {
        const before = trials(STUDY)
        const stages = { ...STUDY.stages, [changed]: { ...STUDY.stages[changed], 'rce.temperature.start': 2 + value } }
        const after = trials({ ...STUDY, stages })
        const differing = after.flatMap(({ id, arm }, i) => (id === before[i].id ? [] : [arm.name]))
        const expected = changed === 'rce' ? ['kl', 'no-kl', 'easy'] : ['easy']
        expect(differing).toEqual([...expected, ...expected])
      }),
      { numRuns: 10 },
    )
  })

  it('and trials have one hash, in whatever order their file is written', () => {
    const ids = (study: object): readonly string[] =>
      trials(study)
        .flatMap(({ id, start }) => [id, start?.id ?? ''])
        .sort()
    const expected = ids(STUDY)
    fc.assert(
      fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), order => {
        expect(ids(Object(shuffled(STUDY, order)))).toEqual(expected)
      }),
      { numRuns: 10 },
    )
  })

  it.each([
    ['unknown', { from: 'rec', stages: { rce: {} }, arms: { a: {} } }, '"rec"', 'the stages are: rce'],
    ['circles', { from: 'a', stages: { a: { from: 'b' }, b: { from: 'a' } }, arms: { x: {} } }, 'starts from itself'],
    ['unused', { stages: { rce: {} }, arms: { a: {} } }, 'nothing starts from the stage "rce"'],
    ['wrong', { from: 'rce', stages: { rce: { epochs: { rcee: 1 } } }, arms: { a: {} } }, 'epochs.rcee'],
    ['seeded', { from: 'rce', stages: { rce: { seed: 3 } }, arms: { a: {} } }, 'the study sets names and seeds'],
    ['no settings', { from: 'rce', stages: { rce: 3 }, arms: { a: {} } }, '"stages.rce" must be settings'],
  ])('that are %s are refused', (_, study, ...said) => {
    const told = complaint(study)
    expect(told).toContain('kl.yaml:1:')
    for (const part of said) expect(told).toContain(part)
  })
})

/** The same value with the members of its maps in another order. */
function shuffled(value: Json, order: Iterable<number>): Json {
  const drawn = order[Symbol.iterator]()
  const turn = (each: Json): Json =>
    isJsonObject(each)
      ? Object.fromEntries(
          Object.entries(each)
            .map(([key, child]) => ({ key, child: turn(child), place: Number(drawn.next().value) }))
            .sort((one, other) => one.place - other.place)
            .map(({ key, child }) => [key, child]),
        )
      : each
  return turn(value)
}
