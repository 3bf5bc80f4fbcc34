import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixture, withFile, withFolder } from '../../../../test/support/reading.js'
import { isConfigFile, readConfigFile } from './config-file.js'

const read = (text: string, name = 'config.yaml') => withFile(text, readConfigFile, name)

describe('isConfigFile', () => {
  it.each([
    'config.json',
    'config.yaml',
    'config.yml',
    'args.json',
    'params.json',
    'hparams.yaml',
    'training_args.json',
    'metrics.config.json',
    'metrics.config.yaml',
  ])('knows %s by its name', name => {
    expect(isConfigFile(join('/runs', name))).toBe(true)
  })

  it.each(['metrics.json', 'my-config.json', 'docker-compose.yaml', 'config.txt', 'trainer_state.json'])(
    'does not take %s for one',
    name => {
      expect(isConfigFile(join('/runs', name))).toBe(false)
    },
  )

  it('knows YAML that is named after a log beside it', async () => {
    await withFolder(async folder => {
      writeFileSync(join(folder, 'kl-0.1.jsonl'), '')
      expect(isConfigFile(join(folder, 'kl-0.1.yaml'))).toBe(true)
      expect(isConfigFile(join(folder, 'kl-0.2.yaml'))).toBe(false)
    })
  })

  it("takes hydra's overrides only where hydra's config is missing", async () => {
    await withFolder(async folder => {
      const [overrides, config] = ['overrides.yaml', 'config.yaml'].map(name => join(folder, '.hydra', name))
      mkdirSync(dirname(overrides))
      expect(isConfigFile(overrides)).toBe(true)
      writeFileSync(config, 'a: 1')
      expect(isConfigFile(overrides)).toBe(false)
      expect(isConfigFile(config)).toBe(true)
      expect(isConfigFile(join(folder, '.hydra', 'hydra.yaml'))).toBe(false)
    })
  })
})

describe('reading', () => {
  it('flattens a real config and leaves its dotted keys alone', async () => {
    const { config, warnings } = await readConfigFile(fixture('tables/kl-0.1/seed7/config.json'))
    expect(config).toMatchObject({ 'actor_rollout_ref.actor.kl_loss_coef': 0.1, 'lab.kl_coef': 0.1, seed: 7 })
    expect(warnings).toEqual([])
  })

  it('reads YAML with anchors, merges, lists and numbers that JSON has not', async () => {
    const text = 'base: &base\n  lr: 1e-6\n  betas: [0.9, 0.95]\nactor:\n  <<: *base\n  clip: .inf\n  note: ~\n'
    expect(await read(text)).toEqual({
      config: {
        'base.lr': 1e-6,
        'base.betas': [0.9, 0.95],
        'actor.lr': 1e-6,
        'actor.betas': [0.9, 0.95],
        'actor.clip': 'Infinity',
        'actor.note': null,
      },
      warnings: [],
    })
  })

  it('reads JSON with bare NaN', async () => {
    expect((await read('\uFEFF{"a":{"b":NaN}}', 'config.json')).config).toEqual({ 'a.b': 'NaN' })
  })

  it('takes the values out of what W&B wraps them in', async () => {
    const text =
      'wandb_version: 1\n_wandb:\n  value: {cli_version: 0.30.0}\nlr:\n  desc: null\n  value: 0.1\nopt:\n  value: {name: adam}\n'
    expect((await read(text)).config).toEqual({ lr: 0.1, 'opt.name': 'adam' })
  })

  it('leaves a value that only looks wrapped', async () => {
    expect((await read('a: {value: 1}\nb: 2\n')).config).toEqual({ 'a.value': 1, b: 2 })
  })

  it("reads hydra's overrides", async () => {
    await withFolder(async folder => {
      const path = join(folder, '.hydra', 'overrides.yaml')
      mkdirSync(dirname(path))
      writeFileSync(path, '- actor.lr=1e-6\n- +data.sizes=[1,2]\n- ~trainer.logger\n- name=a=b\n- empty=\n')
      expect(await readConfigFile(path)).toEqual({
        config: { 'actor.lr': 1e-6, 'data.sizes': [1, 2], name: 'a=b', empty: '' },
        warnings: [],
      })
    })
  })

  it('takes the last of keys that are given twice, and runs no tags', async () => {
    expect((await read('a: 1\na: 2\nb: !!python/object:os.system {x: 1}\n')).config).toEqual({ a: 2, 'b.x': 1 })
  })
})

describe('what cannot be read', () => {
  it.each([
    ['a: [1, 2\nb: 3\n', 'config.yaml', 'config.not-yaml'],
    ['{"a": 1', 'config.json', 'config.not-json'],
    ['[1, 2]', 'config.json', 'config.not-a-map'],
    ['just words', 'config.yaml', 'config.not-a-map'],
    ['', 'config.yaml', 'config.not-a-map'],
  ])('says what is wrong with %j', async (text, name, key) => {
    const { config, warnings } = await read(text, name)
    expect(config).toEqual({})
    expect(warnings).toMatchObject([{ key, params: { file: name } }])
  })

  it('names the line of an error', async () => {
    expect((await read('a: 1\nb: }\nc: 3\n')).warnings).toMatchObject([{ params: { line: 2 } }])
  })

  it('does not unfold a bomb of aliases', async () => {
    const levels = Array.from({ length: 20 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`)
    expect(await read(`a0: &a0 x\n${levels.join('\n')}\n`)).toMatchObject({
      config: {},
      warnings: [{ key: 'config.not-yaml' }],
    })
  })

  it('leaves out what is nested too deep', async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    const { config, warnings } = await read(`{"b":1,"c":${deep}}`, 'config.json')
    expect(config).toEqual({ b: 1 })
    expect(warnings).toMatchObject([{ key: 'config.too-deep', params: { file: 'config.json' } }])
    expect((await read(`${'{a: '.repeat(90)}1${'}'.repeat(90)}`)).warnings).toMatchObject([{ key: 'config.too-deep' }])
  })

  it.each([
    ['brackets', `a: ${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['open brackets', '{a: '.repeat(50_000)],
    ['lines', Array.from({ length: 1900 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['lists in lists', '- '.repeat(50_000)],
    ['keys in keys', `x: 1\n  ${'? '.repeat(50_000)}`],
    [
      'aliases',
      `a0: &a0 1\n${Array.from({ length: 20_000 }, (_, i) => `a${i + 1}: &a${i + 1} {x: *a${i}}`).join('\n')}`,
    ],
  ])('does not let YAML of nested %s exhaust stack or patience', async (_, text) => {
    expect(await read(text)).toMatchObject({
      config: {},
      warnings: [{ key: 'config.tangled', params: { file: 'config.yaml' } }],
    })
  })

  it('ends an alias inside what it stands for', async () => {
    expect((await read('a: &x {b: *x, c: [*x, 1], d: 2}\n')).config).toEqual({
      'a.b': null,
      'a.c': [null, 1],
      'a.d': 2,
    })
  })

  it('does not read a file that is too large for a config', async () => {
    await withFolder(async folder => {
      for (const [name, limit] of [
        ['config.json', 16],
        ['config.yaml', 2],
      ] as const) {
        const path = join(folder, name)
        writeFileSync(path, '')
        truncateSync(path, 2 ** 30)
        expect((await readConfigFile(path)).warnings).toMatchObject([
          { key: 'config.too-large', params: { file: name, size: 1024, limit } },
        ])
      }
    })
  })

  it('is not harmed by keys that JavaScript minds', async () => {
    const { config } = await read(
      '{"__proto__":{"polluted":1},"a":{"__proto__":1},"constructor":{"b":1}}',
      'config.json',
    )
    expect(Object.keys(config)).toEqual(['constructor.b'])
    expect({}).not.toHaveProperty('polluted')
  })

  it('survives any text', async () => {
    const piece = fc.constantFrom(
      'a: ',
      '- ',
      '[',
      '{',
      '}',
      ']',
      '\n',
      '  ',
      '&x ',
      '*x',
      '!!t ',
      '"',
      '|',
      '<<: ',
      '1',
      '? ',
      '---\n',
      '\0',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async pieces => {
        for (const name of ['config.yaml', 'config.json']) await read(pieces.join(''), name)
      }),
      { numRuns: 200 },
    )
  })
})
