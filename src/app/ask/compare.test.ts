import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedWorkspace, temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import { type CompareAnswer, compare } from './compare.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

const on = ({ verdicts }: CompareAnswer, question: string) => verdicts.find(verdict => verdict.question === question)

describe('compare on real runs', () => {
  const workspace = sharedWorkspace(join(EXAMPLES, 'grpo-addition'), join(EXAMPLES, 'userrl-intentiongym'))
  const compared = (...sides: string[]) => answerTo(workspace(), compare, { sides })

  it('says that KL 0.3 is worse, about the settings, from three seeds each', async () => {
    const answer = await compared('kl-0.0/*', 'kl-0.3/*')
    expect(on(answer, 'final')).toMatchObject({ answer: 'worse', scope: 'configs' })
    expect(on(answer, 'final')?.reasons.join()).toContain('200 prompts')
    expect(answer.sides.map(({ label, runs }) => [label, runs.length])).toEqual([
      ['kl-0.0', 3],
      ['kl-0.3', 3],
    ])
  })

  it('speaks of two runs only when there are two, and says how much replicates differ in this workspace', async () => {
    const { verdicts } = await compared('kl-0.0/seed0', 'kl-0.3/seed0')
    expect(verdicts.every(({ scope }) => scope === 'runs')).toBe(true)
    const claimed = verdicts.filter(({ question, answer }) => question === 'level' && answer !== 'undetermined')
    for (const { reasons } of claimed)
      expect(reasons.join()).toMatch(/two seeds of one setting differ as much in \d+ of \d+ pairs/)
  })

  it('compares checkpoints prompt by prompt', async () => {
    const sides = ['kl-0.0/seed0@100', 'kl-0.0/seed0@400']
    const answer = await answerTo(workspace(), compare, { sides, metric: 'val-aux/addition/exact/mean@1' })
    const { headline, verdicts } = answer
    expect(verdicts[headline.verdict]).toMatchObject({ question: 'checkpoint', scope: 'checkpoints', answer: 'better' })
    expect(headline.sets).toEqual([{ metric: 'val-aux/addition/exact/mean@1', answer: 'better' }])
    expect(verdicts[headline.verdict].reasons.join()).toMatch(
      /200 prompts answered by both: \d+ improved, \d+ got worse/,
    )
  })

  it('names what else differed in the confounded treatment', async () => {
    const { attribution } = await compared('kl-0.0/seed0', 'kl-ent-cosine/*')
    expect(attribution[0]).toMatchObject({ knobs: ['kl', 'entropy', 'lr'], smallestFix: 'kl' })
  })

  it('cannot tell the UserRL pair apart, and names what else differed', async () => {
    const answer = await answerTo(workspace(), compare, { sides: ['no-kl', 'kl'], metric: 'val.score', margin: '5%' })
    expect(answer.sides.map(({ label }) => label)).toEqual(['no-kl', 'kl'])
    expect(answer.verdicts.map(({ question }) => question)).toEqual(['level', 'final', 'speed', 'stability', 'cost'])
    expect(new Set(answer.verdicts.map(verdict => verdict.answer))).toEqual(new Set(['undetermined']))
    const knobs = new Set(answer.confounds.map(({ knob }) => knob).filter(knob => knob !== null && knob !== 'steps'))
    expect(knobs).toEqual(new Set(['kl', 'entropy', 'lr']))
    expect(answer.table.rows).toHaveLength(9)
    const few = await answerTo(workspace(), compare, { sides: ['no-kl', 'kl'], rows: 2 })
    expect(few.table).toMatchObject({ total: 9, rows: answer.table.rows.slice(0, 2) })
    expect(answer.choose).toMatchObject({ side: 'no-kl', assumption: expect.stringContaining('seed std of') })
    expect(answer.unused.join()).toContain('84 more than were used here')
    expect(answer.verdicts[2].reasons.join()).toContain(
      'no-kl exceeds the best shared evaluation of kl (2.123 at step 40) at step 10 (2.14)',
    )
  })

  it('answers in the language of the request', async () => {
    const { choose } = await answerTo(workspace(), compare, { sides: ['no-kl', 'kl'], lang: 'zh' })
    expect(choose?.sentence).toContain('选错时的期望损失')
  })

  it.each([
    ['sides that are no replicates', { sides: ['*kl', 'no-kl'] }, { key: 'compare.not-replicates' }],
    ['a metric that is not shared', { sides: ['no-kl', 'kl'], metric: 'nope' }, { key: 'compare.no-metric' }],
    ['one side', { sides: ['no-kl'] }, { key: 'compare.needs-two' }],
    [
      'a margin that is none',
      { sides: ['no-kl', 'kl'], margin: '-1' },
      { key: 'plan.bad-size', params: { option: '--margin', value: '-1' } },
    ],
    [
      'a scatter that is none',
      { sides: ['no-kl', 'kl'], seedSd: 'x' },
      { key: 'plan.bad-number', params: { option: '--seed-sd', value: 'x', range: '> 0' } },
    ],
    ['a window backwards', { sides: ['no-kl', 'kl'], window: '9:2' }, { key: 'compare.bad-window' }],
    ['another goal', { sides: ['no-kl', 'kl'], goal: 'up' }, { key: 'compare.bad-goal' }],
    ['no sides at all', { sides: undefined }, { key: 'ask.bad-member' }],
  ])('refuses %s', async (_, input, sentence) => {
    await expect(answerTo(workspace(), compare, input)).rejects.toMatchObject({ sentence })
  })

  it('takes no path where paths are not to be imported', async () => {
    const sides = [join(EXAMPLES, 'plan-six', 'plan-six'), 'kl']
    const asked = answerTo(workspace(), compare, { sides }, { importPaths: false })
    await expect(asked).rejects.toMatchObject({ code: 'not-found', sentence: { key: 'run.unknown-name' } })
  })
})

describe('compare on logs that say too little', () => {
  function runWith(folder: string, name: string, rows: readonly string[]): string {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'log.csv'), `step,acc\n${rows.join('\n')}\n`)
    return join(folder, name, 'log.csv')
  }
  const curve = (values: readonly (number | string)[], from = 1): string[] =>
    values.map((value, i) => `${from + i},${value}`)
  const compared = async (
    first: readonly string[],
    second: readonly string[],
    [a, b]: readonly [string, string] = ['', ''],
  ) => {
    const folder = temporaryFolder()
    const sides = [`${runWith(folder, 'a', first)}${a}`, `${runWith(folder, 'b', second)}${b}`]
    return answerTo(await temporaryWorkspace(), compare, { sides, metric: 'acc' })
  }

  it('names the lack of shared steps', async () => {
    const answer = await compared(curve([0.1, 0.2, 0.3]), curve([0.1, 0.2, 0.3], 100))
    expect(on(answer, 'level')).toMatchObject({ answer: 'undetermined', estimate: null, interval: null })
    expect(on(answer, 'level')?.reasons).toContain('no evaluation step is shared')
    expect(answer.others[0].steps).toBeNull()
  })

  it('gives one shared point no interval', async () => {
    const level = on(await compared(curve([0.1]), curve([0.3])), 'level')
    expect(level).toMatchObject({ answer: 'undetermined', interval: null })
    expect(level?.estimate).toBeCloseTo(0.2)
  })

  it('finds nothing in equal values, and no noise in a constant gap', async () => {
    const flat = Array(12).fill(0.5)
    const same = on(await compared(curve(flat), curve(flat)), 'level')
    expect(same).toMatchObject({ answer: 'undetermined', estimate: 0 })
    expect(same?.reasons[0]).toMatch(/identical scores at every shared step/)
    const gap = on(await compared(curve(flat), curve(Array(12).fill(0.6))), 'level')
    expect(gap).toMatchObject({ answer: 'undetermined', interval: null })
    expect(gap?.reasons[0]).toMatch(/no noise to compare it with/)
  })

  it('takes NaN in the middle for a missing evaluation', async () => {
    const first = curve([0.1, 0.2, 'nan', 0.35, 0.3, 0.42, 0.4, 0.5])
    const second = curve([0.12, 0.25, 0.3, 0.33, 0.34, 'inf', 0.41, 0.52])
    expect(on(await compared(first, second), 'level')?.reasons[0]).toContain('6 shared evaluations')
  })

  it('wants a step for every side or for none, and a metric that all have', async () => {
    const two = curve([1, 2])
    await expect(compared(two, two, ['@1', ''])).rejects.toMatchObject({ sentence: { key: 'compare.steps-for-all' } })
  })

  it('says that there is no evaluation at a step that has none', async () => {
    const answer = await compared(curve([0.1, 0.2]), curve([0.1, 0.2]), ['@1', '@9'])
    expect(on(answer, 'checkpoint')?.reasons).toEqual(['there is no evaluation at step 9'])
  })
})

describe('how much seeds scatter', () => {
  it('is that of a typical setting, whatever else has the same config', async () => {
    const folder = temporaryFolder()
    const write = (name: string, config: object, level: number): void => {
      mkdirSync(join(folder, name), { recursive: true })
      writeFileSync(join(folder, name, 'config.json'), JSON.stringify(config))
      const rows = Array.from({ length: 12 }, (_, i) => `${i + 1},${level + 0.002 * Math.sin(i * i + 50 * level)}`)
      writeFileSync(join(folder, name, 'metrics.csv'), ['step,val/acc', ...rows].join('\n'))
    }
    for (const seed of [0, 1, 2]) {
      for (const lr of [1, 2, 3]) write(`lr-${lr}/seed${seed}`, { lr }, 0.5 + 0.02 * lr + 0.01 * seed)
      write(`lr-1-other-reward/seed${seed}`, { lr: 1 }, 0.9 + 0.01 * seed)
    }
    // One that broke: its setting scatters thirty times as much.
    write('lr-3/seed3', { lr: 3 }, 0.01)
    const workspace = await temporaryWorkspace()
    await importLogs(workspace, [folder])
    const { choose } = await answerTo(workspace, compare, { sides: ['lr-1/seed0', 'lr-2/seed0'] })
    const size = Number(/seed std ([\d.]+)/.exec(String(choose?.assumption))?.[1])
    expect(size).toBeGreaterThan(0.008)
    expect(size).toBeLessThan(0.014)
  })
})
