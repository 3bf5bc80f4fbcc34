import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { npyFile } from '../../../../../test/support/npy.js'
import { refusal } from '../../../../../test/support/refusal.js'
import { temporaryFolder } from '../../../../../test/workspace.js'
import { render } from '../../../../text/sentences.js'
import { type LeverOptions, leverTask } from './lever.js'

const ROWS = 12

/** Writes a data file and embeddings of 12 items beside it. */
function leverFiles(content: unknown, text = JSON.stringify(content)): LeverOptions & { readonly folder: string } {
  const folder = temporaryFolder()
  const data = join(folder, 'rl_data.json')
  const queryEmbeddings = join(folder, 'queries.npy')
  const candidateEmbeddings = join(folder, 'candidates.npy')
  writeFileSync(data, text)
  const values = Array.from({ length: ROWS * 4 }, (_, i) => Math.fround(Math.sin(i)))
  writeFileSync(queryEmbeddings, npyFile(values, [ROWS, 4]))
  writeFileSync(candidateEmbeddings, npyFile(values, [ROWS, 4]))
  return { folder, data, queryEmbeddings, candidateEmbeddings }
}

const pool = [7, 3, 9, 5]

function choice(pointer: readonly number[], hard: unknown, soft: unknown, more = {}) {
  const scores = { vqa_correct: hard, vqa_acc_score: soft, vqa_eval_mode: 'vqaEval', eval_failed: false }
  const global = pointer.map(position => pool[position])
  return { pointer, pointer_global: global, gen_method: 'beam', logprob_score: -2, ...scores, ...more }
}

/** A file of version 3 with one record changed. */
function versionThree(change: object = {}) {
  const record = {
    query: { query_id: 1, question: 'what?' },
    candidate_pool_ids: pool,
    pointer_candidates: [
      choice([0, 1], 1, 0.9),
      choice([2, 1], 0, 0.3, { gen_method: 'random' }),
      choice([3, 0], 0, 0, { eval_failed: true }),
    ],
  }
  return {
    _meta: { version: 'v3', fix_version: 'v3' },
    '1': { ...record, ...change },
    '0': record,
    '2': record,
    '4': record,
    '11': record,
  }
}

describe('a file with local pointers', () => {
  test('becomes queries in ascending order, split 80 to 20, with pools as given', async () => {
    const task = await leverTask(leverFiles(versionThree()))
    expect(task.queries.map(({ id, split, row }) => [id, split, row])).toEqual([
      ['0', 'train', 0],
      ['1', 'train', 1],
      ['2', 'train', 2],
      ['4', 'train', 4],
      ['11', 'val', 11],
    ])
    expect([...task.queries[0].pool]).toEqual(pool)
    expect(task.queryEmbeddings).toMatchObject({ rows: ROWS, width: 4 })
  })

  test('keeps a failed evaluation as missing, not as 0, and says so', async () => {
    const task = await leverTask(leverFiles(versionThree()))
    const [{ members }] = task.logged
    expect(members.map(({ outcome }) => outcome.kind)).toEqual(['scored', 'scored', 'missing'])
    expect(members[0]).toMatchObject({
      choice: [0, 1],
      outcome: { hard: 1, soft: 0.9 },
      method: 'beam',
      logProbability: -2,
    })
    expect(task.remarks.map(remark => render(remark, 'en').replace(/^.*: /, ''))).toEqual([
      '5 choices of 15 without a usable score; kept as missing, not as 0',
    ])
  })

  test('scores what was logged and nothing else', async () => {
    const task = await leverTask(leverFiles(versionThree()))
    const outcomes = await task.score(task.queries[1], [
      [0, 1],
      [1, 0],
    ])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['scored', 'missing'])
  })

  test('reports what the log knows of baselines', async () => {
    const task = await leverTask(leverFiles(versionThree()))
    const baselines = await task.baselines({ shots: 2, split: 'train', seed: 1 })
    expect(baselines.map(({ name, hard, scored, missing }) => [name, hard, scored, missing])).toEqual([
      ['random', 0, 4, 0],
      ['logged', 0.5, 8, 4],
      ['best', 1, 4, 0],
    ])
    expect(await task.baselines({ shots: 3, split: 'train', seed: 1 })).toEqual([])
  })

  test('drops scores of the fallback metric unless told to keep them', async () => {
    const fallback = {
      pointer_candidates: ['vqaEval', 'vqaEval', 'fallback'].map((mode, i) =>
        choice([i, 3], 1, 0.5, { vqa_eval_mode: mode }),
      ),
    }
    const files = leverFiles(versionThree(fallback))
    const kinds = async (options: LeverOptions) =>
      (await leverTask(options)).logged[1].members.map(({ outcome }) => outcome.kind)
    expect(await kinds(files)).toEqual(['scored', 'scored', 'missing'])
    expect(await kinds({ ...files, fallback: 'keep' })).toEqual(['scored', 'scored', 'scored'])
  })

  test('leaves out records that the fix gave up on or that have too few scores', async () => {
    const content = {
      ...versionThree({ _fix_failed: true, _fix_error: 'x' }),
      '2': { candidate_pool_ids: pool, pointer_candidates: [choice([0, 1], 1, 1), choice([1, 2], null, null)] },
    }
    const task = await leverTask(leverFiles(content))
    expect(task.queries.map(({ id }) => id)).toEqual(['0', '4', '11'])
    const said = task.remarks.map(remark => render(remark, 'en'))
    expect(said[0]).toContain('1 record marked _fix_failed was left out (first: 1)')
    expect(said[1]).toContain('1 record has fewer than two scored choices and was left out (first: 2)')
  })

  test('has another hash when one reward differs', async () => {
    const hash = async (soft: number) =>
      (
        await leverTask(
          leverFiles(versionThree({ pointer_candidates: [choice([0, 1], 1, soft), choice([1, 2], 0, 0)] })),
        )
      ).dataHash
    expect(await hash(0.9)).not.toBe(await hash(0.8))
    expect(await hash(0.9)).toBe(await hash(0.9))
  })

  test('says when a query can be shown its own answer', async () => {
    const own = {
      candidate_pool_ids: pool.with(3, 1),
      pointer_candidates: [choice([0, 1], 1, 1), choice([1, 2], 0, 0)],
    }
    const files = leverFiles(versionThree(own))
    const task = await leverTask({ ...files, candidateEmbeddings: files.queryEmbeddings })
    expect(render(task.remarks[1], 'en')).toContain('1 query has itself in the pool (first: 1)')
    expect((await leverTask(files)).remarks).toHaveLength(1)
  })
})

describe('older files', () => {
  test('with global pointers have their own choices for a pool, and leave out what a smaller limit cuts off', async () => {
    const older = (pointers: readonly number[][], field = 'pointer') => ({
      pointer_candidates: pointers.map(pointer => ({ [field]: pointer, vqa_correct: 1, vqa_acc_score: 0.6 })),
    })
    const content = {
      '5': older([
        [9, 3],
        [3, 7],
      ]),
      '2': older(
        [
          [7, 1],
          [1, 9],
        ],
        'pointer_pos',
      ),
    }
    const task = await leverTask(leverFiles(content))
    expect(task.queries.map(({ pool: own }) => [...own])).toEqual([
      [1, 7, 9],
      [3, 7, 9],
    ])
    expect(task.logged[1].members[0].choice).toEqual([2, 0])
    const limited = await leverTask({ ...leverFiles(content), poolSize: 2 })
    expect(limited.queries.map(({ pool: own }) => [...own])).toEqual([
      [1, 7],
      [3, 7],
    ])
    expect(limited.logged.map(({ members }) => members.map(({ choice }) => choice))).toEqual([[[1, 0]], [[0, 1]]])
  })

  test('can be trained on the choices of some proposers alone', async () => {
    const only = async (methods: readonly string[]) =>
      (await leverTask({ ...leverFiles(versionThree()), methods })).logged[0].members.map(({ method }) => method)
    expect(await only(['beam', 'random'])).toEqual(['beam', 'random', 'beam'])
    // One choice of a proposer says nothing by itself.
    const lone = leverTask({ ...leverFiles(versionThree()), methods: ['random'] })
    await expect(lone).rejects.toMatchObject({ code: 'not-enough' })
  })

  test('of beams give a score, but no judgement right or wrong', async () => {
    const content = {
      '4': {
        id_list: [
          [7, 2, 4],
          [3, 7, 4],
        ],
        score_list: [0.046, 0.037],
      },
    }
    const task = await leverTask({ ...leverFiles(content), split: { validationShare: 0 } })
    expect([...task.queries[0].pool]).toEqual([2, 3, 7])
    expect(task.logged[0].members[0]).toMatchObject({
      choice: [2, 0],
      outcome: { kind: 'scored', hard: null, soft: 0.046 },
    })
  })
})

describe('every version that Lever-Plus has written', () => {
  const scores = { vqa_correct: 1, vqa_acc_score: 0.6 }
  const pair = (first: object, second: object) => ({ pointer_candidates: [first, second] })
  /** The same two choices, [7, 3] and [9, 5], of query 4, as each version writes them. */
  const versions: { readonly [version: string]: object } = {
    'beam search (id_list, score_list)': {
      id_list: [
        [7, 3, 4],
        [9, 5, 4],
      ],
      score_list: [0.6, 0.6],
    },
    'the first with correctness: global pointers, eval mode "file"': pair(
      { pointer: [7, 3], gen_method: 'beam', beam_score: -1.2, logprob_score: null, ...scores, vqa_eval_mode: 'file' },
      { pointer: [9, 5], gen_method: 'sample', temperature: 1.3, ...scores, vqa_gt_prob: 0.4, vqa_eval_mode: 'file' },
    ),
    'with the query and pointer_pos, global as well': {
      query: { query_id: 4, question: 'what?', gt_answers_raw: ['x'] },
      ...pair(
        { pointer: [7, 3], pointer_pos: [7, 3], ...scores },
        { pointer: [9, 5], pointer_pos: [9, 5], ...scores, vqa_rel_score: 0.2 },
      ),
    },
    'with a pool of 64, before the fix: global pointers': {
      candidate_pool_ids: pool,
      ...pair({ pointer: [7, 3], ...scores }, { pointer: [9, 5], ...scores }),
    },
    'v3: local pointers, with the global ones beside them': {
      candidate_pool_ids: pool,
      ...pair(
        { pointer: [0, 1], pointer_global: [7, 3], ...scores },
        { pointer: [2, 3], pointer_global: [9, 5], ...scores },
      ),
    },
  }
  test.each(Object.entries(versions))('%s', async (_, record) => {
    const task = await leverTask({ ...leverFiles({ _meta: {}, '4': record }), split: { validationShare: 0 } })
    const [{ members }] = task.logged
    const chosen = members.map(({ choice }) => choice.map(position => task.queries[0].pool[position]))
    expect(chosen).toEqual([
      [7, 3],
      [9, 5],
    ])
    expect(members.map(({ outcome }) => outcome.kind === 'scored' && outcome.soft)).toEqual([0.6, 0.6])
  })
})

describe('validation', () => {
  const splits = async (options: LeverOptions) =>
    (await leverTask(options)).queries.map(({ id, split }) => `${id} ${split}`)

  test('can be a share, in order or by lot, with queries kept for a test', async () => {
    const files = leverFiles(versionThree())
    const shares = { validationShare: 0.4, testShare: 0.2 }
    expect(await splits({ ...files, split: shares })).toEqual(['0 train', '1 train', '2 val', '4 val', '11 test'])
    const drawn = await splits({ ...files, split: { ...shares, order: 'random', draw: 3 } })
    expect(drawn.map(one => one.split(' ')[1]).sort()).toEqual(['test', 'train', 'train', 'val', 'val'])
    expect(await splits({ ...files, split: { ...shares, order: 'random', draw: 3 } })).toEqual(drawn)
    const draws = [4, 5, 6].map(draw => splits({ ...files, split: { ...shares, order: 'random', draw } }))
    expect((await Promise.all(draws)).some(other => other.join() !== drawn.join())).toBe(true)
  })

  test('can be a second file, which may not share a query with the first', async () => {
    const files = leverFiles(versionThree())
    const record = versionThree()['0']
    const validation = join(files.folder, 'val.json')
    writeFileSync(validation, JSON.stringify({ '3': record, '5': record }))
    expect(await splits({ ...files, validation })).toEqual([
      ...['0', '1', '2', '4', '11'].map(id => `${id} train`),
      '3 val',
      '5 val',
    ])
    writeFileSync(validation, JSON.stringify({ '3': record, '2': record }))
    expect(await refusal(leverTask({ ...files, validation }))).toMatch(/val\.json: query 2 is also in .*rl_data\.json/)
  })

  test('leaves something to train on, or that is said', async () => {
    const files = leverFiles({ '4': versionThree()['0'] })
    expect(await refusal(leverTask(files))).toMatch('of 1 usable query none is left to train on')
  })
})

test('groups in which all rewards are equal are told, with the first of them', async () => {
  const tied = { pointer_candidates: [choice([0, 1], 1, 0.9), choice([2, 1], 1, 0.9), choice([3, 1], null, null)] }
  const task = await leverTask(leverFiles(versionThree(tied)))
  const [, said] = task.remarks.map(remark => render(remark, 'en'))
  expect(said).toContain(
    'in 1 of 5 groups all rewards are equal (first: 1); such zero-variance groups give no gradient',
  )
})

describe('a bad file is refused, naming file and record', () => {
  const beams = (ids: unknown, scores: unknown) => ({ '4': { id_list: ids, score_list: scores } })
  const pair = [choice([0, 1], 1, 1), choice([1, 2], 0, 0)]
  test.each([
    [
      'rewards of another length',
      beams(
        [
          [7, 2, 4],
          [3, 7, 4],
        ],
        [0.1],
      ),
      'record 4: 2 choices but 1 reward',
    ],
    [
      'a beam of another query',
      beams(
        [
          [7, 2, 5],
          [3, 7, 4],
        ],
        [1, 2],
      ),
      'record 4, choice 0: the beam ends with query 5',
    ],
    ['a group of one', versionThree({ pointer_candidates: [choice([0, 1], 1, 1)] }), 'record 1: a group of 1'],
    ['a group of none', versionThree({ pointer_candidates: [] }), 'record 1: a group of 0'],
    [
      'a pool smaller than the shots',
      versionThree({ candidate_pool_ids: [7], pointer_candidates: pair }),
      'record 1: a pool of 1 candidate cannot give 2 examples',
    ],
    [
      'a candidate twice in a pool',
      versionThree({ candidate_pool_ids: [7, 3, 7] }),
      'record 1: candidate 7 is in the pool twice',
    ],
    [
      'a pointer outside the pool',
      versionThree({ pointer_candidates: [choice([0, 4], 1, 1, { pointer_global: [7, 8] }), ...pair] }),
      'record 1, choice 0: pointer 4 is not in the pool of 4',
    ],
    [
      'a candidate picked twice',
      versionThree({ pointer_candidates: [...pair, choice([2, 2], 1, 1)] }),
      'record 1, choice 2: candidate 9 is picked twice',
    ],
    [
      'pointers that contradict each other',
      versionThree({ pointer_candidates: [choice([0, 1], 1, 1, { pointer_global: [7, 9] })] }),
      'record 1, choice 0: pointer 1 is candidate 3 of the pool, but pointer_global says 9',
    ],
    [
      'another number of shots',
      versionThree({ pointer_candidates: [...pair, choice([2], 1, 1)] }),
      'record 1, choice 2: 1 example where the file began with 2',
    ],
    [
      'a query id that is no number',
      { abc: { pointer_candidates: pair } },
      'record abc: query id is missing or malformed',
    ],
    ['no choices at all', { '3': { query: {} } }, 'record 3: pointer_candidates is missing or malformed'],
    [
      'a pool of an item without embedding',
      versionThree({ candidate_pool_ids: [7, 3, 9, 99], pointer_candidates: pair }),
      'record 1: item 99 has no embedding',
    ],
    ['a list', [1, 2], 'contains no groups'],
    ['only _meta', { _meta: {} }, 'contains no groups'],
  ])('%s', async (_, content, complaint) => {
    const files = leverFiles(content)
    const said = await refusal(leverTask(files))
    expect(said).toContain(files.data)
    expect(said).toMatch(complaint)
  })

  test.each([
    ['a query twice', '"4": {"a": "\\"4\\": 1"}, "4" : {}', 'query 4 appears twice'],
    ['a query under two spellings', null, 'query 04 appears twice'],
  ])('%s, which JSON readers pass over', async (_, members, complaint) => {
    const record = JSON.stringify(versionThree()['0'])
    const files = leverFiles(null, `{${members ?? `"4": ${record}, "04": ${record}`}}`)
    expect(await refusal(leverTask(files))).toMatch(complaint)
  })

  test('a NaN reward, as Python writes it', async () => {
    const text = JSON.stringify(versionThree({ pointer_candidates: [choice([0, 1], 1, 'HERE'), ...pair] }))
    const files = leverFiles(null, text.replace('"HERE"', 'NaN'))
    expect(await refusal(leverTask(files))).toMatch('record 1, choice 0: vqa_acc_score is NaN, not a finite number')
  })

  test('JSON that was cut off', async () => {
    expect(await refusal(leverTask(leverFiles(null, '{"1": {"pointer_can')))).toMatch('rl_data.json is not valid JSON')
  })

  test('embeddings of another width', async () => {
    const files = leverFiles(versionThree())
    writeFileSync(files.candidateEmbeddings, npyFile(new Array(ROWS * 2).fill(0), [ROWS, 2]))
    expect(await refusal(leverTask(files))).toMatch(/candidates\.npy has embeddings 2 wide, .*queries\.npy 4/)
  })

  test('a query without an embedding', async () => {
    const record = versionThree()['0']
    expect(await refusal(leverTask(leverFiles({ '12': record })))).toMatch('record 12: item 12 has no embedding')
  })
})
