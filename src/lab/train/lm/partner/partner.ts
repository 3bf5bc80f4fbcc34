/**
 * A second thread for one training. What is handed to it is begun at once; the function that is returned waits for the
 * answer, so that the training does its own half in between. Answers do not depend on who gave them, to the bit: rows do
 * not depend on their neighbours, and a batch is always added up in the same two halves (update.ts).
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { builtFile } from '../../../../logs/model/util/built-file.js'
import type { ParameterSet } from '../../matrix/parameters.js'
import type { TokenGrpoSums } from '../../objectives/token-grpo.js'
import type { GradientWork } from '../gradients.js'
import type { LanguageModel } from '../language-model.js'
import type { PartnerAnswer, PartnerJob, PartnerStart, SharedMemory, SpeakJob, SpokenTurn } from './messages.js'

export interface Partner {
  /** Gives it the policy as it is now; before the slots are cleared. */
  showPolicy(): void
  speak(job: Omit<SpeakJob, 'kind'>): () => readonly SpokenTurn[]
  /** The sums of its part; its gradients are added to the policy's when they are waited for. */
  gradients(reference: LanguageModel | undefined, work: GradientWork): () => TokenGrpoSums
  stop(): Promise<void>
}

/** Only a thread that has died answers nothing for so long. */
const LONGEST_JOB_MS = 600_000

/** None where the program was not built, as in a checkout that has only been unpacked: one thread does it all then. */
export function startPartner(policy: LanguageModel, slots: PartnerStart['slots']): Partner | null {
  const program = builtFile('cli', 'training-partner.cjs')
  if (program === null || policy.engine.precision !== 'float32') return null
  const { parameters, shape } = policy
  const memory: SharedMemory = {
    policy: shared(parameters.count),
    reference: shared(parameters.count),
    gradients: shared(parameters.count),
    counters: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
  }
  const { port1: port, port2 } = new MessageChannel()
  const start: PartnerStart = { shape, memory, slots }
  const worker = new Worker(program, { workerData: { start, port: port2 }, transferList: [port2] })
  worker.unref()
  port.unref()
  let known: { readonly parameters: ParameterSet; readonly version: number } | undefined

  function showReference({ parameters: its }: LanguageModel): void {
    if (known?.parameters === its && known.version === its.version) return
    its.copy(memory.reference)
    Atomics.add(memory.counters, 1, 1)
    known = { parameters: its, version: its.version }
  }

  function begin(job: PartnerJob): () => PartnerAnswer {
    const before = Atomics.load(memory.counters, 0)
    port.postMessage(job)
    return () => {
      if (Atomics.wait(memory.counters, 0, before, LONGEST_JOB_MS) === 'timed-out') {
        throw new Error('the second thread of the training does not answer')
      }
      return received(port)
    }
  }

  return {
    showPolicy: () => parameters.copy(memory.policy),
    speak(job) {
      const join = begin({ kind: 'speak', ...job })
      return () => {
        const answer = join()
        return answer.kind === 'spoken' ? answer.turns : failed(answer)
      }
    },
    gradients(reference, work) {
      parameters.copy(memory.policy)
      if (reference !== undefined) showReference(reference)
      const join = begin({ kind: 'gradients', work })
      return () => {
        const answer = join()
        if (answer.kind !== 'sums') return failed(answer)
        parameters.addToGradients(memory.gradients)
        return answer.sums
      }
    },
    async stop() {
      port.close()
      await worker.terminate()
    },
  }
}

function shared(length: number): Float32Array {
  return new Float32Array(new SharedArrayBuffer(length * Float32Array.BYTES_PER_ELEMENT))
}

/** It was posted before the counter was raised, so it is there. */
function received(port: MessagePort): PartnerAnswer {
  return receiveMessageOnPort(port)?.message
}

function failed(answer: PartnerAnswer): never {
  const reason = answer.kind === 'failed' ? answer.reason : `it answered ${answer.kind}`
  throw new Error(`the second thread of the training failed: ${reason}`)
}
