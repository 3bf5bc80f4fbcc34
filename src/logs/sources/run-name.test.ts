import { expect, test } from 'vitest'
import { runNameFromPath } from './run-identity.js'

test.each([
  ['/logs/qwen3-8b-kl.log', 'qwen3-8b-kl'],
  ['/runs/kl-0.1/metrics.jsonl', 'kl-0.1'],
  ['/runs/kl-0.0/seed0/metrics.jsonl', 'kl-0.0/seed0'],
  ['/runs/kl-0.0/seed_3/train.log', 'kl-0.0/seed_3'],
  ['/runs/grpo/run1/output.log', 'grpo/run1'],
  ['/runs/grpo/7/stdout', 'grpo/7'],
  ['/home/me/kl-0.1/logs/console.log', 'kl-0.1'],
  ['/metrics.jsonl', 'metrics'],
  ['metrics.jsonl', 'metrics'],
])('%s is called %s', (path, name) => {
  expect(runNameFromPath(path)).toBe(name)
})
