import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../../../test/workspace.js'
import { Problem } from '../../../logs/model/problem.js'
import { render } from '../../../text/sentences.js'
import { readAnyConfig } from '../../train/config/any.js'
import { changesSince, designHash, freeze, readFrozen } from '../file/frozen.js'
import { readStudy } from '../file/read.js'
import { trialsOf } from '../trial.js'
import { plannedArms } from './arms.js'
import { planStudy } from './plan-study.js'

const HEAD = 'question: does the KL matter?\n'

function trials(text: string) {
  const study = readStudy('kl.yaml', text)
  return trialsOf(study.name, plannedArms(study), study.file.seeds)
}

function complaint(text: string): string {
  try {
    trials(text)
  } catch (error) {
    if (error instanceof Problem) return render(error.sentence, 'en')
    throw error
  }
  throw new Error('nothing was refused')
}

describe('the trials of a study', () => {
  it('are every arm with every seed, arms within a seed', () => {
    const planned = trials(
      `${HEAD}base: {epochs: {grpo: 2}}\nvary: {kl.loss.coef: [0, 0.1], lr.grpo: [1e-4, 1e-3]}\nseeds: 2`,
    )
    expect(planned.map(({ name }) => name)).toEqual(
      [1, 2].flatMap(seed =>
        ['0,lr.grpo=0.0001', '0,lr.grpo=0.001', '0.1,lr.grpo=0.0001', '0.1,lr.grpo=0.001'].map(
          point => `kl/kl.loss.coef=${point}/seed${seed}`,
        ),
      ),
    )
    expect(planned[7].config).toMatchObject({ seed: 2, epochs: { grpo: 2 }, kl: { loss: { coef: 0.1 } } })
  })

  it('are known by all their settings, whatever they are called and however they are written', () => {
    const [one] = trials(`${HEAD}vary: [{kl.loss.coef: 0.3}]\nseeds: [4]`)
    const [other] = trials(`${HEAD}name: mine\nbase:\n  kl: {loss: {coef: 0.3}}\narms: {a: {}}\nseeds: [4]`)
    const [third] = trials(`${HEAD}vary: [{kl.loss.coef: 0.3}]\nseeds: [5]`)
    expect(one.id).toBe(other.id)
    expect(one.id).not.toBe(third.id)
  })

  it('are refused where there is no arm: a search would start what nobody was shown', () => {
    expect(complaint(`${HEAD}arms: {}\nsearch: {knobs: {lr.grpo: {random: [0, 1]}}}`)).toContain(
      '"arms" must name at least one',
    )
    const alone = complaint(`${HEAD}search: {knobs: {lr.grpo: {random: [0, 1]}}}`)
    expect(alone).toContain('this file has neither')
    expect(alone).not.toContain('{')
  })

  it('stack arms setting by setting, the later one on top', () => {
    const planned = trials(`${HEAD}seeds: 1
arms:
  kl: {kl: {loss: {coef: 0.2}}}
  estimator: {kl: {loss: {estimator: k1}}, entropy.coef: 0.01}
  both: [kl, estimator, {entropy.coef: 0.02}]`)
    expect(planned[2].config).toMatchObject({ kl: { loss: { coef: 0.2, estimator: 'k1' } }, entropy: { coef: 0.02 } })
  })

  it('draw the same values every time, within their range', () => {
    const text = `${HEAD}vary: {lr.grpo: {log-uniform: [1e-5, 1e-3], count: 20}}\nseeds: 1`
    const rates = trials(text).map(({ config }) => config?.lr.grpo ?? 0)
    expect(rates).toEqual(trials(text).map(({ config }) => config?.lr.grpo ?? 0))
    expect(new Set(rates).size).toBe(20)
    expect(rates.every(rate => rate >= 1e-5 && rate <= 1e-3)).toBe(true)
    expect(rates.filter(rate => rate < 1e-4).length).toBeGreaterThan(4)
  })
})

describe('the studies of the examples', () => {
  it.each([
    ['kl-sweep', 9],
    ['digits-kl', 10],
    ['intention-kl', 48],
  ])('can be planned: %s', async (name, count) => {
    const { trials: planned } = await planStudy(
      fileURLToPath(new URL(`../../../../examples/studies/${name}.yaml`, import.meta.url)),
    )
    expect(planned).toHaveLength(count)
  })

  it('have the arms of intention-kl with the settings of its configs', async () => {
    const folder = fileURLToPath(new URL('../../../../examples', import.meta.url))
    const { arms } = await planStudy(`${folder}/studies/intention-kl.yaml`)
    for (const { name, config } of arms) {
      const text = readFileSync(`${folder}/intention-kl/${name}.yaml`, 'utf8')
      const read = readAnyConfig({ file: { name, text } })
      expect(read).toMatchObject({ kind: 'config', config: { ...config, name } })
    }
  })
})

describe('a study that cannot be run', () => {
  it.each([
    ['a slip', `${HEAD}arms: {a: {}}\nmargn: 1\n`, 'kl.yaml:3:8: a study has no "margn"; did you mean "margin"?'],
    ['no question', 'arms: {a: {}}\n', 'kl.yaml:1:1: "question" is missing'],
    ['no number', `${HEAD}margin: small\narms: {a: {}}`, 'kl.yaml:2:9: "margin" must be a number above 0, not "small"'],
    [
      'an engine that there is none of',
      `${HEAD}engine: command\narms: {a: {}}`,
      'kl.yaml:2:9: "engine.preset" must be builtin',
    ],
    [
      'an executor that is not there',
      `${HEAD}executor: rey\narms: {a: {}}`,
      'kl.yaml:2:11: "executor" must be local, ray, slurm',
    ],
    [
      'a stop rule',
      `${HEAD}stop: collapse\narms: {a: {}}`,
      'kl.yaml:2:7: stop rules are for trials that a command trains',
    ],
    [
      'one arm to settle',
      `${HEAD}arms: {a: {}}\nsettle: {arms: [a]}`,
      '"settle.arms" must be two or more different arms',
    ],
    [
      'looks that fall',
      `${HEAD}arms: {a: {}}\ndrop: {at: [0.5, 0.25]}`,
      '"drop.at" must be none, or the rising fractions',
    ],
    [
      'a knob without a range',
      `${HEAD}arms: {a: {}}\nsearch: {knobs: {lr.grpo: 1}}`,
      'must give each hyperparameter a range',
    ],
    ['nothing that varies', HEAD, 'has neither'],
    ['a setting that there is none of', `${HEAD}arms:\n  a:\n    kl.los.coef: 1\n`, 'Did you mean "kl.loss.coef"?'],
    ['a seed as a setting', `${HEAD}vary:\n  seed: [1, 2]\n`, 'kl.yaml:3:3: "seed" cannot vary'],
    ['arms that stack in a circle', `${HEAD}arms: {a: [b], b: [a]}`, 'stacks itself'],
    ['two arms that are one', `${HEAD}arms: {a: {}, b: {kl.loss.coef: 0.1}}`, 'the arms "a" and "b" are identical'],
    [
      'a range the wrong way round',
      `${HEAD}vary: {lr.grpo: {random: [2, 1], count: 3}}`,
      'kl.yaml:2:17: "vary.lr.grpo" must be',
    ],
    ['what is no YAML', `${HEAD}arms: {a: [}`, 'kl.yaml:2:'],
    ['a name that leads elsewhere', `${HEAD}name: ../x\narms: {a: {}}`, 'kl.yaml:2:7: "name" may have letters'],
  ])('says where: %s', (_, text, expected) => {
    expect(complaint(text)).toContain(expected)
  })
})

describe('a frozen study', () => {
  it('shows what was changed after it, and only that', async () => {
    const workspace = await temporaryWorkspace()
    const before = readStudy('kl.yaml', `${HEAD}margin: 0.01\narms: {a: {}, b: {kl.loss.coef: 0}}\n`)
    expect(await readFrozen(workspace, 'kl')).toBeNull()
    await freeze(workspace, before)
    const now = readStudy(
      'kl.yaml',
      `${HEAD}# a comment\nmargin: 0.02\nworkers: 2\narms: {a: {}, b: {kl.loss.coef: 0}}\n`,
    )
    const frozen = await freeze(workspace, now)
    expect(frozen.hash).toBe(designHash(before))
    expect(changesSince(frozen, before)).toEqual([])
    expect(changesSince(frozen, now)).toEqual([{ key: 'margin', before: 0.01, now: 0.02 }])
  })
})
