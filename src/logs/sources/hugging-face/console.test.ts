import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { eventsOf, fixture, readEvents, sourceFile, withFile } from '../../../../test/support/reading.js'
import type { Row, RunEvent } from '../../model/events.js'
import { sources } from '../registry.js'
import { trainerConsole } from './console.js'
import { trainerState } from './trainer-state.js'

function rowsOf(events: readonly RunEvent[]): Row[] {
  return events.filter(event => event.type === 'row')
}

/** Every value under its metric and step. */
function valuesOf(rows: readonly Row[]): Map<string, number> {
  return new Map(rows.flatMap(({ step, metrics, values }) => metrics.map((name, i) => [`${name}@${step}`, values[i]])))
}

const bar = (done: number, total = 60): string => `\r ${done}%|█   | ${done}/${total} [00:02<00:11,  2.35s/it]`
const logged = (loss: string, epoch: string): string => `{'loss': ${loss}, 'reward': '0.5', 'epoch': ${epoch}}`

describe('the console of a real TRL run', () => {
  const path = fixture('hf/output/finished/train.log')

  it('holds what trainer_state.json holds, to four digits, at the same steps', async () => {
    const printed = valuesOf(rowsOf(await readEvents(trainerConsole, path)))
    const kept = valuesOf(rowsOf(await readEvents(trainerState, fixture('hf/output/finished/trainer_state.json'))))
    kept.delete('total_flos@6')
    expect([...printed.keys()].sort()).toEqual([...kept.keys()].sort())
    for (const [place, value] of kept) expect(printed.get(place), place).toBe(Number(value.toPrecision(4)))
  })

  it('tells how far a number can be trusted, how many steps there are, and that it is finished', async () => {
    const events = await readEvents(trainerConsole, path)
    const [first] = rowsOf(events)
    const at = first.metrics.indexOf('rewards/digits_share/mean')
    expect(first.values[at]).toBeCloseTo(0.2727, 10)
    expect(first.decimals?.[at]).toBe(4)
    expect(events.filter(({ type }) => type === 'config')).toEqual([{ type: 'config', config: { max_steps: 6 } }])
    expect(events.filter(({ type }) => type === 'status')).toEqual([{ type: 'status', status: 'finished' }])
  })

  it('gives the same when it is cut anywhere and read on', async () => {
    const bytes = readFileSync(path)
    const whole = await eventsOf(trainerConsole, bytes.toString('utf8'))
    for (const cut of [9_000, 14_321, 20_000, 26_500]) {
      await withFile(bytes, async grown => {
        const cursor = await withFile(bytes.subarray(0, cut), async early => {
          const events = await readEvents(trainerConsole, early)
          const last = events.findLast(event => event.type === 'cursor')
          return { cursor: last?.type === 'cursor' ? last.cursor : null, rows: rowsOf(events) }
        })
        const rest = rowsOf(await readEvents(trainerConsole, grown, cursor.cursor))
        const all = cursor.cursor === null ? rest : [...cursor.rows, ...rest]
        expect(valuesOf(all)).toEqual(valuesOf(rowsOf(whole)))
      })
    }
  })

  it('that died of an exception tells which', async () => {
    const events = await readEvents(trainerConsole, fixture('hf/output/crashed/train.log'))
    const error = 'RuntimeError: CUDA error: an illegal memory access was encountered'
    expect(events.filter(({ type }) => type === 'status')).toMatchObject([
      { type: 'status', status: 'failed', reason: { key: 'ending.error', params: { error } } },
    ])
    expect(rowsOf(events).at(-1)?.step).toBe(4)
  })
})

describe('a console', () => {
  it('of transformers 4 has numbers instead of texts, with all their digits', async () => {
    const [row] = rowsOf(await eventsOf(trainerConsole, `${bar(9)}\n${logged('0.0123456', '0.15')}\n${bar(10)}\n`))
    expect(row).toMatchObject({ step: 10, metrics: ['loss', 'reward', 'epoch'] })
    expect(row.values[0]).toBe(0.0123456)
    expect(row.decimals?.[0]).toBeNull()
  })

  it('takes the step from the bar behind a dict, for the one before it may be stale', async () => {
    const text = `${bar(0)}${bar(3)}\n${logged("'1'", "'0.1'")}\n${bar(5)}${bar(8)}\n${logged("'2'", "'0.2'")}\n${bar(10)}\n`
    expect(rowsOf(await eventsOf(trainerConsole, text)).map(({ step }) => step)).toEqual([5, 10])
  })

  it('is not led astray by the bars of evaluations', async () => {
    const text = `${bar(0)}\n${logged("'1'", "'0.1'")}\n${bar(5)}\n${bar(0, 4)}${bar(4, 4)}\n{'eval_loss': '2', 'epoch': '0.1'}\n${bar(5)}\n`
    expect(rowsOf(await eventsOf(trainerConsole, text)).map(({ step }) => step)).toEqual([5, 5])
  })

  it('without bars is counted in epochs', async () => {
    const text = `${logged("'1'", "'0.1'")}\n${logged("'2'", "'0.2'")}\n`
    expect(rowsOf(await eventsOf(trainerConsole, text))).toMatchObject([
      { step: 0.1, axis: 'epoch' },
      { step: 0.2, axis: 'epoch' },
    ])
  })

  it('that was started again goes back', async () => {
    const once = `${bar(4)}\n${logged("'1'", "'0.1'")}\n${bar(5)}\n${bar(9)}\n${logged("'2'", "'0.2'")}\n${bar(10)}\n`
    const types = (await eventsOf(trainerConsole, `${once}${once}`)).map(({ type }) => type)
    expect(types.filter(type => type === 'row' || type === 'restart')).toEqual(['row', 'row', 'restart', 'row', 'row'])
  })

  it('is known by its first dict, however much was printed before it', async () => {
    const chatter = `Loading checkpoint shards:  50%|█████     | 1/2 [00:00<00:00, 3.1it/s]\n${'INFO vLLM says something\n'.repeat(4000)}`
    await withFile(`${chatter}${bar(1)}\n${logged("'1'", "'0.1'")}\n${bar(1)}\n`, async path => {
      const file = await sourceFile(path)
      expect(sources.find(source => source.recognise(file))).toBe(trainerConsole)
      expect(await trainerConsole.describe(file, {})).toHaveLength(1)
    })
    await withFile(chatter, async path => {
      expect(await trainerConsole.describe(await sourceFile(path), {})).toEqual([])
    })
  })

  it.each([
    "{'actor_rollout_ref': {'actor': 1}}\n",
    'a report about epochs\n',
    "print({'loss': loss, 'epoch': epoch})\n",
  ])('is not seen in %s', async text => {
    await withFile(text, async path => expect(trainerConsole.recognise(await sourceFile(path))).toBe(false))
  })
})

describe('a console without bars behind its rows', () => {
  const rows = (...epochs: readonly string[]) => epochs.map(epoch => `${logged("'0.1'", `'${epoch}'`)}\n`).join('')
  const placed = async (text: string) =>
    rowsOf(await eventsOf(trainerConsole, text)).map(({ step, axis }) => [step, axis ?? 'step'])
  const warned = async (text: string) =>
    (await eventsOf(trainerConsole, text)).flatMap(event => (event.type === 'warning' ? [event.message.key] : []))

  it('is counted in steps where it tells how many an epoch has', async () => {
    const text = `  Num Epochs = 1\n  Num update steps per epoch = 1,869\n  Total optimization steps = 200\n${rows('0.000535', '0.00107', '0.107')}`
    expect(await placed(text)).toEqual([
      [1, 'step'],
      [2, 'step'],
      [200, 'step'],
    ])
    expect(await warned(text)).toEqual([])
  })

  it.each([
    ['from the beginning', ['0.05', '0.1', '0.15', '1.0'], [5, 10, 15, 100]],
    ['from a checkpoint', ['5.05', '5.1', '5.15'], [505, 510, 515]],
  ])('is counted in steps where it tells how many lie between two rows, %s', async (_, epochs, steps) => {
    const text = `GRPO: num_generations=4, logging_steps=5, lr=3e-06\n${rows(...epochs)}`
    expect((await placed(text)).map(([step]) => step)).toEqual(steps)
  })

  it('is counted in epochs where it tells neither, and says so', async () => {
    const text = `max_steps=75\n${rows('0.05', '0.1')}`
    expect(await placed(text)).toEqual([
      [0.05, 'epoch'],
      [0.1, 'epoch'],
    ])
    expect(await warned(text)).toEqual(['hf.counts-epochs'])
  })
})
