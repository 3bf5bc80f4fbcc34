/**
 * The partner of a training, on a thread of its own: the same decoder, filled with the policy's and the reference's numbers
 * before each job. It speaks for its half of the dialogues and goes back through its half of a batch.
 */
import { type MessagePort, workerData } from 'node:worker_threads'
import { seededRandom } from '../../../../stats/random.js'
import { createEngine } from '../../kernels/engine.js'
import { speak } from '../generate.js'
import { addGradients } from '../gradients.js'
import { createLanguageModel } from '../language-model.js'
import { openSlots } from '../slots.js'
import type { PartnerAnswer, PartnerJob, PartnerStart, SlotChange, SpeakJob } from './messages.js'

const { start, port }: { readonly start: PartnerStart; readonly port: MessagePort } = workerData
const { shape, memory, slots: size } = start
const engine = createEngine('float32')
const policy = createLanguageModel(engine, shape)
const reference = createLanguageModel(engine, shape, { trainable: false })
const slots = openSlots(policy, size)
let knownReference = -1

port.on('message', (job: PartnerJob) => {
  port.postMessage(answer(job))
  Atomics.add(memory.counters, 0, 1)
  Atomics.notify(memory.counters, 0)
})

function answer(job: PartnerJob): PartnerAnswer {
  try {
    if (job.kind === 'speak') return { kind: 'spoken', turns: spoken(job) }
    policy.parameters.fill(memory.policy)
    if (job.work.withReference) takeReference()
    policy.zeroGradients()
    const sums = addGradients(policy, reference, job.work)
    policy.parameters.copyGradients(memory.gradients)
    return { kind: 'sums', sums }
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function takeReference(): void {
  const current = Atomics.load(memory.counters, 1)
  if (current === knownReference) return
  reference.parameters.fill(memory.reference)
  knownReference = current
}

function spoken({ changes, speakers, options }: SpeakJob) {
  for (const each of changes) change(each)
  const generators = speakers.map(({ random }) => {
    const generator = seededRandom(0)
    generator.restore(random)
    return generator
  })
  const turns = speak(
    policy,
    slots,
    speakers.map(({ slot, limit }, i) => ({ slot, limit, random: generators[i] })),
    options,
  )
  return turns.map((turn, i) => ({ turn, random: generators[i].state() }))
}

function change(made: SlotChange): void {
  switch (made.kind) {
    case 'append':
      slots.append(made.slot, made.tokens)
      break
    case 'prepare':
      slots.prepare(made.slots)
      break
    case 'fork':
      slots.fork(made.from, made.to)
      break
    case 'clear':
      policy.parameters.fill(memory.policy)
      slots.clear()
  }
}
