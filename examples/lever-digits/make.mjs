/**
 * Writes the files beside it: groups of the task `digits`, scored by its learner, in the layout of Lever-Plus. Every
 * reward is the learner's real answer. `npm run build && node examples/lever-digits/make.mjs` writes the same bytes.
 */
import { writeFileSync } from 'node:fs'
import { digitsTask } from '../../dist/train/tasks/digits/digits.js'
import { generateGroup } from '../../dist/train/tasks/groups.js'

const QUERIES = 40
const SHOTS = 2
const SEED = 1
const PROPOSALS = { beams: 3, temperatures: [1, 1.3], samplesPerTemperature: 1, random: 2, retrieval: 2 }

const here = name => new URL(name, import.meta.url)
const task = digitsTask({ poolSize: 24, width: 16 })
const queries = task.queries.slice(0, QUERIES)
const shown = [...new Set(queries.flatMap(({ pool }) => [...pool]))].sort((a, b) => a - b)
const idOf = new Map(shown.map((row, id) => [row, id]))

const records = {}
for (const query of queries) {
  const ids = Array.from(query.pool, row => idOf.get(row))
  const { members } = await generateGroup(task, query, { shots: SHOTS, seed: SEED, proposals: PROPOSALS })
  records[query.index] = {
    query: { query_id: query.index },
    candidate_pool_ids: ids,
    pointer_candidates: members.map(({ choice, outcome, method }) => ({
      pointer: choice,
      pointer_global: choice.map(position => ids[position]),
      gen_method: method,
      vqa_correct: outcome.hard,
      vqa_acc_score: Number(outcome.soft.toFixed(6)),
      vqa_eval_mode: 'vqaEval',
    })),
  }
}
const meta = { version: 'v3', description: 'the digits of klens, scored by its in-context learner' }
writeFileSync(here('rl_data.json'), `${JSON.stringify({ _meta: meta, ...records })}\n`)
writeFileSync(here('query_embeddings.npy'), npy(task.queryEmbeddings, Array.from(queries.keys())))
writeFileSync(here('candidate_embeddings.npy'), npy(task.candidateEmbeddings, shown))

/** NumPy's own format, version 1. */
function npy({ width, values }, rows) {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows.length}, ${width}), }`
  const header = Buffer.from(text.padEnd(Math.ceil((11 + text.length) / 64) * 64 - 11).concat('\n'))
  const start = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1')
  start.writeUInt16LE(header.length, 8)
  const floats = Float32Array.from(rows.flatMap(row => [...values.subarray(row * width, (row + 1) * width)]))
  return Buffer.concat([start, header, Buffer.from(floats.buffer)])
}
