import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withFolder } from '../../../test/support/reading.js'
import { loadRun } from './catalogue.js'
import { readEvaluations } from './evaluations.js'
import { importLogs } from './ingest.js'
import { workspaceAt } from './workspace.js'

const METRICS = [0, 100, 200].map(step => `${JSON.stringify({ step, reward: step / 1000, loss: 1 })}\n`).join('')

function results(model: string, accuracy: number): string {
  const figures = { alias: 'gsm8k', 'exact_match,none': accuracy, 'exact_match_stderr,none': 0.05 }
  return JSON.stringify({ results: { gsm8k: figures }, model_name: model, date: 1_770_000_000 })
}

/** Files in a folder of their own, and what importing some of them after one another leaves in the store. */
async function importing(files: { readonly [path: string]: string }, ...order: readonly string[]) {
  return withFolder(async folder => {
    const workspace = workspaceAt(join(folder, '.klens'))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const runs = new Map<string, { name: string; source: string; status: string; warnings: readonly string[] }>()
    for (const path of order) {
      const { runs: imported } = await importLogs(workspace, [join(folder, path)])
      for (const { id, name, source, status, warnings } of imported) {
        runs.set(id, { name, source, status, warnings: warnings.map(({ key }) => key) })
      }
    }
    const left = []
    for (const [id, about] of runs) {
      const run = await loadRun(workspace, id)
      if (run === null) continue
      const means = (await readEvaluations(run)).filter(({ metric }) => !metric.endsWith('_stderr'))
      const scores = means.map(({ step, value }) => [step, value])
      left.push({ ...about, scores })
    }
    return left
  })
}

const SCORED = {
  'kl-0.1/metrics.jsonl': METRICS,
  'evals/a/results_2026-05-01T10-00-01.0.json': results('/data/kl-0.1/checkpoint-100', 0.25),
  'evals/b/results_2026-05-01T10-00-02.0.json': results('/data/kl-0.1/checkpoint-200', 0.5),
}
const JOINED = [
  {
    name: 'kl-0.1',
    source: 'jsonl',
    status: 'unknown',
    warnings: [],
    scores: [
      [100, 0.25],
      [200, 0.5],
    ],
  },
]

describe('an evaluation that names a checkpoint', () => {
  it.each([
    ['after its training', ['kl-0.1', 'evals']],
    ['before its training', ['evals', 'kl-0.1']],
    ['piece by piece, and again', ['evals/a', 'kl-0.1', 'evals/b', 'evals', 'kl-0.1']],
  ])('joins it when it is imported %s', async (_, order) => {
    expect(await importing(SCORED, ...order)).toEqual(JOINED)
  })

  it('joins the training in whose folder it lies, not one of the same name', async () => {
    const own = { 'x/kl-0.1/eval/checkpoint-100/results.json': results('base', 0.25), 'x/kl-0.1/log.jsonl': METRICS }
    const other = { 'y/kl-0.1/metrics.jsonl': METRICS.replace('"reward":0.1', '"reward":0.7') }
    const runs = await importing({ ...own, ...other }, 'x/kl-0.1/log.jsonl', 'y', 'x/kl-0.1/eval')
    expect(runs.map(({ scores }) => scores)).toEqual([[[100, 0.25]], []])
  })

  it('stays a run of its own where two trainings fit, and says so', async () => {
    const other = { 'again/kl-0.1/metrics.jsonl': METRICS.replace('"reward":0.1', '"reward":0.7') }
    const runs = await importing({ ...SCORED, ...other }, 'kl-0.1', 'again', 'evals/a')
    expect(runs.map(({ source, warnings }) => [source, warnings])).toEqual([
      ['jsonl', []],
      ['jsonl', []],
      ['lm-eval', ['attach.several']],
    ])
  })
})
