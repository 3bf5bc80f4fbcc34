import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import { CONFIG_KEYS } from './config-keys.js'
import { ROWS } from './metric-index.js'
import { type MeaningProposal, proposeMetric, proposeSetting } from './propose.js'
import { METRIC_WORDINGS, SETTING_WORDINGS } from './wordings.js'

const CERTAINTIES = ['clear', 'likely', 'open'] as const

interface LabelledName {
  readonly name: string
  /** Meanings that are right; none: any proposal is wrong. */
  readonly right: readonly string[]
  /** Whether silence is a miss. */
  readonly isExpected: boolean
}

/** How often the proposals for some names are right; an open one is when the truth is among its candidates. */
function measured(names: readonly LabelledName[]) {
  const counts = { clear: [0, 0], likely: [0, 0], open: [0, 0] }
  const wrong: string[] = []
  let expected = 0
  let met = 0
  for (const { name, right, isExpected } of names) {
    const proposal = proposeMetric(name)
    const isRight = proposal?.candidates.some(candidate => right.includes(candidate)) ?? false
    if (isExpected) expected += 1
    if (isExpected && isRight) met += 1
    if (proposal === null) continue
    counts[proposal.certainty][0] += 1
    if (isRight) counts[proposal.certainty][1] += 1
    else wrong.push(`${name}: ${proposal.candidates}`)
  }
  return { wrong, expected, met, ...Object.fromEntries(CERTAINTIES.map(each => [each, counts[each].join(' → ')])) }
}

function labelled(half: 'tuning' | 'held-out'): readonly LabelledName[] {
  const text = readFileSync(new URL(`../../../../test/data/vocabulary/${half}.json`, import.meta.url), 'utf8')
  const { about, ...projects } = JSON.parse(text)
  return Object.values<{ [name: string]: string }>(projects).flatMap(names =>
    Object.entries(names).map(([name, label]) => ({
      name,
      right: label.replace('?', '').split('|').filter(Boolean),
      isExpected: label !== '' && !label.startsWith('?'),
    })),
  )
}

describe('how often a proposal is right', () => {
  it('is right on the names that it was tuned on', () => {
    expect(measured(labelled('tuning'))).toEqual({
      wrong: [],
      expected: 66,
      met: 64,
      clear: '37 → 37',
      likely: '20 → 20',
      open: '14 → 14',
    })
  })

  it('is right on the names of other projects, at first contact', () => {
    expect(measured(labelled('held-out'))).toEqual({
      wrong: [],
      expected: 59,
      met: 51,
      clear: '19 → 19',
      likely: '21 → 21',
      open: '16 → 16',
    })
  })

  it('agrees with the files of the frameworks, which others wrote', () => {
    const names = FRAMEWORK_DATA.filter(({ id }) => id !== 'klens').flatMap(({ metrics, also = {}, unknown = {} }) => [
      ...Object.entries(metrics).flatMap(([canonical, list]) =>
        list.map(name => {
          const stands = Object.keys(also).filter(other => also[other]?.includes(name))
          return { name, right: [canonical, ...stands], isExpected: true }
        }),
      ),
      ...Object.keys(unknown).map(name => ({ name, right: [], isExpected: false })),
    ])
    const { wrong } = measured(names)
    const made = names.filter(({ name }) => proposeMetric(name) !== null).length
    expect(made).toBeGreaterThan(100)
    expect(wrong.length / made, wrong.join('\n')).toBeLessThan(0.05)
  })
})

function candidatesFor(name: string, range?: { min: number; max: number }): readonly string[] {
  return proposeMetric(name, range)?.candidates ?? []
}

describe('names that look like something else', () => {
  it('takes a truncated share of a data set for no probability ratio', () => {
    expect(candidatesFor('eval/aime24-truncated_ratio')).toEqual(['val.len.truncated'])
  })
  it('takes the accuracy of training pairs for nothing', () => {
    expect([candidatesFor('accuracy'), candidatesFor('train/accuracy'), candidatesFor('rewards/accuracies')]).toEqual([
      [],
      [],
      [],
    ])
  })
  it('asks whether a throughput is per GPU or of the job', () => {
    expect(proposeMetric('perf/tokens_per_sec')).toMatchObject({
      candidates: ['throughput', 'throughput.job'],
      certainty: 'open',
    })
    expect(candidatesFor('rollout/gen_tokens_per_s')).toEqual([])
  })
  it('asks for the sign of an entropy loss', () => {
    expect(proposeMetric('entropy_loss')).toMatchObject({
      candidates: ['entropy', 'entropy.negative'],
      certainty: 'open',
    })
  })
  it('reads the statistic, and proposes nothing where the table has no such row', () => {
    expect(candidatesFor('rollout/advantage_max')).toEqual(['adv.max'])
    expect(candidatesFor('policy/grad_norm_max')).toEqual([])
    expect(candidatesFor('completion_length_std')).toEqual([])
    expect(candidatesFor('episode_reward_std')).toEqual(['episode.return.std'])
  })
  it('proposes nothing for counters', () => {
    for (const name of ['num_episodes', 'n_tokens', 'grad_clip_count', 'Eval/NumEpisodes', 'skipped_steps']) {
      expect(candidatesFor(name), name).toEqual([])
    }
  })
  it('proposes nothing with a word that is not explained', () => {
    expect(candidatesFor('train/skip_ratio')).toEqual([])
    expect(candidatesFor('old_policy_loss')).toEqual([])
    expect(candidatesFor('eval/best_reward')).toEqual([])
  })
})

it('drops a meaning that the logged values exclude', () => {
  expect(candidatesFor('truncated_fraction', { min: 0, max: 0.4 })).toEqual(['len.truncated'])
  expect(candidatesFor('truncated_fraction', { min: 0, max: 37 })).toEqual([])
  expect(candidatesFor('completion_length_mean', { min: -1, max: 5 })).toEqual([])
})

it('proposes settings by the last part of their path', () => {
  expect(proposeSetting('trainer.optim.learning_rate')).toMatchObject({ candidates: ['lr'], certainty: 'clear' })
  expect(proposeSetting('algo.kl_coef')).toMatchObject({ certainty: 'open' })
  expect(proposeSetting('trainer.num_workers')).toBeNull()
})

it('names only what the tables have', () => {
  const settings = CONFIG_KEYS.map(({ key }) => key)
  for (const { canonicals, asks } of METRIC_WORDINGS) {
    for (const canonical of canonicals) expect(ROWS.has(canonical), canonical).toBe(true)
    expect(canonicals.length > 1, String(canonicals)).toBe(asks !== null)
  }
  for (const { canonicals } of SETTING_WORDINGS) for (const key of canonicals) expect(settings).toContain(key)
})

it('takes any text for a name', () => {
  const always = (text: string): readonly (MeaningProposal | null)[] => [proposeMetric(text), proposeSetting(text)]
  fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), text => always(text).length === 2))
})
