import { createHash } from 'node:crypto'
import type { SampleScores } from '../../../logs/model/evaluation.js'
import { readSamples } from '../../store/samples.js'
import { readSampleTexts } from '../../store/texts.js'
import type { SelectedSide } from './select.js'

/**
 * What a single answer shows of itself: whether it carries a final answer and in which form, whether it breaks off,
 * whether it quotes an error of a tool or a server. Facts only; what they mean is decided beside the other answers.
 */
export interface AnswerFacts {
  /** Forms of a final answer that are there. */
  readonly forms: ReadonlySet<AnswerForm>
  /** The final answer in the form that is surest, null where there is none. */
  readonly final: string | null
  /** A tag that is opened and never closed again; and those that were closed. */
  readonly open: string | null
  readonly closed: ReadonlySet<string>
  /** Whether it ends with a token that ends a turn. */
  readonly ended: boolean
  /** The words of an error of the surroundings. */
  readonly error: string | null
  readonly empty: boolean
}

export type AnswerForm = 'boxed' | 'hashes' | 'tag' | 'words'

/** The surest first. */
const FORMS: readonly { readonly form: AnswerForm; readonly find: (text: string) => string | null }[] = [
  { form: 'boxed', find: lastBoxed },
  { form: 'hashes', find: text => lastMatch(text, /####[ \t]{0,20}(\S[^\n]{0,200})/g) },
  { form: 'tag', find: text => lastMatch(text, /<answer>([^<]{1,500})<\/answer>/gi) },
  {
    form: 'words',
    find: text => lastMatch(text, /(?:\banswer\s{0,3}(?:is\b|:)|答案(?:是|为|：|:))\s{0,20}(\S[^\n]{0,100})/gi),
  },
]

const TAGS = ['think', 'thinking', 'reasoning', 'answer', 'solution', 'tool_call']

const END =
  /(?:<\|(?:im_end|eot_id|endoftext|end|end_of_text|return)\|>|<\/s>|<eos>|<end_of_turn>|<｜end▁of▁sentence｜>)\s*$/

/** What tools, sandboxes and servers print when they fail. Words that a plain answer hardly holds. */
const ERROR =
  /Traceback \(most recent call last\)|\b(?:Timeout|Connection|HTTP)Error\b|\b(?:connection (?:refused|reset|timed out)|request timed out|execution timed out|timed out after|rate limit exceeded|internal server error|bad gateway|service unavailable|gateway timeout)\b|\bHTTP(?:\/[\d.]+)?\s*[:=]?\s*(?:4(?:0[0138]|29)|5\d\d)\b|\bstatus(?:[ _]code)?\s*[:=]?\s*(?:429|5\d\d)\b|\b(?:tool|sandbox|environment)(?: call| execution)? (?:error|failed|unavailable)\b/i

/** Of a text longer than this only the ends are looked at: an answer stands at the end. */
const LOOKED_AT = 200_000

export function factsOf(whole: string): AnswerFacts {
  const text = whole.length > 2 * LOOKED_AT ? whole.slice(0, LOOKED_AT) + whole.slice(-LOOKED_AT) : whole
  const found = FORMS.flatMap(({ form, find }) => {
    const answer = find(text)
    return answer === null ? [] : [{ form, answer: answer.trim() }]
  })
  const closed = TAGS.filter(tag => text.includes(`</${tag}>`))
  return {
    forms: new Set(found.map(({ form }) => form)),
    final: found[0]?.answer ?? null,
    open: TAGS.find(tag => text.lastIndexOf(`<${tag}>`) > text.lastIndexOf(`</${tag}>`)) ?? null,
    closed: new Set(closed),
    ended: END.test(text.slice(-200)),
    error: ERROR.exec(text)?.[0] ?? null,
    empty: text.trim() === '',
  }
}

function lastMatch(text: string, pattern: RegExp): string | null {
  let last: string | null = null
  for (const found of text.matchAll(pattern)) last = found[1]
  return last
}

/** The braces of a formula nest, so they are counted. An unclosed box is none. */
function lastBoxed(text: string): string | null {
  const start = text.lastIndexOf('\\boxed{')
  if (start < 0) return null
  let depth = 0
  for (let i = start + '\\boxed'.length; i < text.length && i < start + 1000; i += 1) {
    if (text[i] === '{') depth += 1
    else if (text[i] === '}') depth -= 1
    if (depth === 0) return text.slice(start + '\\boxed{'.length, i)
  }
  return null
}

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
