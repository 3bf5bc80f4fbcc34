import { basename, dirname } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import { message } from '../../text/say.js'
import type { Source, SourceFile } from '../source.js'
import { type Results, readResults } from './results.js'

/**
 * Accuracies by the number of demonstrations, out of Lever-Plus's result files. Files of one folder that differ only in the
 * epoch are checkpoints of one run. Several retrievers in one file are several runs.
 */
export const leverScores: Source = {
  id: 'lever-plus-scores',
  role: 'table',
  grows: false,
  keep: 'all',
  namesMetrics: true,

  recognise({ head }) {
    const text = Buffer.from(head).toString('utf8')
    return METRICS.test(text) || (RESULT.test(text) && /"shot_num"\s*:\s*\d/.test(text) && /"grpo_ckpt"\s*:/.test(text))
  },

  async describe(file) {
    const results = await readResults(file)
    const whole = runOf(file)
    const folder = dirname(file.path)
    if (results === null) return [{ run: whole.run, name: whole.name, folder, order: 0, firstRecord: '' }]
    return results.map(({ retriever, step }) => ({
      run: `${whole.run}#${retriever}`,
      name: results.length === 1 ? whole.name : `${whole.name} ${retriever}`,
      folder,
      order: step,
      firstRecord: '',
    }))
  },

  async *read(file, { run }) {
    const results = await readResults(file)
    if (results === null) {
      yield [{ type: 'warning', message: message('lever.unreadable', { file: basename(file.path) }) }]
      return
    }
    const whole = `${runOf(file).run}#`
    yield results.filter(({ retriever }) => run === `${whole}${retriever}`).flatMap(eventsOf)
  },
}

const METRICS = /^\s*\{\s*"[^"\\]{0,500}"\s*:\s*\{\s*"shot_num=\d{1,3}"\s*:/
const RESULT = /^\s*\{[^{}]{0,2000}"accuracy"\s*:/

function runOf(file: SourceFile): { readonly run: string; readonly name: string } {
  const folder = dirname(file.path)
  const stem = basename(file.path, '.json')
  const [, name = ''] = /^(.*?)_?(?:epoch[-_]?\d+)?_metrics$/i.exec(stem) ?? []
  if (name !== '') return { run: `lever-plus:${folder}/${name}`, name }
  return { run: `lever-plus:${folder}`, name: basename(folder) }
}

function eventsOf({ step, n, scores, settings, changed }: Results): RunEvent[] {
  const shots = [...scores.keys()].sort((a, b) => a - b)
  const metrics = shots.map(count => `shot_num=${count}`)
  const values = shots.map(count => scores.get(count) ?? Number.NaN)
  const warnings: RunEvent[] =
    changed.length === 0
      ? []
      : [{ type: 'warning', message: message('lever.evaluated-twice', { step, shots: changed.join(', ') }) }]
  return [
    { type: 'config', config: settings },
    { type: 'row', step, time: null, metrics, values },
    ...shots.map((count, i): RunEvent => {
      const condition = { shots: count }
      return {
        type: 'evaluation',
        evaluation: { metric: metrics[i], step, condition, value: values[i], n, quality: 'measured' },
      }
    }),
    ...warnings,
  ]
}
