import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/workspace.js'
import { Problem } from '../../../logs/model/problem.js'
import { render } from '../../../text/sentences.js'
import { planStudy } from '../plan/plan-study.js'
import { commandOf, shownCommand } from './command.js'

const HEAD = 'question: does the KL matter?\n'

async function planned(text: string, folder = temporaryFolder()) {
  const path = join(folder, 'kl.yaml')
  writeFileSync(path, `${HEAD}${text}`)
  return planStudy(path)
}

async function commandsOf(text: string): Promise<readonly string[]> {
  const { trials } = await planned(text)
  return trials.map(({ program, arm, seed }) => {
    if (program === null) throw new Error('klens would train it itself')
    const { engine, study, settings } = program
    const command = commandOf(engine, { study, arm: arm.name, seed, settings }, { folder: '/t', checkpoint: null })
    return shownCommand(command)
  })
}

async function complaint(text: string, folder = temporaryFolder()): Promise<string> {
  try {
    await planned(text, folder)
  } catch (error) {
    if (error instanceof Problem) return render(error.sentence, 'en').replaceAll(`${folder}/`, '')
    throw error
  }
  throw new Error('nothing was refused')
}

describe('a command', () => {
  it('is told base, arm and seed, in the manner that the file names', async () => {
    const rest = 'base: {steps: 9, note: "a b"}\narms: {a: {kl.loss.coef: 0.1}}\nseeds: [3]\n'
    const engine = (words: string, more = '') => `${rest}engine: {command: ${words}, metrics: m.jsonl${more}}\n`
    expect(await commandsOf(engine('[p, "{overrides}", "s{seed}"]'))).toEqual([
      "p --steps 9 --note 'a b' --kl.loss.coef 0.1 s3",
    ])
    expect(await commandsOf(engine('[p, "{overrides}", "{seed}"]', ', overrides: flags-equals'))).toEqual([
      "p --steps=9 '--note=a b' --kl.loss.coef=0.1 3",
    ])
    expect(await commandsOf(engine('[p, "{overrides}", "seed={seed}"]', ', overrides: hydra'))).toEqual([
      "p steps=9 'note='\\''a b'\\''' kl.loss.coef=0.1 seed=3",
    ])
    expect(await commandsOf(engine('[p, "{seed}"]', ', overrides: env, environment: {X: "{folder}/x"}'))).toEqual([
      "X=/t/x STEPS=9 NOTE='a b' KL_LOSS_COEF=0.1 p 3",
    ])
  })

  it('hears a setting once where a template names it, and braces that are doubled as braces', async () => {
    const text = 'arms: {a: {lr: 1e-7, on: true}}\nseeds: 1\n'
    const engine = 'engine: {command: [p, "--rate={lr}", "{{{name}}}", "{overrides}"], metrics: console}\n'
    expect(await commandsOf(text + engine)).toEqual(["p --rate=1e-7 '{a-seed1}' --on true"])
  })

  it('is another trial with another program, and the same wherever klens looks for its traces', async () => {
    const rest = 'arms: {a: {}}\nseeds: 1\nengine: '
    const id = async (engine: string) => (await planned(rest + engine)).trials[0].id
    const first = await id('{command: [p], metrics: m.jsonl}')
    expect(await id('{command: [p], metrics: console, checkpoints: c-*, stop: {seconds: 5}}')).toBe(first)
    expect(await id('{command: [q], metrics: m.jsonl}')).not.toBe(first)
  })

  it.each([
    [
      'a template that there is none of',
      'arms: {a: {}}\nseeds: 1\nengine:\n  command: [p,\n    "{seeed}"]\n  metrics: console\n',
      'kl.yaml:6:5: "{seeed}" refers to "seeed", which does not exist; did you mean "seed"?',
    ],
    [
      'a checkpoint before there can be one',
      'arms: {a: {}}\nseeds: 1\nengine: {command: [p, "{checkpoint}"], metrics: console}\n',
      'kl.yaml:4:23: "{checkpoint}" refers to "checkpoint"',
    ],
    [
      'a brace that is open',
      'arms: {a: {}}\nseeds: 1\nengine: {command: [p, "{seed"], metrics: console}\n',
      'is not closed; write {{',
    ],
    [
      'overrides within a word',
      'arms: {a: {}}\nseeds: 1\nengine: {command: [p, "x{overrides}"], metrics: console}\n',
      'must be a word of their own',
    ],
    [
      'a way out behind a template',
      'arms: {a: {}}\nseeds: 1\nengine: {command: [p, "{folder}/../../x"], metrics: console}\n',
      'leads out of its folder',
    ],
    [
      'metrics elsewhere',
      'arms: {a: {}}\nseeds: 1\nengine: {command: [p], metrics: ../m.jsonl}\n',
      '"engine.metrics" must be a path without ".."',
    ],
    [
      'a working folder elsewhere',
      'arms: {a: {}}\nseeds: 1\nengine: {command: [p], metrics: console, folder: /etc}\n',
      '"engine.folder" must be a path without ".."',
    ],
    ['no metrics', 'arms: {a: {}}\nseeds: 1\nengine: {command: [p]}\n', 'name the metrics'],
    ['a slip', 'arms: {a: {}}\nengine: {comand: [p]}\n', 'a study has no "engine.comand"; did you mean "command"?'],
    ['a line for a shell', 'arms: {a: {}}\nengine: {command: p --x, metrics: console}\n', 'must be a list of words'],
    [
      'a knob that the program never hears of',
      'arms: {a: {lr: 1}, b: {lr: 2}}\nseeds: 1\nengine: {command: [p], metrics: console}\n',
      'kl.yaml:2:11: arm "a": "lr" never reaches the command',
    ],
    [
      'seeds that the program never hears of',
      'arms: {a: {}}\nseeds: 3\nengine: {command: [p], metrics: console}\n',
      'all 3 seeds would be the same trial',
    ],
    [
      'a setting that an arm lacks',
      'arms: {a: {lr: 1}, b: {x: 1}}\nseeds: 1\nengine: {command: [p, "{lr}", "{overrides}"], metrics: console}\n',
      'arm "b": the command needs "lr"',
    ],
    [
      'two arms that are one',
      'arms: {a: {}, b: {}}\nseeds: 1\nengine: {command: [p], metrics: console}\n',
      'the arms "a" and "b" are identical',
    ],
    [
      'a stop rule that could favour an arm',
      'arms: {a: {}}\nstop: patience=3\nengine: {command: [p], metrics: console}\n',
      'kl.yaml:3:7: the stop rule "patience" could favour an arm',
    ],
    ['stop rules for klens itself', 'arms: {a: {}}\nstop: collapse\n', 'kl.yaml:3:7: stop rules are for trials'],
    [
      'stages for a program',
      'arms: {a: {}}\nfrom: warm\nstages: {warm: {}}\nengine: {command: [p], metrics: console}\n',
      'kl.yaml:4:9: stages are for trials that klens trains itself',
    ],
  ])('is refused with its place: %s', async (_, text, expected) => {
    expect(await complaint(text)).toContain(expected)
  })

  it('does not start in a folder that a link leads out of the study to', async () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
    symlinkSync(elsewhere, join(folder, 'link'))
    mkdirSync(join(folder, 'own'))
    const text = (where: string) =>
      `arms: {a: {}}\nseeds: 1\nengine: {command: [p], metrics: console, folder: ${where}}\n`
    expect(await complaint(text('link'), folder)).toContain('is outside')
    expect(await complaint(text('none'), folder)).toContain('there is no folder')
    expect((await planned(text('own'), folder)).trials).toHaveLength(1)
  })
})
