import { createHash } from 'node:crypto'
import { Problem } from '../../../../logs/model/problem.js'
import { message } from '../../../../text/say.js'
import { openResponseCache } from '../../../endpoint/cache.js'
import { type EndpointOptions, openEndpoint } from '../../../endpoint/endpoint.js'
import { type LogprobApi, openAnswerLogProbability } from '../../../endpoint/prompt-logprobs.js'
import { scoredBaselines } from '../baselines.js'
import {
  checkWidths,
  type Embeddings,
  positionsFromLargest,
  readEmbeddings,
  rowOf,
  similarities,
} from '../embeddings.js'
import { randomChoice, randomForQuery } from '../groups.js'
import {
  type Choice,
  type ChoiceLikelihood,
  checkSplits,
  missing,
  type Outcome,
  type Query,
  type SplitOptions,
  splitsOf,
  type Task,
} from '../task.js'
import { cutAnswer, firstLine, type Metric, scoreAnswer } from './answer-score.js'
import { type Item, type ItemOptions, readItems } from './items.js'
import { buildMessages, DEFAULT_TEMPLATE, type PromptTemplate, shownAnswer } from './prompt.js'

/**
 * A language model scores: it is shown the chosen examples and asked the query, and its answer is compared with the
 * right ones. Any OpenAI-compatible endpoint will do. Answers are kept on disk, so a training that is run again, or
 * resumed, pays for nothing twice; a question that stays unanswered is a missing reward.
 */
export interface LlmOptions {
  readonly queries: ItemSource
  /** May be the same files as for queries; a query is then never its own example. */
  readonly examples: ItemSource
  readonly endpoint: EndpointOptions
  readonly cacheFolder: string
  readonly metric?: Metric
  readonly template?: PromptTemplate
  /** What of a reply is its answer: the first line that says something, or what the original's inference cuts out. */
  readonly answer?: 'first-line' | 'cut'
  /** Whether pictures are sent; an endpoint for text alone would refuse them. */
  readonly images?: boolean
  /** Where pictures lie; null: beside the items. */
  readonly imageFolder?: string | null
  readonly poolSize?: number
  /** Random, as the original draws its pools, the most similar, or the first, the same for all, as its inference has it. */
  readonly pool?: Pool
  /** Decides random pools. */
  readonly seed?: number
  /** Of queries that do not say themselves which split they belong to. */
  readonly split?: Partial<SplitOptions>
}

type Pool = 'random' | 'retrieval' | 'first'

interface ItemSource {
  /** JSON lines (items.ts). */
  readonly items: string
  /** One row for each item. */
  readonly embeddings: string
}

const SPLIT: SplitOptions = { validationShare: 0.1, testShare: 0.1, order: 'ordered', draw: 0 }

export async function llmTask(options: LlmOptions): Promise<Task> {
  const { metric = 'vqa', template = DEFAULT_TEMPLATE, poolSize = 64, pool = 'random', seed = 0 } = options
  const { answer = 'first-line' } = options
  const pictures = { images: options.images ?? true, folder: options.imageFolder ?? null }
  const { images } = pictures
  const answerIn = answer === 'cut' ? cutAnswer : firstLine
  const asked = await readSource(options.queries, pictures)
  const shown = await readSource(options.examples, pictures)
  checkWidths(asked.embeddings, options.queries.embeddings, shown.embeddings, options.examples.embeddings)
  const cache = openResponseCache(options.cacheFolder)
  const ask = openEndpoint(options.endpoint, cache)

  const split: SplitOptions = { ...SPLIT, ...options.split }
  const splits = splitsOf(asked.items.length, split)
  const sameFile = options.queries.items === options.examples.items
  const queries = asked.items.map((item, index): Query => {
    const query = { index, id: item.id, split: item.split ?? splits[index], row: index }
    const usable = Int32Array.from(shown.items.keys()).filter(row => !(sameFile && row === index))
    if (usable.length < poolSize) {
      const file = options.examples.items
      throw new Problem(
        'unreadable',
        message('llm.too-few-examples', { file, record: item.id, examples: usable.length, size: poolSize }),
      )
    }
    const order = ((): readonly number[] => {
      const whole = { ...query, pool: usable }
      switch (pool) {
        case 'random':
          return randomChoice(whole, poolSize, randomForQuery(seed, whole))
        case 'retrieval':
          return positionsFromLargest(similarities(rowOf(asked.embeddings, index), shown.embeddings, usable))
        case 'first':
          return [...usable.keys()]
      }
    })()
    return { ...query, pool: Int32Array.from(order.slice(0, poolSize), position => usable[position]) }
  })

  async function scoreOne(query: Query, choice: Choice): Promise<Outcome> {
    const item = asked.items[query.index]
    const examples = choice.map(position => shown.items[query.pool[position]])
    const reply = await ask(await buildMessages(template, examples, item))
    if (reply.kind === 'missing') return missing(reply.reason)
    return { kind: 'scored', ...scoreAnswer(metric, answerIn(reply.text), item.answers) }
  }

  /** Of the answer that most annotators gave. */
  const likelihoodOfAnswer = (api: LogprobApi): ChoiceLikelihood => {
    const likelihood = openAnswerLogProbability(options.endpoint, cache, api)
    return async (query, choice) => {
      const item = asked.items[query.index]
      const examples = choice.map(position => shown.items[query.pool[position]])
      return likelihood(await buildMessages(template, examples, item), shownAnswer(item))
    }
  }

  checkSplits(options.queries.items, queries)
  const { url, model, maxTokens, temperature, beams } = options.endpoint
  const asking = { url, model, maxTokens, temperature, ...((beams ?? 1) > 1 && { beams }), template, images, answer }
  const settings = JSON.stringify({ ...asking, metric, poolSize, pool, seed, split })
  const task: Task = {
    name: 'llm',
    headline: 'soft',
    dataHash: createHash('sha256').update(asked.hash).update(shown.hash).update(settings).digest('hex'),
    queryEmbeddings: asked.embeddings,
    candidateEmbeddings: shown.embeddings,
    queries,
    logged: [],
    remarks: [],
    likelihoodOfAnswer,
    score: (query, choices) => Promise.all(choices.map(choice => scoreOne(query, choice))),
    // Each random draw is a request that is paid for.
    baselines: wanted => scoredBaselines(task, { draws: 1, ...wanted }, null, { zeroShot: true }),
  }
  return task
}

interface Source {
  readonly items: readonly Item[]
  readonly embeddings: Embeddings
  readonly hash: string
}

async function readSource(source: ItemSource, pictures: ItemOptions): Promise<Source> {
  const { items, hash } = await readItems(source.items, pictures)
  const file = await readEmbeddings(source.embeddings)
  if (file.embeddings.rows !== items.length) {
    throw new Problem(
      'unreadable',
      message('llm.rows-differ', {
        file: source.items,
        items: items.length,
        embeddings: source.embeddings,
        rows: file.embeddings.rows,
      }),
    )
  }
  return { items, embeddings: file.embeddings, hash: `${hash}${file.hash}` }
}
