import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fixture, withFile } from '../../../../test/support/reading.js'
import { readConfigFile } from './config-file.js'

const REAL = fixture('hf/output/finished/checkpoint-6/training_args.bin')

it('gives every setting of a real TRL training, with enums as their values', async () => {
  const { config, warnings } = await readConfigFile(REAL)
  expect(warnings).toEqual([])
  expect(config).toMatchObject({
    beta: 0.04,
    learning_rate: 0.001,
    num_generations: 4,
    max_steps: 6,
    lr_scheduler_type: 'linear',
    optim: 'adamw_torch_fused',
    save_strategy: 'steps',
    'accelerator_config.split_batches': false,
    deepspeed: null,
  })
  expect(Object.keys(config).length).toBeGreaterThan(100)
  expect(Object.keys(config).filter(key => /^_|distributed_state|device$/.test(key))).toEqual([])
})

it('says of anything else that it holds no settings', async () => {
  for (const content of ['', 'PK\x03\x04', readFileSync(fixture('wandb/finished.wandb'))]) {
    const { config, warnings } = await withFile(content, readConfigFile, 'training_args.bin')
    expect({ config, keys: warnings.map(({ key }) => key) }).toEqual({ config: {}, keys: ['config.not-settings'] })
  }
})

it('survives any damage', async () => {
  const whole = readFileSync(REAL)
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 6 }), async (at, bytes) => {
      const damaged = Buffer.from(whole)
      damaged.set(bytes.subarray(0, whole.length - at), at)
      expect((await withFile(damaged, readConfigFile, 'training_args.bin')).warnings.length).toBeLessThanOrEqual(1)
    }),
    { numRuns: 300 },
  )
})
