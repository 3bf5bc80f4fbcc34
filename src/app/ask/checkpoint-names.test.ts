import { expect, it } from 'vitest'
import { checkpointNames } from './keep-evaluations.js'

it('names checkpoints by their file, by their run, and by their folder where two have one name', () => {
  const paths = ['/a/kl-0.12/grpo_epoch1.pt', '/a/kl-0.18/grpo_epoch1.pt', '/a/rce_epoch5.pt']
  const own = ['/w/.klens/runs/k1/checkpoints/epoch3.safetensors', '/w/.klens/runs/k2/checkpoints/epoch3.safetensors']
  expect([...checkpointNames([...paths, ...own]).values()]).toEqual([
    'kl-0.12/grpo_epoch1',
    'kl-0.18/grpo_epoch1',
    'rce_epoch5',
    'k1/epoch3',
    'k2/epoch3',
  ])
})
