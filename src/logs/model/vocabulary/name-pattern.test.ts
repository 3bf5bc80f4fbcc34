import { describe, expect, it } from 'vitest'
import { detectFramework } from './detect.js'
import { meaningOf, rawNamesFor, vocabularyFor } from './resolve.js'

const NAMES = [
  'train/pg_loss',
  'rollout/raw_reward',
  'rollout/truncated_ratio',
  'eval/aime-2024',
  'eval/aime-2024-pass@8',
  'eval/aime-2024-truncated_ratio',
]

describe('names that hold a data set', () => {
  const vocabulary = vocabularyFor({ framework: detectFramework(NAMES, []) })

  it('are read by the patterns of their framework', () => {
    expect(vocabulary.framework).toBe('slime')
    expect(meaningOf('eval/aime-2024', vocabulary)).toMatchObject({
      canonical: 'val.score',
      validation: true,
      goal: 'max',
      condition: { dataset: 'aime-2024' },
    })
    expect(meaningOf('eval/aime-2024-pass@8', vocabulary)).toMatchObject({
      canonical: 'val.score',
      condition: { dataset: 'aime-2024', aggregate: 'pass@8' },
    })
  })

  it('never lend a ratio of answers the meaning of a ratio of probabilities', () => {
    expect(meaningOf('eval/aime-2024-truncated_ratio', vocabulary)).toMatchObject({ canonical: 'val.len.truncated' })
    expect(meaningOf('eval/aime-2024/truncated_ratio', vocabulary)).toMatchObject({
      canonical: 'val.len.truncated',
      condition: { dataset: 'aime-2024' },
    })
  })

  it('take no other figure of a data set for its score', () => {
    for (const name of ['eval/aime-2024/repetition_frac', 'eval/aime-2024/zero_std/count_1', 'eval/step']) {
      expect(meaningOf(name, vocabulary).canonical, name).not.toBe('val.score')
    }
  })

  it('are carriers in the order of the patterns that say less about repeats', () => {
    expect(rawNamesFor('val.score', NAMES, vocabulary)[0]).toBe('eval/aime-2024')
  })

  it('mean nothing of the kind in the log of another framework', () => {
    const other = vocabularyFor({ framework: 'trl' })
    expect(meaningOf('rollout/zero_std/count_1', other).canonical).toBeNull()
  })
})
