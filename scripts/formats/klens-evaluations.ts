import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'

/** What klens reads in evaluation files, by its library `klens/logs`: a mean and the scores of single items by task and metric. */
export interface KlensEvaluation {
  readonly name: string
  /** Under `task/metric`. */
  readonly means: ReadonlyMap<string, number>
  readonly items: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>
}

const conditionSchema = z.looseObject({ dataset: z.string().optional() })
const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('evaluation'),
    evaluation: z.object({ metric: z.string(), condition: conditionSchema, value: z.number() }),
  }),
  z.object({
    type: z.literal('samples'),
    samples: z.object({
      metric: z.string(),
      condition: conditionSchema,
      ids: z.array(z.string()),
      scores: z.array(z.number()),
    }),
  }),
])

interface LoggedRun {
  readonly name: string
  events(): AsyncIterable<{ readonly type: string }>
}

export async function klensEvaluations(logs: string): Promise<readonly KlensEvaluation[]> {
  const library = pathToFileURL(join(process.cwd(), 'dist', 'library', 'logs.js')).href
  const { readRuns }: { readRuns(path: string): AsyncIterable<LoggedRun> } = await import(library)
  const found: KlensEvaluation[] = []
  for await (const run of readRuns(logs)) found.push(await evaluationOf(run))
  return found
}

async function evaluationOf(run: LoggedRun): Promise<KlensEvaluation> {
  const means = new Map<string, number>()
  const items = new Map<string, Map<string, number[]>>()
  for await (const event of run.events()) {
    if (event.type !== 'evaluation' && event.type !== 'samples') continue
    const parsed = eventSchema.parse(event)
    if (parsed.type === 'evaluation') {
      means.set(labelOf(parsed.evaluation), parsed.evaluation.value)
      continue
    }
    const { ids, scores } = parsed.samples
    const label = labelOf(parsed.samples)
    const own = items.get(label) ?? new Map<string, number[]>()
    items.set(label, own)
    ids.forEach((id, at) => {
      own.set(id, [...(own.get(id) ?? []), scores[at]])
    })
  }
  return { name: run.name, means, items }
}

function labelOf({ metric, condition }: { metric: string; condition: { dataset?: string | undefined } }): string {
  return `${condition.dataset ?? ''}/${metric.replace(/^eval[./]/, '')}`
}
