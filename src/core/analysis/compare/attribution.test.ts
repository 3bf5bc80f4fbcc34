import { describe, expect, it } from 'vitest'
import type { Config } from '../../../logs/model/run.js'
import { emptyManifest } from '../../store/manifest.js'
import { workspaceAt } from '../../store/workspace.js'
import { confounds, settingKey } from '../confounds.js'
import { type RunView, viewRun } from '../run-view.js'
import { attribution } from './attribution.js'
import { workspaceRun } from './workspace-noise.js'

const ACTOR = 'actor_rollout_ref.actor'

function view(name: string, config: Config): RunView {
  const manifest = { ...emptyManifest(name, name, 'verl'), config }
  return viewRun(
    { workspace: workspaceAt('/nowhere'), folder: name, manifest, live: null },
    { user: undefined, problems: [] },
  )
}

function run(name: string, config: Config) {
  return workspaceRun(view(name, config))
}

const PLAIN = {
  [`${ACTOR}.use_kl_loss`]: false,
  [`${ACTOR}.entropy_coeff`]: 0,
  'trainer.test_freq': 5,
  'lab.reward': 'task',
}
const KL = { [`${ACTOR}.use_kl_loss`]: true, [`${ACTOR}.kl_loss_coef`]: 0.01 }
const ENTROPY = { [`${ACTOR}.entropy_coeff`]: 0.01 }

function attributed(other: Config, ...around: readonly ReturnType<typeof run>[]) {
  const [first, second] = [run('plain', PLAIN), run('other', other)]
  const differing = confounds([first.run, second.run])
  return attribution(differing, first, second, around)
}

describe('crediting an effect', () => {
  it('needs nothing when one knob was turned', () => {
    expect(attributed({ ...PLAIN, ...KL })).toEqual({ knobs: ['kl'], smallestFix: null, separating: [] })
  })

  it('asks for one run with only the KL when several were turned', () => {
    expect(attributed({ ...PLAIN, ...KL, ...ENTROPY })).toMatchObject({ knobs: ['kl', 'entropy'], smallestFix: 'kl' })
  })

  it('finds the run that separates them in the workspace, and asks for what is still missing', () => {
    const klOnly = run('kl-only', { ...PLAIN, ...KL, seed: 7 })
    expect(attributed({ ...PLAIN, ...KL, ...ENTROPY }, klOnly)).toEqual({
      knobs: ['kl', 'entropy'],
      smallestFix: 'entropy',
      separating: [{ knob: 'kl', run: 'kl-only' }],
    })
  })

  it('does not take a run that differs in something else, known or not', () => {
    const other = { ...PLAIN, ...KL, ...ENTROPY }
    expect(attributed(other, run('tied', { ...PLAIN, ...KL, 'lab.reward': 'tied' })).separating).toEqual([])
    expect(attributed(other, run('stronger', { ...PLAIN, ...KL, [`${ACTOR}.kl_loss_coef`]: 1 })).separating).toEqual([])
  })
})

describe('confounds', () => {
  it('count a key that klens does not know to the knob that moves with it', () => {
    const differing = confounds([
      view('first', { ...PLAIN, 'lab.entropy': 0 }),
      view('second', { ...PLAIN, ...ENTROPY, 'lab.entropy': 0.01 }),
    ])
    expect(differing.map(({ key, knob }) => [key, knob])).toEqual([
      ['entropy.coef', 'entropy'],
      ['lab.entropy', 'entropy'],
    ])
  })

  it('never hold figures of the outcome, seeds or names', () => {
    const both = [
      view('a', { ...PLAIN, seed: 1, 'report.timing_s/step': '193-205', 'trainer.experiment_name': 'a' }),
      view('b', { ...PLAIN, seed: 2, 'report.timing_s/step': '205-220', 'trainer.experiment_name': 'b' }),
    ]
    expect(confounds(both)).toEqual([])
    expect(settingKey(both[0])).toBe(settingKey(both[1]))
  })

  it('do not make replicates of runs whose config tells nothing', () => {
    expect(settingKey(view('empty', {}))).toBeNull()
  })
})
