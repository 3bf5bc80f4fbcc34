import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { DEFAULT_DECODER } from '../../src/lab/train/lm/shape.js'
import { type Benchmark, type Figures, sizeOf, type Table } from '../benchmark.js'
import { ROOT } from '../generate.js'
import { load } from '../machine.js'
import { type Contestant, startContestant } from '../train/contestant.js'
import { installTransformers } from '../train/torch.js'
import type { GivenAnswer, LmAnswer, LmRequest, LmTimes, Part } from './contest.js'
import { type ExportAnswers, exportAnswers, exportQuestions, writeExport } from './export.js'
import { learnedModel } from './learned-model.js'
import { readWork, writeWork } from './work.js'

/**
 * The language model's training step beside a loop written by hand in torch, on one thread each and on two, and a checkpoint of it in
 * Hugging Face's library. That both do the same work is seen first: losses and gradient norms of five updates must agree.
 */
export const lm: Benchmark = {
  name: 'lm',
  about: 'training a language model beside torch; needs python3 and its package index; size in steps a round, 10',
  async run(settings) {
    const python = await installTransformers()
    const folder = join(tmpdir(), `klens-bench-lm-${process.pid}`)
    writeWork(folder, VOCABULARY)
    try {
      const steps = Math.max(FEWEST_STEPS, sizeOf(settings, 10))
      return [
        await race(folder, python, steps, settings.rounds, 1),
        await race(folder, python, steps, settings.rounds, 2),
        await exported(folder, python),
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const VOCABULARY = 700
const FEWEST_STEPS = 6
const COMPARED_UPDATES = 5
/** float32 in another order of summation, over five updates. */
const TOLERANCE = 1e-3
/** The run that the figures are for: an evaluation after every fifth step. */
const RUN = { steps: 465, evaluations: 93 }

type LmContestant = Contestant<LmRequest, LmAnswer & GivenAnswer>

async function race(folder: string, python: string, steps: number, rounds: number, threads: 1 | 2): Promise<Table> {
  const loadBefore = load()
  const worker = fileURLToPath(new URL('./worker.js', import.meta.url))
  const peer = join(ROOT, 'bench', 'lm', 'peer.py')
  const klens: LmContestant = await startContestant('klens', process.execPath, [worker, folder, `${threads}`])
  const torch: LmContestant = await startContestant('torch', python, [peer, folder], { OMP_NUM_THREADS: `${threads}` })
  try {
    await checkAgreement(klens, torch)
    const times = { klens: [] as LmAnswer[], torch: [] as LmAnswer[] }
    for (let round = 0; round < rounds; round++) {
      times.klens.push(await klens.train({ what: 'training', steps }))
      times.torch.push(await torch.train({ what: 'training', steps }))
    }
    const { plans, prompts, evaluationPlans } = readWork(folder)
    const generated = (all: typeof plans): number =>
      all.flat().reduce((sum, { own, reply }) => sum + own + reply.length, 0)
    const tokens = generated(plans) + plans.length * prompts[0].length
    const loads = `load ${loadBefore.toFixed(1)} before, ${load().toFixed(1)} after`
    return {
      title: `language model, ${threads} ${threads === 1 ? 'thread' : 'threads'}, ${plans.length} rollouts of ${Math.round(tokens / plans.length)} tokens, best of ${rounds * steps} (${klens.version}, ${torch.version}; ${loads})`,
      rows: [
        rate('rollouts, tokens/s', 'rollout', tokens, times),
        rate('update with reference, tokens/s', 'update', tokens, times),
        rate('greedy evaluation, tokens/s', 'evaluation', generated(evaluationPlans) + 40 * prompts[0].length, times),
        wholeRun(times),
      ],
    }
  } finally {
    klens.stop()
    torch.stop()
  }
}

async function checkAgreement(klens: LmContestant, torch: LmContestant): Promise<void> {
  const request = { what: 'given', steps: COMPARED_UPDATES } as const
  const [ours, theirs] = [await klens.train(request), await torch.train(request)]
  for (const figure of ['losses', 'norms'] as const) {
    for (const [i, expected] of theirs[figure].entries()) {
      const found = ours[figure][i]
      if (Math.abs(found - expected) <= TOLERANCE * Math.abs(expected)) continue
      throw new Error(`update ${i + 1}: ${figure} are ${found} in klens and ${expected} in torch`)
    }
  }
}

type Times = { readonly klens: readonly LmAnswer[]; readonly torch: readonly LmAnswer[] }

/** Noise only ever adds: the fastest of all times. */
function best(answers: readonly LmAnswer[], part: Part, clock: keyof LmTimes): number {
  return Math.min(...answers.flatMap(answer => answer[part][clock]))
}

function rate(what: string, part: Part, tokens: number, times: Times): Figures {
  return figures(what, times, (answers, clock) => tokens / best(answers, part, clock))
}

function wholeRun(times: Times): Figures {
  return figures(`a run of ${RUN.steps} steps, minutes`, times, (answers, clock) => {
    const step = best(answers, 'rollout', clock) + best(answers, 'update', clock)
    return (RUN.steps * step + RUN.evaluations * best(answers, 'evaluation', clock)) / 60
  })
}

/** By the clock on the wall, and by the processor's time, which does not count waiting for a core. */
function figures(
  what: string,
  { klens, torch }: Times,
  of: (answers: readonly LmAnswer[], clock: keyof LmTimes) => number,
): Figures {
  return {
    what,
    klens: of(klens, 'seconds'),
    torch: of(torch, 'seconds'),
    'klens / torch': of(klens, 'seconds') / of(torch, 'seconds'),
    'klens, CPU': of(klens, 'cpuSeconds'),
    'torch, CPU': of(torch, 'cpuSeconds'),
    'klens / torch, CPU': of(klens, 'cpuSeconds') / of(torch, 'cpuSeconds'),
  }
}

const PROMPTS = 100
const LEARNED_STEPS = 40

async function exported(folder: string, python: string): Promise<Table> {
  const learned = learnedModel(DEFAULT_DECODER, VOCABULARY, LEARNED_STEPS)
  const questions = exportQuestions(PROMPTS)
  const checkpoint = join(folder, 'checkpoint')
  await writeExport(checkpoint, learned, questions)
  const script = join(ROOT, 'bench', 'lm', 'checkpoint.py')
  const { stdout } = await promisify(execFile)(python, [script, checkpoint], { maxBuffer: 2 ** 28 })
  const theirs: ExportAnswers & { readonly problems: object } = JSON.parse(stdout)
  const ours = exportAnswers(learned, questions)
  const row = (what: string, key: keyof ExportAnswers): Figures => ({
    what,
    asked: ours[key].length,
    same: ours[key].filter((answer, i) => JSON.stringify(answer) === JSON.stringify(theirs[key][i])).length,
  })
  return {
    title: `a checkpoint of ${learned.model.parameters.count} parameters in transformers, ${Object.keys(theirs.problems).length} complaints when loading it`,
    rows: [
      row('greedy continuations of dialogues', 'continuations'),
      row('dialogues by the chat template', 'chats'),
      row('texts cut into tokens', 'tokens'),
      row('tokens put together', 'decoded'),
    ],
  }
}
