import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture, sourceFile, withFile } from '../../../test/support/reading.js'
import { stepConsole } from './console/step-console.js'
import { trainerState } from './hugging-face/trainer-state.js'
import { inspectLog } from './inspect/inspect.js'
import { leverChoices } from './lever/choices.js'
import { lmEvalSamples } from './lm-eval/lm-eval.js'
import { neptune } from './neptune/neptune.js'
import { openaiEvals } from './openai-evals/openai-evals.js'
import { openrlhfConsole } from './openrlhf/console.js'
import { sources } from './registry.js'
import { completions, completionsParquet } from './samples/completions.js'
import { samples } from './samples/samples.js'
import type { Source, SourceFile } from './source.js'
import { csv } from './table/csv.js'
import { jsonl, jsonTable } from './table/json.js'
import { trackioInbox } from './trackio/inbox.js'
import { verifiersResults, verifiersTraces } from './verifiers/verifiers.js'
import { verlConsole } from './verl/console.js'
import { verlJsonl } from './verl/jsonl.js'
import { wandbChart } from './wandb-export/chart.js'
import { wandbParquet } from './wandb-export/parquet.js'

/** Files that two sources recognise, and which of them must come first. */
const CONTESTED: readonly (readonly [first: Source, second: Source])[] = [
  [completionsParquet, wandbParquet],
  [neptune, wandbParquet],
  [wandbChart, csv],
  [trackioInbox, jsonl],
  [inspectLog, jsonTable],
  [lmEvalSamples, jsonl],
  [verifiersResults, completions],
  [verifiersResults, jsonl],
  [verifiersTraces, jsonl],
  [openaiEvals, jsonl],
  [completions, samples],
  [completions, jsonl],
  [completions, csv],
  [samples, jsonl],
  [samples, csv],
  [verlJsonl, jsonl],
  [leverChoices, jsonTable],
  [trainerState, jsonTable],
  [openrlhfConsole, verlConsole],
  [openrlhfConsole, stepConsole],
  [verlConsole, stepConsole],
]

const ROWS = [0, 1, 2].map(id => ({ step: 1, id, prompt: '1+1', output: '2', score: id % 2 }))
const MADE_UP = [
  { name: 'evals.csv', text: `step,id,prompt,output,score\n${ROWS.map(row => Object.values(row)).join('\n')}\n` },
  { name: 'scores.jsonl', text: ROWS.map(({ step, id, score }) => JSON.stringify({ step, id, score })).join('\n') },
  { name: 'job.log', text: '(WorkerDict pid=2) ready\n(PPOTrainer pid=1) ready\n' },
]

async function allFiles(): Promise<readonly SourceFile[]> {
  const entries = readdirSync(fixture(''), { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const real = await Promise.all(paths.map(path => sourceFile(path)))
  const madeUp = MADE_UP.map(({ name, text }) => withFile(text, sourceFile, name))
  return [...real.filter(({ size }) => size > 0), ...(await Promise.all(madeUp))]
}

describe('the order of the registry', () => {
  it.each(CONTESTED.map(([first, second]) => [first.id, second.id, first, second]))(
    'puts %s before %s',
    (_, __, first, second) => {
      expect(sources.indexOf(first)).toBeGreaterThanOrEqual(0)
      expect(sources.indexOf(first)).toBeLessThan(sources.indexOf(second))
    },
  )

  it('decides nothing else: no file is wanted by two sources that are not in this table', async () => {
    const known = new Set(CONTESTED.map(([first, second]) => `${sources.indexOf(first)} ${sources.indexOf(second)}`))
    const met = new Set<string>()
    for (const file of await allFiles()) {
      const wanting = sources.flatMap((source, index) => (source.recognise(file) ? [index] : []))
      wanting.forEach((first, at) => {
        for (const second of wanting.slice(at + 1)) met.add(`${first} ${second}`)
      })
    }
    expect([...met].sort()).toEqual([...known].sort())
  })
})
