import { createHash } from 'node:crypto'
import type { SampleScores } from '../../model/evaluation.js'
import { readSamples } from '../../store/samples.js'
import { readSampleTexts } from '../../store/texts.js'
import { type AnswerFacts, factsOf } from './answers.js'
import type { SelectedSide } from './select.js'

/** One side's answers: score, parts of the reward, and what each text shows. The texts themselves are not held. */
export interface Answer {
  readonly id: string
  readonly repeat: number
  readonly score: number
  readonly parts: ReadonlyMap<string, number>
  readonly facts: AnswerFacts | null
  readonly choice: string | null
  /** Hashes, which tell whether two texts are the same. */
  readonly input: string | null
  readonly output: string | null
  /** Of the output, in characters. */
  readonly length: number | null
}

export async function readAnswers(side: SelectedSide): Promise<readonly Answer[]> {
  const scores = await readBatch(side, side.metric)
  const parts = new Map<string, ReadonlyMap<string, number>>()
  for (const [name, metric] of side.parts) parts.set(name, byAnswer(await readBatch(side, metric)))
  const texts = await readFacts(side)
  return (scores?.ids ?? []).map((id, i): Answer => {
    const repeat = scores?.repeats?.[i] ?? 0
    const key = keyOf(id, repeat)
    const own = [...parts].flatMap(([name, values]): [string, number][] => {
      const value = values.get(key)
      return value === undefined ? [] : [[name, value]]
    })
    const known = texts.get(key) ?? NO_TEXT
    return { id, repeat, score: scores?.scores[i] ?? Number.NaN, parts: new Map(own), ...known }
  })
}

async function readBatch({ run, step, condition }: SelectedSide, metric: string): Promise<SampleScores | undefined> {
  const batches = await readSamples(run, { metric, step })
  return batches.find(batch => JSON.stringify(batch.condition) === JSON.stringify(condition))
}

function byAnswer(batch: SampleScores | undefined): ReadonlyMap<string, number> {
  if (batch === undefined) return new Map()
  return new Map(batch.ids.map((id, i) => [keyOf(id, batch.repeats?.[i] ?? 0), batch.scores[i]]))
}

type Shown = Pick<Answer, 'facts' | 'choice' | 'input' | 'output' | 'length'>

const NO_TEXT: Shown = { facts: null, choice: null, input: null, output: null, length: null }

async function readFacts(side: SelectedSide): Promise<ReadonlyMap<string, Shown>> {
  const found = new Map<string, Shown>()
  for await (const rows of readSampleTexts(side.run, side)) {
    for (const { sample, repeat, input, output, choice } of rows) {
      found.set(keyOf(sample, repeat), {
        facts: output === null ? null : factsOf(output),
        choice,
        input: input === null ? null : hashOf(input),
        output: output === null ? null : hashOf(output),
        length: output?.length ?? null,
      })
    }
  }
  return found
}

function keyOf(id: string, repeat: number): string {
  return `${id}\0${repeat}`
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64').slice(0, 16)
}
