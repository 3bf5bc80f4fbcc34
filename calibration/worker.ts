import { parentPort } from 'node:worker_threads'
import { measure } from './measure.js'
import type { Task } from './pool.js'
import { STUDIES } from './studies/index.js'

parentPort?.on('message', ({ study, index, repetitions }: Task) => {
  const found = STUDIES.find(({ name }) => name === study)
  if (found === undefined) throw new Error(`no study ${study}`)
  parentPort?.postMessage(measure(found, index, repetitions))
})
