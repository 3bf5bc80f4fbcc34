import { basename } from 'node:path'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import { sha256 } from '../../model/id.js'
import type { Source, SourceFile } from '../source.js'
import { stepGate, warning } from '../source-helpers.js'
import { wholeFile } from '../table/runs.js'
import { isNpz, type NumberArray, readNpz } from './npy.js'

/**
 * `evaluations.npz` of Stable-Baselines3: at each of `timesteps` the returns (`results`), lengths (`ep_lengths`) and, where
 * the environment tells, successes of some episodes. klens keeps the mean and the standard deviation that the framework
 * prints, and the episodes themselves, which tell how sure a mean is. They are no prompts that two runs or two evaluations
 * share, so no id of theirs comes twice, and they make no pairs.
 */
export const npz: Source = {
  id: 'npz',
  role: 'table',
  grows: true,
  keep: 'all',
  namesMetrics: true,
  recognise: ({ head }) => isNpz(head),

  async describe(file) {
    const arrays = file.size > LARGEST ? null : await readNpz(file.path)
    // A damaged file is claimed where its name says whose it is, so that reading can say what is wrong.
    const isOurs = arrays === null ? isEvaluations(file) : arrays.has('timesteps') && arrays.has('results')
    return isOurs ? [wholeFile(file, firstOf(arrays?.get('results')), ['evaluations/mean_reward'])] : []
  },

  async *read(file) {
    const arrays = file.size > LARGEST ? null : await readNpz(file.path)
    const steps = arrays?.get('timesteps')
    if (arrays === null || steps === undefined) yield [warning(say('npz.unreadable', {}))]
    else yield rowsOf(arrays, steps)
    yield [
      { type: 'tail', unreadBytes: 0 },
      { type: 'cursor', cursor: null },
    ]
  },

  surroundings: { mayBeLog: path => basename(path) === 'evaluations.npz' },
}

const LARGEST = 64 << 20

function isEvaluations({ path }: SourceFile): boolean {
  return basename(path) === 'evaluations.npz'
}

function firstOf(array: NumberArray | undefined): string {
  return array === undefined ? '' : Array.from(array.values.subarray(0, array.shape[1] ?? 1)).join()
}

const FIGURES = [
  { name: 'results', metric: 'evaluations/mean_reward', figure: meanOf, isMean: true },
  { name: 'results', metric: 'evaluations/std_reward', figure: deviationOf, isMean: false },
  { name: 'ep_lengths', metric: 'evaluations/mean_ep_length', figure: meanOf, isMean: true },
  { name: 'successes', metric: 'evaluations/success_rate', figure: meanOf, isMean: true },
] as const

function rowsOf(arrays: ReadonlyMap<string, NumberArray>, { values: steps }: NumberArray): RunEvent[] {
  const gate = stepGate()
  const mark = sha256(firstOf(arrays.get('results'))).slice(0, 8)
  const rows = Array.from(steps).flatMap((step, at): RunEvent[] => {
    if (!gate.admits(step)) return []
    const points = FIGURES.flatMap(({ name, figure, ...known }) => {
      const episodes = episodesAt(arrays.get(name), at)
      return episodes.length === 0 ? [] : [{ ...known, episodes, value: figure(episodes) }]
    })
    const samples = points.flatMap(({ metric, isMean, episodes }): RunEvent[] => {
      const ids = Array.from(episodes, (_, nth) => `${mark}-${at}-${nth}`)
      const scores = Array.from(episodes)
      return isMean && ids.length > 1
        ? [{ type: 'samples', samples: { metric, step, condition: {}, ids, scores } }]
        : []
    })
    const metrics = points.map(({ metric }) => metric)
    const values = points.map(({ value }) => value)
    return points.length === 0 ? [] : [{ type: 'row', step, time: null, metrics, values }, ...samples]
  })
  return [...rows, ...gate.complaints()]
}

/** Of `(evaluations, episodes)` a row; some callbacks of one's own keep one number each. */
function episodesAt(array: NumberArray | undefined, at: number): Float64Array {
  const width = array?.shape.slice(1).reduce((product, size) => product * size, 1) ?? 0
  return array?.values.subarray(at * width, (at + 1) * width) ?? new Float64Array()
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function deviationOf(values: Float64Array): number {
  const mean = meanOf(values)
  return Math.sqrt(meanOf(values.map(value => (value - mean) ** 2)))
}

const say = sentences({
  'npz.unreadable': {
    en: 'this .npz file is damaged or too large, or holds no numbers that can be read without running Python',
    zh: '该 .npz 文件已损坏或过大，或其内容须运行 Python 才能读取',
  },
})
