import { readFile } from 'node:fs/promises'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type JsonObject } from '../../model/json.js'
import { headText, readTextLines } from '../encoding.js'
import { parsePythonJson } from '../python-json.js'
import type { Source, SourceFile } from '../source.js'
import { isUsableStep, overlongLines, sayCommon, warning } from '../source-helpers.js'
import { gatherSamples } from './gather.js'
import { rolloutPlace } from './rollout-place.js'
import { rolloutsOf, sampleRecord } from './rollout-records.js'

/**
 * The rollouts that a trainer keeps for each step: prime-rl's traces, Tinker cookbook's summaries, NeMo-RL's data of a
 * step, rLLM's episodes. Files of all steps are the samples of one run, and belong to the log that lies in its folder.
 * See docs/sources/rollouts.md.
 */
export const rollouts: Source = {
  id: 'rollouts',
  role: 'samples',
  grows: false,
  keep: 'all',
  namesMetrics: true,
  beginsAlike: true,
  recognise: file => RECORD.test(headText(file)?.slice(0, LOOKED_AT) ?? '') && rolloutPlace(file.path).step !== null,
  describe: async file => [rolloutPlace(file.path).belonging],
  read,
  surroundings: {
    // What went into the step's batch; `all` has the same rollouts, and those that were left out.
    parts: names => new Set(names.includes('effective') && names.includes('all') ? ['all'] : []),
    isPart: path => /[\\/]batch_summary\.json$/.test(path),
  },
}

/** Records are long; what they begin with is enough to know them by. */
const LOOKED_AT = 4096

/** How each writer's record begins: a trace or an episode of verifiers, a summary of Tinker, a batch of NeMo-RL, an episode of rLLM. */
const RECORD =
  /^\s*\{\s*(?:"version":\s*1,\s*"id":\s*"[0-9a-f]{32}",|"id":\s*"[0-9a-f]{32}",\s*"(?:env|verifiers|task)":|"schema_version":\s*1,\s*"split":|"training_step":\s*\d+,\s*"epoch":|"idx":\s*\d+,\s*"step":\s*\d+,\s*"sample_id":|"content":\s*\[)/

async function* read(file: SourceFile): AsyncGenerator<readonly RunEvent[]> {
  const place = rolloutPlace(file.path)
  const gathered = gatherSamples(place.table, { asSeries: true })
  const isEpisode = extensionIsJson(file.path)
  let bad = 0
  let firstBad = 0
  let number = 0
  let overlong = 0
  for await (const { objects, lost } of recordsOf(file, isEpisode)) {
    const events: RunEvent[] = []
    overlong += lost
    for (const object of objects) {
      number += 1
      const found = object === null ? null : rolloutsOf(object)
      if (found === null) {
        firstBad = bad === 0 ? number : firstBad
        bad += 1
      }
      for (const rollout of found ?? []) {
        const step = rollout.step ?? place.step ?? 0
        if (!isUsableStep(step) || rollout.scores.length === 0) continue
        gathered.take(sampleRecord(rollout, place.table, step), event => events.push(event))
      }
    }
    yield events
  }
  const last: RunEvent[] = []
  gathered.finish(event => {
    // A file of one episode does not know the mean of its step.
    if (!isEpisode || event.type === 'samples' || event.type === 'texts') last.push(event)
  })
  if (bad > 0) last.push(warning(sayCommon('source.bad-lines', { count: bad, line: firstBad })))
  yield [...last, ...overlongLines(overlong)]
}

interface Records {
  /** Null for what is no JSON object. */
  readonly objects: readonly (JsonObject | null)[]
  readonly lost: number
}

async function* recordsOf(file: SourceFile, isEpisode: boolean): AsyncGenerator<Records> {
  if (isEpisode) {
    if (file.size > LARGEST_EPISODE) return yield { objects: [], lost: 1 }
    const value = parsePythonJson(await readFile(file.path, 'utf8'))
    return yield { objects: [isJsonObject(value) ? value : null], lost: 0 }
  }
  for await (const { lines, rest, overlong } of readTextLines(file)) {
    const texts = (rest === '' ? lines : [...lines, rest]).filter(line => line.trim() !== '')
    const objects = texts.map(line => {
      const value = parsePythonJson(line)
      return isJsonObject(value) ? value : null
    })
    yield { objects, lost: overlong }
  }
}

const LARGEST_EPISODE = 64 << 20

function extensionIsJson(path: string): boolean {
  return path.toLowerCase().endsWith('.json')
}
