import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '../../../logs/model/problem.js'
import { readRuns } from '../../../logs/sources/read-runs.js'
import { SAMPLE_NAMES, SCORE_NAMES } from '../../../logs/sources/samples/shape.js'
import { sentences } from '../../../text/sentences.js'

/**
 * The scores that a program has written: a file of any kind that klens reads as per-sample scores or as an evaluation, or
 * plain lines of `{"id": …, "score": …}`, whose step and data set the study knows better than the file.
 */
export interface WrittenScores {
  readonly ids: readonly string[]
  readonly repeats: readonly number[]
  /** NaN where a sample has none. */
  readonly scores: readonly number[]
  /** What was answered; null where the file does not say. */
  readonly outputs: readonly (string | null)[]
}

const say = sentences({
  'study.scores.none': { en: 'it left no scores in {path}', zh: '它没有在 {path} 留下分数' },
  'study.scores.several': {
    en: '{path} has scores of several metrics ({metrics}); write one file with one score per sample',
    zh: '{path} 中有多个指标的分数（{metrics}）；请写成每个样本一个分数的文件',
  },
})

export async function readScores(path: string): Promise<WrittenScores> {
  const plain = await plainLines(path)
  if (plain !== null) return plain
  const ids: string[] = []
  const repeats: number[] = []
  const scores: number[] = []
  const metrics = new Set<string>()
  for await (const run of readRuns(path)) {
    for await (const event of run.events()) {
      if (event.type !== 'samples') continue
      const { samples } = event
      metrics.add(samples.metric)
      ids.push(...samples.ids)
      scores.push(...samples.scores)
      repeats.push(...(samples.repeats ?? samples.ids.map(() => 0)))
    }
  }
  if (ids.length === 0) throw new Problem('unreadable', say('study.scores.none', { path }))
  if (metrics.size > 1) {
    throw new Problem('unreadable', say('study.scores.several', { path, metrics: [...metrics].join(', ') }))
  }
  return { ids, repeats, scores, outputs: ids.map(() => null) }
}

const line = z.record(z.string(), z.unknown())

/** Null where any line is something else. */
async function plainLines(path: string): Promise<WrittenScores | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) throw new Problem('not-found', say('study.scores.none', { path }))
  const seen = new Map<string, number>()
  const read = {
    ids: [] as string[],
    repeats: [] as number[],
    scores: [] as number[],
    outputs: [] as (string | null)[],
  }
  for (const each of text.split('\n')) {
    if (each.trim() === '') continue
    const row = rowOf(each)
    if (row === null) return null
    const repeat = seen.get(row.id) ?? 0
    seen.set(row.id, repeat + 1)
    read.ids.push(row.id)
    read.repeats.push(repeat)
    read.scores.push(row.score)
    read.outputs.push(row.output)
  }
  return read.ids.length === 0 ? null : read
}

function rowOf(text: string): { readonly id: string; readonly score: number; readonly output: string | null } | null {
  try {
    const row = line.parse(JSON.parse(text))
    const id = SAMPLE_NAMES.map(name => row[name]).find(value => typeof value === 'string' || typeof value === 'number')
    const name = SCORE_NAMES.find(each => Object.hasOwn(row, each))
    if (id === undefined || name === undefined) return null
    const score = row[name]
    const isScore = typeof score === 'number' || typeof score === 'boolean'
    const { output } = row
    return {
      id: String(id),
      score: isScore ? Number(score) : Number.NaN,
      output: typeof output === 'string' ? output : null,
    }
  } catch {
    return null
  }
}
