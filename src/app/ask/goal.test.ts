import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { listRuns } from '../../core/store/catalogue.js'
import { importLogs } from '../../core/store/ingest.js'
import type { Workspace } from '../../core/store/workspace.js'
import { seededRandom } from '../../stats/random.js'
import { checkpoints } from './checkpoints.js'
import { compare } from './compare.js'
import { decide } from './decide.js'
import { diagnose } from './diagnose.js'
import { goals, setGoal } from './goal.js'
import { sweep } from './sweep.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

/** A metric by the level that it rises to from 0.4; noise is added. */
type Levels = { readonly [metric: string]: number }

const STEPS = 60

/** Runs as tables of sixty steps, every metric logged at each. */
async function workspaceWith(
  named: { readonly [run: string]: Levels },
  configs: { readonly [run: string]: object } = {},
): Promise<Workspace> {
  const folder = temporaryFolder()
  const random = seededRandom(5)
  for (const [run, levels] of Object.entries(named)) {
    mkdirSync(join(folder, run), { recursive: true })
    const rows = Array.from({ length: STEPS }, (_, i) => {
      const values = Object.values(levels).map(level => {
        const risen = level > 3 ? level : 0.4 + (level - 0.4) * Math.min(1, i / 10)
        return risen + 0.01 * random.normal()
      })
      return [i + 1, ...values].join()
    })
    writeFileSync(join(folder, run, 'metrics.csv'), [['step', ...Object.keys(levels)].join(), ...rows].join('\n'))
    writeFileSync(join(folder, run, 'config.json'), JSON.stringify({ run, num_generations: 8, ...configs[run] }))
  }
  const workspace = await temporaryWorkspace()
  await importLogs(workspace, [folder])
  return workspace
}

async function compared(workspace: Workspace, metric: string | null = null) {
  const answer = await answerTo(workspace, compare, { sides: ['a', 'b'], metric })
  return { answer, headline: answer.verdicts[answer.headline.verdict] }
}

const learned = (quality: number, proxy: number): Levels => ({
  reward: proxy,
  'rewards/reward_model/mean': proxy,
  eval_reward: proxy,
  'eval_rewards/reward_model/mean': proxy,
  'eval_rewards/quality/mean': quality,
})

describe('a learned reward beside an independent score', () => {
  test('is contradicted in the headline, and every question looks at the independent score', async () => {
    const workspace = await workspaceWith(
      { a: learned(0.6, 0.6), b: learned(0.3, 0.8) },
      { a: { beta: 0.3 }, b: { beta: 0 } },
    )
    const { answer, headline } = await compared(workspace)
    expect(headline).toMatchObject({ metric: 'eval_rewards/quality/mean', answer: 'worse' })
    expect(headline.reasonKeys[0]).toBe('optimised.overoptimised')
    expect(headline.tags).toContain('overoptimised')
    expect(answer.judgedBy).toMatchObject({ role: 'independent', rewardKind: 'learned', source: 'log' })
    expect(answer.optimised?.filter(({ question }) => question === 'final')).toMatchObject([
      { metric: 'eval_reward', answer: 'better' },
    ])
    const shipped = await answerTo(workspace, decide, {})
    expect(shipped).toMatchObject({ metric: 'eval_rewards/quality/mean', ship: { name: 'a' }, tags: [] })
    const swept = await answerTo(workspace, sweep, { runs: ['a', 'b'], over: ['beta'] })
    expect(swept.conditions.map(({ metric }) => metric)).toEqual(['eval_rewards/quality/mean'])
    expect(swept.judgedBy.role).toBe('independent')
    expect(await answerTo(workspace, checkpoints, { run: 'b' })).toMatchObject({
      metric: 'eval_rewards/quality/mean',
      tags: [],
    })
    const { entries } = await listRuns(workspace)
    expect(entries.map(({ scores: [first] }) => first.metric)).toEqual(Array(2).fill('eval_rewards/quality/mean'))
  })

  test('is the yardstick only where it was asked for, and says so', async () => {
    const workspace = await workspaceWith({ a: learned(0.6, 0.6), b: learned(0.3, 0.8) })
    const { answer, headline } = await compared(workspace, 'eval_reward')
    expect(headline).toMatchObject({ answer: 'better' })
    expect(headline.tags).toContain('optimised-reward')
    expect(answer.judgedBy.sentence).toContain('eval_rewards/quality/mean is independent of it')
  })
})

describe('an optimised reward alone', () => {
  test('is tagged in verdict, step, value and decision unless a rule pays it', async () => {
    const alone = (level: number, part: string): Levels => ({
      reward: level,
      [`rewards/${part}/mean`]: level,
      eval_reward: level,
      [`eval_rewards/${part}/mean`]: level,
    })
    const configs = { a: { beta: 0.3 }, b: { beta: 0 } }
    for (const [part, tags] of [
      ['helpful', ['optimised-reward']],
      ['exact_match', []],
    ] as const) {
      const workspace = await workspaceWith({ a: alone(0.5, part), b: alone(0.7, part) }, configs)
      const { answer, headline } = await compared(workspace)
      expect(answer.judgedBy).toMatchObject({ metric: 'eval_reward', role: 'optimised' })
      expect(answer.judgedBy.sentence).toContain('no independent score was logged')
      expect(answer.optimised).toBeNull()
      expect(headline.tags.filter(tag => tag === 'optimised-reward')).toEqual(tags)
      expect((await answerTo(workspace, decide, {})).tags).toEqual(tags)
      expect((await answerTo(workspace, checkpoints, { run: 'a' })).tags).toEqual(tags)
      expect((await answerTo(workspace, sweep, { runs: ['a', 'b'], over: ['beta'] })).tags).toEqual(tags)
    }
  })
})

describe('sides that were paid for different things', () => {
  const parts = (names: Levels, sum: number, prefix = ''): Levels => ({
    [`${prefix}reward`]: sum,
    ...Object.fromEntries(Object.entries(names).map(([name, level]) => [`${prefix}rewards/${name}/mean`, level])),
  })

  test('get no verdict on the sum, but one on each part that they share', async () => {
    const a = { correct: 0.5, format: 0.8 }
    const b = { correct: 0.45, format: 0.8, language: 1 }
    const workspace = await workspaceWith({
      a: { ...parts(a, 1.3), ...parts(a, 1.3, 'eval_') },
      b: { ...parts(b, 2.25), ...parts(b, 2.25, 'eval_') },
    })
    const { answer, headline } = await compared(workspace)
    expect(answer.judgedBy.sets.map(({ metric }) => metric)).toEqual([
      'eval_rewards/correct/mean',
      'eval_rewards/format/mean',
    ])
    expect(headline).toMatchObject({ metric: 'eval_rewards/correct/mean', answer: 'worse' })
    for (const verdict of answer.optimised ?? []) {
      expect(verdict).toMatchObject({ answer: 'undetermined', estimate: null, reasonKeys: ['paid-differently.parts'] })
    }
    expect(answer.optimised).not.toHaveLength(0)
    expect((await compared(workspace, 'eval_reward')).headline).toMatchObject({
      answer: 'undetermined',
      reasonKeys: ['paid-differently.parts'],
    })
  })

  test('are judged by shared parts of the training reward where nothing was validated', async () => {
    const workspace = await workspaceWith({
      a: parts({ correct: 0.5, format: 0.8 }, 1.3),
      b: parts({ correct: 0.45, format: 0.8, language: 1 }, 2.25),
    })
    const { answer, headline } = await compared(workspace)
    expect(headline).toMatchObject({ metric: 'rewards/correct/mean', answer: 'worse' })
    expect(answer.warnings[0]).toContain('language')
    expect(answer.optimised?.[0]).toMatchObject({ metric: 'reward', answer: 'undetermined' })
  })

  test('show by weights, by the scorer, or by a scale that differs from the start', async () => {
    const sum = (level: number): Levels => ({ reward: level, eval_reward: level })
    const reasons = async (levels: { readonly a: Levels; readonly b: Levels }, a: object, b: object) =>
      (await compared(await workspaceWith(levels, { a, b }))).headline.reasonKeys
    const same = { a: sum(0.6), b: sum(0.7) }
    expect(await reasons(same, { reward_model: 'x/rm-one' }, { reward_model: 'y/rm-two' })).toEqual([
      'paid-differently.scorer',
    ])
    expect(await reasons(same, { reward_model: 'x/rm-one' }, { reward_model: 'y/rm-one' })).not.toContain(
      'paid-differently.scorer',
    )
    expect(await reasons({ a: sum(0.6), b: sum(10) }, {}, {})).toEqual(['paid-differently.scale'])
    const weighted = (level: number): Levels => ({
      ...sum(level),
      'rewards/one/mean': level / 2,
      'rewards/two/mean': level / 2,
    })
    const funcs = { reward_funcs: ['one', 'two'] }
    const found = await reasons(
      { a: weighted(0.6), b: weighted(0.7) },
      { ...funcs, reward_weights: [1, 1] },
      { ...funcs, reward_weights: [1, 2] },
    )
    expect(found).toEqual(['paid-differently.weights'])
  })
})

describe('two validation sets', () => {
  const names = ['val-core/openai/gsm8k/reward/mean@1', 'val-core/aime_2024/reward/mean@32']
  const levels = (spell: (name: string) => string, gsm8k: number, aime: number): Levels => ({
    'critic/rewards/mean': 0.6,
    'actor/pg_loss': 0.1,
    [spell(names[0])]: gsm8k,
    [spell(names[1])]: aime,
  })

  test('are both named, and judged alike in every tracker', async () => {
    const said = []
    for (const spell of [(name: string) => name, (name: string) => name.replace('@', '_')]) {
      const { answer, headline } = await compared(
        await workspaceWith({ a: levels(spell, 0.8, 0.5), b: levels(spell, 0.7, 0.5) }),
      )
      expect(headline.metric).toBe(spell(names[1]))
      said.push([answer.headline.sets.map(set => set.answer), headline.answer, headline.estimate, headline.interval])
      expect(headline.reasons.join()).toContain(spell(names[0]))
      expect(answer.judgedBy.sets.map(({ dataset }) => dataset)).toEqual(['aime_2024', 'openai/gsm8k'])
    }
    expect(said[1]).toEqual(said[0])
    expect(said[0][0]).toEqual(['undetermined', 'worse'])
  })

  test('of one training in two trackers are compared by what they both log', async () => {
    const workspace = await workspaceWith({
      a: levels(name => name, 0.8, 0.5),
      b: levels(name => name.replace('@', '_'), 0.7, 0.5),
    })
    const { answer } = await compared(workspace)
    expect(answer.headline.sets.map(({ answer }) => answer)).toEqual(['undetermined', 'worse'])
    expect(answer.sides.map(({ metric }) => metric)).toEqual([names[1], names[1].replace('@', '_')])
  })
})

describe('the goal that the user sets', () => {
  test('holds for every question until it is cleared', async () => {
    const workspace = await workspaceWith({ a: learned(0.6, 0.6), b: learned(0.3, 0.8) })
    expect(await answerTo(workspace, goals, {})).toMatchObject({ set: null, groups: [{ runs: [{}, {}] }], without: [] })
    const set = await answerTo(workspace, setGoal, { metric: 'eval_reward' })
    expect(set).toEqual({ set: { metric: 'eval_reward', goal: 'max' }, runs: 2 })
    const { answer, headline } = await compared(workspace)
    expect(headline).toMatchObject({ metric: 'eval_reward', answer: 'better' })
    expect(answer.judgedBy).toMatchObject({ source: 'user', reason: 'set with klens goal' })
    expect((await answerTo(workspace, decide, {})).metric).toBe('eval_reward')
    expect((await listRuns(workspace)).entries[0].scores[0].metric).toBe('eval_reward')
    await answerTo(workspace, setGoal, { metric: null })
    expect((await compared(workspace)).headline.metric).toBe('eval_rewards/quality/mean')
  })

  test('needs a metric that some run logs, and a direction', async () => {
    const workspace = await workspaceWith({ a: { reward: 0.5, brevity: 0.3 } })
    await expect(answerTo(workspace, setGoal, { metric: 'brevty' })).rejects.toMatchObject({
      sentence: { key: 'goal.no-metric' },
    })
    await expect(answerTo(workspace, setGoal, { metric: 'brevity' })).rejects.toMatchObject({
      sentence: { key: 'goal.no-direction' },
    })
    expect(await answerTo(workspace, setGoal, { metric: 'brevity', goal: 'min' })).toMatchObject({ runs: 1 })
  })
})

test('scores of single prompts alone judge a run, at every door', async () => {
  const workspace = await temporaryWorkspace()
  await importLogs(workspace, [join(EXAMPLES, 'intention-kl/runs/kl'), join(EXAMPLES, 'intention-kl/runs/nothing')])
  const { groups, without } = await answerTo(workspace, goals, {})
  expect(without).toEqual([])
  expect(groups.map(({ judgedBy }) => judgedBy.metric)).toEqual(['val.score'])
  const [{ judgedBy }] = groups
  const { others } = await answerTo(workspace, compare, { sides: ['kl/*', 'nothing/*'] })
  expect(others).toHaveLength(1)
  const { judgedBy: ranked } = await answerTo(workspace, checkpoints, { run: 'kl/seed1' })
  expect(ranked).toMatchObject({ metric: 'val.score', role: judgedBy.role, reason: judgedBy.reason })
  const { runs } = await answerTo(workspace, diagnose, { runs: ['kl/seed1'] })
  expect(JSON.stringify(runs)).not.toContain('Log first: val.score')
})
