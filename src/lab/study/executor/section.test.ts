import { describe, expect, it } from 'vitest'
import { Problem } from '../../../logs/model/problem.js'
import { render } from '../../../text/sentences.js'
import { readAnyConfig } from '../../train/config/any.js'
import { configHash } from '../../train/config/hash.js'
import { readStudy } from '../file/read.js'
import { type ExecutorSection, sectionFor, startedFor } from './section.js'

function sectionIn(executor: string): ExecutorSection {
  return readStudy('kl.yaml', `question: why\narms: {a: {}}\nexecutor: ${executor}\n`).file.executor
}

function complaint(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return render(error.sentence, 'en')
    throw error
  }
  throw new Error('nothing was refused')
}

const PBS =
  '{submit: [qsub, "{script}"], id: "^(.*)", status: [qstat, "{id}"], states: {running: [R]}, stop: [qdel, "{id}"]}'

describe('where a study runs', () => {
  it('is what its file says, unless another is asked for', () => {
    expect(sectionIn('local')).toEqual({ kind: 'local' })
    const ray = sectionIn('{ray: {address: "head:8265", environment: {A: b}}}')
    expect(sectionFor(undefined, ray)).toBe(ray)
    expect(sectionFor('ray', ray)).toBe(ray)
    expect(sectionFor('ray:other:1', ray)).toEqual({ ...ray, address: 'other:1' })
    expect(sectionFor('local', ray)).toEqual({ kind: 'local' })
    expect(sectionFor('slurm', ray)).toMatchObject({ kind: 'commands', commands: { name: 'slurm' } })
    const pbs = sectionIn(`{commands: ${PBS.replace('{submit', '{name: pbs, submit')}}`)
    expect(sectionFor('pbs', pbs)).toBe(pbs)
    expect(complaint(() => sectionFor('pbs', ray))).toContain('there is no executor "pbs"')
    expect(complaint(() => sectionFor('slurm:x', ray))).toContain('there is no executor')
  })

  it.each([
    ['rey', 'kl.yaml:3:11: "executor" must be local, ray, slurm'],
    ['{ray: {adress: x}}', 'kl.yaml:3:'],
    [`{commands: ${PBS.replace('{script}', '{skript}')}}`, 'has an unknown placeholder; known ones are handle'],
    [`{commands: ${PBS.replace('^(.*)', '^.*')}}`, 'must be a regular expression with one group'],
    [`{commands: ${PBS.replace('[qdel, "{id}"]', 'qdel')}}`, 'must be a list of words'],
  ])('is refused with its place where it is %s', (executor, expected) => {
    expect(complaint(() => sectionIn(executor))).toContain(expected)
  })

  it('is nothing to be said yes to, unless the file has klens start something there', () => {
    for (const plain of ['local', 'ray', 'slurm', '{ray: {address: "head:8265"}}']) {
      expect(startedFor(sectionIn(plain))).toEqual([])
    }
    expect(startedFor(sectionIn('{ray: {klens: [sh, -c, "rm *"]}}'))).toEqual(["sh -c 'rm *'"])
    expect(startedFor(sectionIn('{ray: {environment: {LD_PRELOAD: x.so}}}'))).toEqual(['LD_PRELOAD=x.so'])
    expect(startedFor(sectionIn('{ray: {runtime_env: {pip: [x]}}}'))).toEqual(['{"pip":["x"]}'])
    expect(startedFor(sectionIn('{slurm: {options: [--wrap=x]}}'))[0]).toContain('--wrap=x')
    expect(startedFor(sectionIn(`{commands: ${PBS}}`))).toEqual(["qsub '{script}'", "qstat '{id}'", "qdel '{id}'"])
  })
})

describe('a trial as a file of settings', () => {
  it.each([
    {},
    { task: 'intention', 'kl.loss.coef': 0 },
    { 'kl.loss.coef': 0.1 + 0.2, 'lr.grpo': 1e-7, 'early_stopping.patience': null, 'data.train': '/x/y.json' },
  ])('keeps its hash: %j', settings => {
    const read = readAnyConfig({ file: { name: 'base.json', text: JSON.stringify(settings) } })
    if (read.kind === 'problems') throw new Error(read.problems.map(each => render(each, 'en')).join())
    const config = { ...read.config, name: 'kl/a/seed1', seed: 4 }
    const again = readAnyConfig({ file: { name: '/elsewhere/x.yaml', text: JSON.stringify(config) } })
    expect(again).toMatchObject({ kind: 'config', config: { name: 'kl/a/seed1' } })
    expect(again.kind === 'config' && configHash(again.config)).toBe(configHash(config))
  })
})
