import { describe, expect, it } from 'vitest'
import type { Verdict } from '../model/verdict.js'
import { dataRules } from './data.js'
import { readDocument } from './document.js'

const VERDICT: Verdict = {
  question: 'level',
  metric: 'val.score',
  baseline: 'no-kl',
  other: 'kl',
  scope: 'runs',
  answer: 'worse',
  estimate: -0.1,
  interval: [-0.15, -0.05],
  p: 0.001,
  margin: null,
  smallestMargin: null,
  level: null,
  tags: [],
  reasons: [],
  toSettle: {},
  method: null,
}

function contradicted(text: string, verdict: Verdict = VERDICT): readonly string[] {
  const document = readDocument('report.md', text)
  return dataRules({ series: [], verdicts: [verdict] }).flatMap(rule =>
    [...rule.check(document, [])].map(({ found }) => found),
  )
}

describe('a claim against the verdict of the logs', () => {
  it('is contradicted when it praises the side that is worse, whichever of the two that is', () => {
    expect(contradicted('The run kl is better than no-kl.')).toEqual(['better'])
    expect(contradicted('The run no-kl is better than kl.')).toEqual([])
    expect(contradicted('The run no-kl is better than kl.', { ...VERDICT, answer: 'better' })).toEqual(['better'])
  })

  it('is contradicted when it blames the side that is better', () => {
    expect(contradicted('Here no-kl is worse than kl.')).toEqual(['worse'])
    expect(contradicted('Here kl is worse than no-kl.')).toEqual([])
  })

  it('is left alone when it names no side, as long as there is a difference', () => {
    expect(contradicted('The second run is better.')).toEqual([])
    expect(contradicted('The second run is better.', { ...VERDICT, answer: 'undetermined' })).toEqual(['better'])
  })
})
