import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  aboutTheFile,
  eventsOf,
  fixture,
  lastCursor,
  readEvents,
  readInTwoSteps,
  rowsOf,
  sourceFile,
  withFile,
} from '../../../../test/support/reading.js'
import { verlConsole } from './console.js'

const FIXTURES = ['console.log', 'console-0.4.log', 'console-sft.log', 'console-easyr1.log']

describe('recognising', () => {
  test.each(FIXTURES)('%s is ours', async name => {
    expect(verlConsole.recognise(await sourceFile(fixture(`verl/${name}`)))).toBe(true)
  })

  test.each([
    ['a log that has only begun', '(TaskRunner pid=1) TaskRunner hostname: a, PID: 1\n', true],
    ['a long start with verl’s config in it', `${'chatter\n'.repeat(2000)}{'actor_rollout_ref': {'actor': {\n`, true],
    ['only chatter', 'chatter\n'.repeat(9000), false],
    ['a script that starts verl', 'python3 -m verl.trainer.main_ppo actor_rollout_ref.model.path=x\n', false],
    ['JSON that quotes a log', '{"text": "at step:1 - a/b:1"}\n', false],
    ['a table', 'step,loss\n1,0.5\n', false],
    ['nothing', '', false],
    ['zeros', '\0\0\0\0', false],
  ])('%s', async (_, text, ours) => {
    expect(await withFile(text, async path => verlConsole.recognise(await sourceFile(path)))).toBe(ours)
  })

  test('a report that shows log lines is not ours', async () => {
    const report = '# Report\n```\nstep:1 - a/b:1\n```\n'
    expect(await withFile(report, async path => verlConsole.recognise(await sourceFile(path)), 'report.md')).toBe(false)
  })
})

describe('the run', () => {
  test('is named as its config says', async () => {
    const path = fixture('verl/console.log')
    expect(await verlConsole.describe(await sourceFile(path), {})).toMatchObject([
      { run: `verl:${path}`, name: 'smol135m_grpo', folder: fixture('verl'), order: 0 },
    ])
  })

  test('is named after its file without a config, and keeps its first record while it grows', async () => {
    const [path, text] = [fixture('verl/console-0.4.log'), readFileSync(fixture('verl/console-0.4.log'), 'utf8')]
    const [whole] = await verlConsole.describe(await sourceFile(path), {})
    expect(whole.name).toBe('console-0.4')
    const [young] = await withFile(text.slice(0, 400), async part => verlConsole.describe(await sourceFile(part), {}))
    expect(young.firstRecord).toBe(whole.firstRecord)
  })
})

test('reads an SFT log, whose steps stand behind progress bars', async () => {
  const found = await readEvents(verlConsole, fixture('verl/console-sft.log'))
  expect(rowsOf(found).map(row => row.step)).toEqual([1, 2, 3, 4, 4])
  expect(found).toContainEqual({ type: 'config', config: expect.objectContaining({ 'data.train_batch_size': 16 }) })
})

test('reads the nested metrics of EasyR1 under the names verl gives them', async () => {
  const found = await readEvents(verlConsole, fixture('verl/console-easyr1.log'))
  const first = rowsOf(found).filter(row => row.step === 1)
  expect(Object.assign({}, ...first)).toMatchObject({
    'actor/kl_coef': 0.01,
    'actor/lr': 1e-6,
    'actor/pg_loss': -0.004,
    'critic/score/max': 1,
    'perf/total_num_tokens': 1054322,
  })
  expect(first).toHaveLength(7)
  expect(found).toContainEqual({ type: 'about', about: { name: 'qwen2_5_vl_3b_geo', project: 'easy_r1' } })
})

describe('going on', () => {
  test.each(FIXTURES)('from any cut in %s says the same as reading at once', async name => {
    const content = readFileSync(fixture(`verl/${name}`))
    const whole = aboutTheFile(await readEvents(verlConsole, fixture(`verl/${name}`)))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: content.length }), async cut => {
        expect(await readInTwoSteps(verlConsole, content, cut)).toEqual(whole)
      }),
      { numRuns: 60 },
    )
  })

  test('from every cursor of a log of several chunks says the same as reading at once', async () => {
    const filler = `(WorkerDict pid=1) ${'chatter '.repeat(1000)}\n`.repeat(40)
    const text = readFileSync(fixture('verl/console.log'), 'utf8').replaceAll(
      /\n(?=.*(?:step:|'val_kwargs))/g,
      `\n${filler}`,
    )
    await withFile(text, async path => {
      const whole = await readEvents(verlConsole, path)
      const cursors = whole.flatMap((event, i) => (event.type === 'cursor' ? [i] : []))
      expect(cursors.length).toBeGreaterThan(2)
      for (const i of cursors) {
        const after = await readEvents(verlConsole, path, lastCursor(whole.slice(0, i + 1)))
        expect(aboutTheFile(after)).toEqual(aboutTheFile(whole.slice(i + 1)))
      }
    })
  })
})

test('never throws and never hangs, however a log is damaged', async () => {
  const logs = FIXTURES.map(name => readFileSync(fixture(`verl/${name}`)))
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(9), fc.uint8Array({ maxLength: 6 })), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...logs), damage, async (log, wounds) => {
      let content = log
      for (const [at, cut, insert] of wounds) {
        const place = at % (content.length + 1)
        content = Buffer.concat([content.subarray(0, place), insert, content.subarray(place + cut)])
      }
      await withFile(content, async path => {
        const file = await sourceFile(path)
        verlConsole.recognise(file)
        await verlConsole.describe(file, {})
        await readEvents(verlConsole, path)
      })
    }),
    { numRuns: 150 },
  )
})

test.each([
  'step:1 - x ',
  'step:1 - a/b:1 - ',
  'step step ',
  '(pid=1 ',
  '(a pid=1) ',
  ' - a:',
  '\x1b[',
  '\r',
  "{'a': {",
  "('",
  'Training Progress:  1%|',
  'Resuming from ',
  'a:',
  ' '.repeat(64),
])('is not slowed down by a line of a million bytes of %j', async piece => {
  const line = piece.repeat(Math.ceil(1e6 / piece.length))
  const found = await eventsOf(verlConsole, `${line}\nstep:1 - ${line}\n(TaskRunner pid=1) ${line}\nstep:2 - a/b:1\n`)
  expect(rowsOf(found).at(-1)).toEqual({ step: 2, 'a/b': 1 })
})

test('reads from the start when the cursor is none of ours', async () => {
  await withFile('step:1 - a/b:1\n', async path => {
    expect(rowsOf(await readEvents(verlConsole, path, { offset: 'x' }))).toHaveLength(1)
  })
})

describe('a console in another encoding', () => {
  /** 奖励/mean, 策略/mean and 长度/mean in GBK. */
  const names = ['bdb1c0f8', 'b2dfc2d4', 'b3a4b6c8'].map(hex => `${Buffer.from(hex, 'hex').toString('latin1')}/mean`)
  const line = Buffer.from(`step:1 - ${names.map((name, i) => `${name}:0.${i + 1}`).join(' - ')}\n`, 'latin1')

  it('keeps metrics apart whose names are GBK', async () => {
    const [row] = (await eventsOf(verlConsole, line)).filter(event => event.type === 'row')
    expect(row).toMatchObject({ metrics: ['奖励/mean', '策略/mean', '长度/mean'], values: [0.1, 0.2, 0.3] })
  })

  it('is recognised and read as UTF-16', async () => {
    const text = Buffer.from('\uFEFFstep:1 - actor/pg_loss:0.5 - 奖励/mean:0.25\r\n', 'utf16le')
    await withFile(text, async path => expect(verlConsole.recognise(await sourceFile(path))).toBe(true))
    const [row] = (await eventsOf(verlConsole, text)).filter(event => event.type === 'row')
    expect(row).toMatchObject({ metrics: ['actor/pg_loss', '奖励/mean'], values: [0.5, 0.25] })
  })
})
