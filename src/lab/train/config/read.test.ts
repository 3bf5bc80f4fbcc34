import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { render } from '../../../text/sentences.js'
import { canonicalJson, configHash } from './hash.js'
import { type ConfigSources, readTrainConfig } from './read.js'
import { defaultConfig, type TrainConfig } from './selector-settings.js'
import { klInLoss, klRule } from './shared-settings.js'

function config(sources: ConfigSources): TrainConfig {
  const reading = readTrainConfig(sources)
  if (reading.kind === 'config') return reading.config
  throw new Error(reading.problems.map(problem => render(problem, 'en')).join('\n'))
}

function problems(sources: ConfigSources): readonly string[] {
  const reading = readTrainConfig(sources)
  return reading.kind === 'config' ? [] : reading.problems.map(problem => render(problem, 'en'))
}

const SECRET = 'sk-abc123'
const yaml = (text: string) => ({ file: { name: 'train.yaml', text } })
const set = (...sets: string[]) => ({ sets })

describe('the config of klens train', () => {
  it('needs nothing to be said', () => {
    expect(config({})).toEqual(defaultConfig())
    expect(config(yaml(''))).toEqual(defaultConfig())
    expect(config(yaml('kl:\n'))).toEqual(defaultConfig())
  })

  it('takes nested keys, dotted keys and words on the command line, the last of which wins', () => {
    const text = 'seed: 7\nkl:\n  loss: {coef: 0.2}\nlr.grpo: 2e-5\n'
    const found = config({ ...yaml(text), sets: ['kl.loss.coef=0.3', 'kl.loss.coef=0.4', 'policy={heads: 2}'] })
    expect([found.seed, found.kl.loss.coef, found.lr.grpo, found.policy.heads]).toEqual([7, 0.4, 2e-5, 2])
    expect(found.kl.loss.estimator).toBe('k3')
  })

  it.each([
    ['lr.grpo=1e-5', ['lr', 'grpo'], 1e-5],
    ['lr.grpo="1e-5"', ['lr', 'grpo'], 1e-5],
    ['seed=12', ['seed'], 12],
    ['name=12', ['name'], '12'],
    ['name=none', ['name'], null],
    ['reward.normalise=on', ['reward', 'normalise'], 'z-score'],
    ['reward.mode=hard_plus_soft', ['reward', 'mode'], 'hard+soft'],
    ['adv.kind=Z_Score', ['adv', 'kind'], 'z-score'],
    ['early_stopping.patience=3', ['early_stopping', 'patience'], 3],
    ['early_stopping.patience=none', ['early_stopping', 'patience'], null],
    ['freeze.grpo=none', ['freeze', 'grpo'], []],
    ['freeze.grpo=input_proj, cand_proj', ['freeze', 'grpo'], ['input_proj', 'cand_proj']],
    ['freeze.grpo=[input_proj]', ['freeze', 'grpo'], ['input_proj']],
  ])('reads %s', (word, path, expected) => {
    const value = path.reduce<unknown>((place, key) => Object(place)[key], config(set(word)))
    expect(value).toEqual(expected)
  })

  it.each([
    ['kl.los.coef=1', '"kl.los.coef" is not a setting of klens train. Did you mean "kl.loss.coef"?'],
    ['kl_beta=0.1', '"kl_beta" is not a setting of klens train. Did you mean "kl.loss.coef"?'],
    ['kl.coef=0.1', '"kl.coef" is not a setting of klens train. Did you mean "kl.loss.coef"?'],
    ['grpo_lr=1', '"grpo_lr" is not a setting of klens train. Did you mean "lr.grpo"?'],
    ['num_generations=4', '"num_generations" is not a setting of klens train. Did you mean "group.size"?'],
    ['zzz=1', '"zzz" is not a setting of klens train.'],
    ['clip.zzz=1', '"clip.zzz" is not a setting of klens train. That section has: clip.low, clip.high, clip.old.'],
    ['clip=0.2', '"clip" is a section and cannot be 0.2. Set one of its settings: clip.low, clip.high, clip.old.'],
    ['__proto__.x=1', '"__proto__.x" is not a setting of klens train.'],
    ['seed', '--set needs key=value, not "seed".'],
    ['=1', '--set needs key=value, not "=1".'],
    ['seed=abc', '"seed" must be a number, not "abc".'],
    ['seed=1.5', '"seed" must be a whole number, not 1.5.'],
    ['seed=-1', '"seed" is -1; it must be at least 0.'],
    ['lr.grpo=0', '"lr.grpo" is 0; it must be more than 0.'],
    ['lr.grpo=.nan', '"lr.grpo" must be a number, not NaN.'],
    ['dropout.hidden=1', '"dropout.hidden" is 1; it must be less than 1.'],
    ['clip.low=1.2', '"clip.low" is 1.2; it must be at most 1.'],
    ['reward.normalise=maybe', '"reward.normalise" is "maybe"; it can be: none, z-score, rank.'],
    ['freeze.grpo=3', '"freeze.grpo" must be a list, or comma-separated words, not 3.'],
    ['adv.kind=rnak', '"adv.kind" is "rnak"; it can be: z-score, rank, centred, leave-one-out.'],
    ['task=digit', '"task" is "digit"; did you mean "digits"? It can be: digits, lever, llm, intention.'],
    ['kl.controller=scheduled', 'kl.controller is "scheduled", which needs kl.final, the coefficient to end with.'],
    ['kl.band.low=0.5', '"kl.band.low" is 0.5; it must be less than "kl.band.high", which is 0.1.'],
    ['policy.heads=3', 'policy.hidden 256 cannot be split evenly into policy.heads 3.'],
    ['policy.shots=65', 'policy.shots is 65, but there are only 64 candidates to pick from (data.candidates).'],
    [
      'kl.reward.coef=0.1',
      'The KL is in the loss (kl.loss.coef 0.1) and in the reward (kl.reward.coef 0.1), so it would count twice. Set one of them to 0.',
    ],
  ])('refuses %s', (word, sentence) => {
    expect(problems(set(word))).toEqual([sentence])
  })

  it('tells all that is wrong at once', () => {
    expect(problems({ ...yaml('sead: 1\nlr: {grpo: fast}'), sets: ['clip.low=-1'] })).toHaveLength(3)
  })

  it('names the files that a task needs', () => {
    expect(problems(set('task=lever'))).toEqual([
      'The task "lever" needs "data.train", the path of a file.',
      'The task "lever" needs "data.query_embeddings", the path of a file.',
    ])
  })

  it('takes paths in a file as relative to it, and those of --set to the current folder', () => {
    const file = {
      name: '/data/lever/train.yaml',
      text: 'task: lever\ndata: {train: rl.json, query_embeddings: ../q.pt}',
    }
    const found = config({ file, sets: ['data.val=val.json', 'data.candidate_embeddings=/c.pt', 'llm.cache_dir=none'] })
    expect(found.data).toMatchObject({
      train: '/data/lever/rl.json',
      query_embeddings: '/data/q.pt',
      val: resolve('val.json'),
      candidate_embeddings: '/c.pt',
    })
    expect(found.llm.cache_dir).toBeNull()
  })

  it('lets a file and --set win over what a checkpoint says', () => {
    const base = { seed: 1, 'kl.loss.coef': 0.5, 'lr.grpo': 1e-3 }
    const found = config({ base, ...yaml('kl.loss.coef: 0.6\nlr.grpo: 1e-4'), sets: ['lr.grpo=1e-5'] })
    expect([found.seed, found.kl.loss.coef, found.lr.grpo]).toEqual([1, 0.6, 1e-5])
  })

  it('reads a prompt that looks like YAML as the text it is', () => {
    const found = config(set('llm.prompt.query=Question: {text}', 'llm.prompt.instruction=none'))
    expect(found.llm.prompt).toMatchObject({ query: 'Question: {text}', instruction: '' })
    expect(config(set('llm.prompt.query="Q: {text}\\nA:"')).llm.prompt.query).toBe('Q: {text}\nA:')
  })

  describe('for the task llm', () => {
    const files = ['task=llm', 'data.train=items.jsonl', 'data.query_embeddings=e.npy', 'llm.model=m']
    const url = 'llm.url=http://localhost:8000/v1'

    it('needs an address and a model', () => {
      expect(problems(set(...files.slice(0, 3)))).toEqual([
        'The task "llm" needs "llm.url".',
        'The task "llm" needs "llm.model".',
      ])
      expect(problems(set(...files, url))).toEqual([])
      expect(problems(set(...files, url, 'data.examples=x.jsonl'))).toEqual([
        'The task "llm" needs "data.candidate_embeddings", the path of a file.',
      ])
    })

    it('takes the name of a variable for the key, and repeats nothing that may be one', () => {
      expect(problems(set(...files, url, 'llm.key_env=OPENAI_API_KEY'))).toEqual([])
      for (const word of [
        `llm.key_env=${SECRET}`,
        `llm.url=http://u:${SECRET}@h/v1`,
        `llm.url=http://h/v1?k=${SECRET}`,
      ]) {
        const [said, ...others] = problems(set(...files, url, word))
        expect(others).toEqual([])
        expect(said).toMatch(/llm\.key_env/)
        expect(said).not.toContain(SECRET)
      }
      expect(problems(set(`llm.api_key=${SECRET}`)).join()).not.toContain(SECRET)
    })

    it('takes counts for the ways to propose a group, which must give two', () => {
      const found = config(set(...files, url, 'group.proposals.temperatures=0.7,1', 'group.proposals.retrieval=5'))
      expect(found.group.proposals).toMatchObject({ beams: 5, temperatures: [0.7, 1], samples: 2, retrieval: 5 })
      const none = ['beams=0', 'temperatures=none', 'random=1'].map(word => `group.proposals.${word}`)
      expect(problems(set(...files, url, ...none))[0]).toMatch(/^The warm-up needs groups of at least two choices/)
    })
  })

  it('refuses shares that leave nothing to train on, and a validation file for a task without', () => {
    const lever = ['task=lever', 'data.train=a', 'data.query_embeddings=b']
    expect(problems(set(...lever, 'data.val_share=0.6', 'data.test_share=0.4'))[0]).toMatch(/add up to 1/)
    expect(problems(set('data.val=x.json'))).toEqual([
      '"data.val" is for the task "lever"; digits has its own validation queries.',
    ])
  })

  it('refuses a file that is no map, is no YAML or says a thing twice', () => {
    expect(problems(yaml('just words'))).toEqual(['train.yaml must contain settings, one "key: value" per line.'])
    expect(problems(yaml('a: [1'))[0]).toMatch(/^train\.yaml is not valid YAML: /)
    expect(problems(yaml('seed: 1\nseed: 2'))[0]).toMatch(/^train\.yaml is not valid YAML: /)
    expect(problems(yaml('clip: {low: 0.1}\nclip.low: 0.2'))).toEqual(['train.yaml sets "clip.low" twice. Keep one.'])
  })

  it('refuses values without end', () => {
    expect(problems(yaml('seed: &a [*a]'))).toEqual(['"seed" must be a number, not […].'])
    for (const depth of [1_000, 5_000, 100_000]) {
      expect(problems(yaml(`seed: ${'['.repeat(depth)}${']'.repeat(depth)}`))).toHaveLength(1)
    }
  })

  it('survives whatever is written', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (text, sets) => {
        readTrainConfig({ ...yaml(text), sets })
      }),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('kl', 'seed', 'freeze', 'x'), fc.jsonValue()), value => {
        readTrainConfig(yaml(JSON.stringify(value)))
      }),
    )
  })

  it('reads back what it wrote', () => {
    const found = config(set('kl.loss.coef=0.3', 'freeze.grpo=none', 'name=first', 'kl.final=1'))
    expect(config(yaml(canonicalJson(found)))).toEqual(found)
  })
})

describe('the hash of a config', () => {
  it('depends on every setting but the name, and not on how or in which order they were given', () => {
    const hash = (sources: ConfigSources) => configHash(config(sources))
    const first = hash(set('seed=3', 'kl.loss.coef=0.2'))
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(hash(yaml('kl: {loss: {coef: 2e-1}}\nseed: 3'))).toBe(first)
    expect(hash(set('seed=3', 'kl.loss.coef=0.2', 'name=other'))).toBe(first)
    expect(hash(set('seed=3'))).not.toBe(first)
  })

  it('is over JSON with sorted keys', () => {
    expect(canonicalJson({ b: [1, { d: null, c: 'x' }], a: 1e-5 })).toBe('{"a":0.00001,"b":[1,{"c":"x","d":null}]}')
  })
})

describe('the settings of the objectives', () => {
  it('hold the coefficient in force where the KL is in the loss, and none where it is in the reward', () => {
    expect(klInLoss(config({}).kl, 0.05)).toBe(0.05)
    const inReward = config(set('kl.loss.coef=0', 'kl.reward.coef=0.2'))
    expect(klInLoss(inReward.kl, 0.05)).toBe(0)
    expect(klRule(inReward.kl)).toEqual({ kind: 'constant', coefficient: 0.2 })
  })

  it("make the original's controller from one word", () => {
    expect(klRule(config(set('kl.controller=band')).kl)).toEqual({
      kind: 'band',
      coefficient: 0.1,
      low: 0.01,
      high: 0.1,
      factor: 1.5,
      floor: 0.001,
      ceiling: 10,
    })
    expect(klRule(config(set('kl.controller=scheduled', 'kl.final=0.5')).kl)).toMatchObject({ finalCoefficient: 0.5 })
    expect(klRule(config(set('kl.controller=proportional')).kl)).toMatchObject({ target: 0.1, horizon: 10_000 })
  })

  it('have a learning rate for each phase under one schedule', () => {
    const { lr } = config(set('lr.schedule=cosine', 'lr.warmup.ratio=0.1', 'lr.grpo=1e-5'))
    expect(lr).toMatchObject({
      rce: 1e-4,
      grpo: 1e-5,
      schedule: 'cosine',
      warmup: { ratio: 0.1, from: 'stride' },
    })
  })
})
