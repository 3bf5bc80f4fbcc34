import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { mean } from '../../../stats/descriptive.js'
import { type Random, seededRandom } from '../../../stats/random.js'
import { emptyManifest, type Manifest } from '../../store/manifest.js'
import { workspaceAt } from '../../store/workspace.js'
import { viewRun } from '../run-view.js'
import { rankCheckpoints } from './ranking.js'
import { aboutStart, recommendStep, savedSteps } from './recommend.js'

const PROMPTS = 200
const STEPS = Array.from({ length: 41 }, (_, i) => 10 * i)

/** A true course, and what evaluations of 200 prompts make of it. */
function simulated(random: Random, truth: (step: number) => number) {
  let wander = 0
  const level = STEPS.map(step => {
    wander = 0.8 * wander + 0.006 * random.normal()
    return Math.min(0.98, Math.max(0.01, truth(step) + wander))
  })
  const values = level.map(share => {
    let right = 0
    for (let i = 0; i < PROMPTS; i += 1) if (random.next() < share) right += 1
    return right / PROMPTS
  })
  return { level, values }
}

const rising = (step: number): number => 0.4 + 0.4 * (1 - Math.exp(-step / 120))
const SHAPES = {
  'goes on learning': rising,
  'learns and levels off': (step: number) => 0.4 + 0.4 * (1 - Math.exp(-step / 50)),
  'peaks and falls': (step: number) => rising(Math.min(step, 200)) - 0.0012 * Math.max(0, step - 200),
  'collapses at step 250': (step: number) => (step < 250 ? rising(step) : 0.05),
  'only gets worse': (step: number) => 0.4 * Math.exp(-step / 40),
}

describe('the step to take', () => {
  it.each(Object.entries(SHAPES))('is truly as good as the better habit when a run %s', (_, truth) => {
    const random = seededRandom(20_260_101)
    const every = STEPS.filter(step => step % 50 === 0)
    const runs = Array.from({ length: 300 }, () => {
      const { level, values } = simulated(random, truth)
      const curve = { steps: Float64Array.from(STEPS), values: Float64Array.from(values) }
      const ranked = rankCheckpoints(curve, 'max', { scores: new Map(), prompts: PROMPTS })
      if (ranked === null) throw new Error('nothing was ranked')
      const trueAt = (step: number): number => level[STEPS.indexOf(step)]
      const scored = (step: number): number => values[STEPS.indexOf(step)]
      return {
        taken: trueAt(recommendStep([ranked.course], { steps: every, source: 'settings' }, 1).step),
        highest: trueAt(every.reduce((best, step) => (scored(step) > scored(best) ? step : best))),
        last: trueAt(400),
      }
    })
    const taken = mean(runs.map(run => run.taken))
    const habits = [mean(runs.map(run => run.highest)), mean(runs.map(run => run.last))]
    // 0.1 took the earliest that cannot be told from the best: 2 to 20 points below.
    expect(taken).toBeGreaterThan(Math.max(...habits) - 0.003)
  })

  it('is one that was saved, with what that costs', () => {
    const curve = {
      steps: Float64Array.from(STEPS),
      values: Float64Array.from(STEPS, step => 0.8 - Math.abs(step - 230) / 400),
    }
    const ranked = rankCheckpoints(curve, 'max', { scores: new Map(), prompts: 20_000 })
    if (ranked === null) throw new Error('nothing was ranked')
    const take = recommendStep([ranked.course], { steps: [0, 100, 200, 300, 400], source: 'settings' }, 1)
    expect(take).toMatchObject({ step: 200, saved: true })
    expect(take.loss).toBeGreaterThan(0.05)
    expect(recommendStep([ranked.course], null, 1)).toMatchObject({ step: 230, saved: null })
    expect(recommendStep([ranked.course], { steps: [0], source: 'settings' }, 1)).toMatchObject({
      step: 230,
      saved: false,
    })
  })

  it('is decided by all validation sets where one cannot tell', () => {
    const random = seededRandom(7)
    const peak = (step: number): number => 0.7 - 0.0006 * Math.abs(step - 200)
    const regret = (sets: number): number =>
      mean(
        Array.from({ length: 60 }, () => {
          const courses = Array.from({ length: 3 }, () => {
            const values = STEPS.map(step => peak(step) + 0.06 * random.normal())
            const curve = { steps: Float64Array.from(STEPS), values: Float64Array.from(values) }
            return rankCheckpoints(curve, 'max', { scores: new Map(), prompts: 60 })?.course
          })
          const known = courses.filter(course => course !== undefined)
          return 0.7 - peak(recommendStep(known.slice(0, sets), null, 1).step)
        }),
      )
    expect(regret(3)).toBeLessThan(0.8 * regret(1))
  })
})

describe('where training began', () => {
  const taken = (steps: readonly number[], scores: readonly number[], saved: readonly number[]) => {
    const curve = { steps: Float64Array.from(steps), values: Float64Array.from(scores) }
    const ranked = rankCheckpoints(curve, 'max', { scores: new Map(), prompts: 400 })
    if (ranked === null) throw new Error('nothing was ranked')
    const take = recommendStep([ranked.course], { steps: saved, source: 'files' }, 1)
    return { take, keys: aboutStart(ranked.course, take, 1).map(({ key }) => key) }
  }

  it('is said where it was not evaluated, and where the step to take is below the first evaluation', () => {
    const steps = [25, 50, 75, 100, 125, 150]
    expect(taken(steps, [0.5, 0.2, 0.21, 0.2, 0.22, 0.21], [0, 50, 100, 150]).keys).toEqual([
      'take.no-start',
      'take.below-first',
    ])
    expect(taken([0, ...steps], [0.1, 0.2, 0.3, 0.4, 0.45, 0.5, 0.5], [0, 50, 100, 150]).keys).toEqual([])
    expect(taken(steps, [0.1, 0.2, 0.3, 0.4, 0.45, 0.5], [50, 100, 150]).keys).toEqual(['take.no-start'])
  })

  it('is no reason to take the later of equals in a run that falls', () => {
    const steps = Array.from({ length: 16 }, (_, i) => 25 * (i + 1))
    const falling = steps.map((_, i) => 0.6 - 0.003 * i + (i % 2 === 0 ? 0.02 : -0.02))
    expect(taken(steps, falling, steps).take.step).toBeLessThan(200)
  })
})

describe('the value of the best', () => {
  it('lies within its own interval after a collapse, and near the truth', () => {
    const random = seededRandom(5)
    for (let i = 0; i < 50; i += 1) {
      const { level, values } = simulated(random, SHAPES['only gets worse'])
      const curve = { steps: Float64Array.from(STEPS), values: Float64Array.from(values) }
      const best = rankCheckpoints(curve, 'max', { scores: new Map(), prompts: PROMPTS })?.best
      const [low, high] = best?.interval ?? [1, 0]
      expect(best?.shrunken).toBeGreaterThanOrEqual(low)
      expect(best?.shrunken).toBeLessThanOrEqual(high)
      expect(Math.abs(Number(best?.shrunken ?? 0) - level[STEPS.indexOf(best?.step ?? 0)])).toBeLessThan(0.12)
    }
  })

  it('is a share of at most one where scores are shares', () => {
    const values = Float64Array.from([0.95, 0.98, 0.99, 0.97, 0.99])
    const ranked = rankCheckpoints({ steps: Float64Array.from([1, 2, 3, 4, 5]), values }, 'max', {
      scores: new Map(),
      prompts: 50,
    })
    expect(ranked?.best.interval?.[1]).toBe(1)
  })
})

describe('saved steps', () => {
  const home = mkdtempSync(join(tmpdir(), 'klens-test-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const record = { firstStep: 1, lastStep: 120, axis: null }

  function run(config: Manifest['config'], folder = 'nowhere') {
    const manifest = emptyManifest('id', 'run', 'verl')
    const files = [{ path: join(home, folder, 'metrics.jsonl'), role: 'log' }]
    const metrics = new Map([['actor/pg_loss', record]])
    // Only what is looked at: a whole record would say nothing more here.
    const known = { ...manifest, config, files, metrics, status: 'finished' } as unknown as Manifest
    const workspace = workspaceAt(join(home, '.klens'))
    return viewRun(
      { workspace, folder: join(home, folder), manifest: known, live: null },
      { user: undefined, problems: [] },
    )
  }

  it('are told by the settings: every so many, the last, and only as many as are kept', async () => {
    const steps = async (config: Manifest['config']) => (await savedSteps(run(config)))?.steps
    expect(await steps({ 'trainer.save_freq': 50 })).toEqual([0, 50, 100, 120])
    expect(await steps({ 'trainer.save_freq': 50, 'trainer.max_actor_ckpt_to_keep': 2 })).toEqual([0, 100, 120])
    expect(await steps({ 'trainer.save_freq': -1 })).toEqual([0])
    expect(await steps({})).toBeUndefined()
  })

  it('are told by what lies on disk before what the settings say', async () => {
    mkdirSync(join(home, 'logged', 'global_step_40'), { recursive: true })
    mkdirSync(join(home, 'logged', 'global_step_80'))
    writeFileSync(join(home, 'logged', 'step_60'), 'no checkpoint')
    expect(await savedSteps(run({ 'trainer.save_freq': 50 }, 'logged'))).toEqual({
      steps: [0, 40, 80],
      source: 'files',
    })
  })
})
