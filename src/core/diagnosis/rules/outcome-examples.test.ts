import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { sharedWorkspace } from '../../../../test/workspace.js'
import type { Finding } from '../../../logs/model/finding.js'
import { viewRun } from '../../analysis/run-view.js'
import { loadRun } from '../../store/catalogue.js'
import { importLogs } from '../../store/ingest.js'
import { loadVocabulary } from '../../store/vocabulary.js'
import { diagnose } from '../diagnose.js'

/** The shipped real runs of examples/, imported and diagnosed as a user would. */

const EXAMPLES = fileURLToPath(new URL('../../../../examples/', import.meta.url))

const OUTCOME_RULES = `environment-outage validation-collapse reward-hacking validation-worsened length-collapse
  length-explosion truncation train-inference-mismatch non-finite throughput-decay evals-in-warmup evals-identical
  mean-impossible eval-noise best-is-last learning-stalled series-constant series-duplicated logging-trap`.split(/\s+/)

const shared = sharedWorkspace(`${EXAMPLES}grpo-addition`)

async function findingsAt(path: string): Promise<readonly Finding[]> {
  const workspace = shared()
  const { runs } = await importLogs(workspace, [`${EXAMPLES}${path}`])
  const words = await loadVocabulary(workspace)
  const found: Finding[] = []
  for (const { id } of runs) {
    const run = await loadRun(workspace, id)
    if (run !== null) found.push(...(await diagnose(viewRun(run, words))).findings)
  }
  return found.filter(({ rule }) => OUTCOME_RULES.includes(rule))
}

function graveAndWhere(findings: readonly Finding[]) {
  const grave = findings.filter(({ severity }) => severity !== 'note')
  return Object.fromEntries(grave.map(({ rule, severity, steps }) => [rule, [severity, ...steps]]))
}

it('finds nothing at all in a healthy run, not even a trap of its framework', async () => {
  expect(await findingsAt('grpo-addition/kl-0.0/seed0')).toEqual([])
})

// All runs of both labs: test/long/real-diagnosis.test.ts.
it.each(['kl-0.3', 'kl-ent-cosine'])('finds nothing but notes in the healthy runs of %s', async group => {
  expect(graveAndWhere(await findingsAt(`grpo-addition/${group}`))).toEqual({})
})

it.each([
  [
    'sick-length-bonus',
    {
      'reward-hacking': ['error', 5, 400],
      'validation-collapse': ['warning', 5, 400],
      truncation: ['warning', 5, 400],
      'length-explosion': ['warning', 6, 400],
    },
  ],
  [
    'sick-lr-high',
    {
      'validation-collapse': ['error', 5, 400],
      truncation: ['warning', 2, 400],
      'length-explosion': ['warning', 3, 400],
      'evals-identical': ['warning', 85, 400],
    },
  ],
  [
    'sick-kl-sign',
    {
      'validation-collapse': ['error', 115, 400],
      truncation: ['warning', 273, 400],
      'length-explosion': ['warning', 280, 400],
    },
  ],
  ['sick-tied-rewards', { 'evals-identical': ['warning', 0, 400] }],
  ['sick-dropout-mismatch', {}],
])('finds what was done to %s, and since when', async (group, expected) => {
  expect(graveAndWhere(await findingsAt(`grpo-addition/${group}`))).toEqual(expected)
})

it('sees that the evaluations of the UserRL run with KL all lie in its warm-up', async () => {
  expect(graveAndWhere(await findingsAt('userrl-intentiongym/kl'))).toEqual({ 'evals-in-warmup': ['warning', 5, 45] })
})

it('sees that two epochs of a Lever-Plus run score the same at every number of shots', async () => {
  expect(graveAndWhere(await findingsAt('kl-beta-sweep/kl-0.12'))).toEqual({ 'evals-identical': ['warning', 1, 2] })
})
