import { z } from 'zod'
import type { Workspace } from '../../core/store/workspace.js'
import { TASK_SPLITS } from '../../lab/gym/intention/own/tasks.js'
import { endpointPolicy } from '../../lab/gym/policies/endpoint.js'
import type { Policy } from '../../lab/gym/policy.js'
import { figuresOf, playDialogue } from '../../lab/gym/rollout.js'
import { checkpointPolicy } from '../../lab/train/intention/policy.js'
import { mean, standardDeviation } from '../../stats/descriptive.js'
import { studentQuantile } from '../../stats/distributions.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { distinctMessages, list, numberWithin, pair, request } from './fields.js'
import { keepDialogues, type PlayedDialogue } from './gym-keep.js'
import { asksAt, functionScene, intentionScene, PROMPTS, promptsUsed, type Scene } from './gym-request.js'
import { checkpointPath } from './named-checkpoint.js'
import { type Asking, question } from './question.js'

/** How good are these policies in a dialogue with a user? Scores as UserRL counts them; dialogues are kept. */

const MOST_AT_ONCE = 16

const evalRequest = request({
  gym: z.enum(['intention', 'function']).default('intention'),
  /** `name=value`: a quirk of UserRL that is to be otherwise than klens has it. */
  quirk: list(z.string()).default([]),
  /** `scripted:NAME`, `http://…/v1#model`, or a checkpoint of a language model. */
  policies: list(z.string()),
  /** `embedded` or `http://…/v1#model`. */
  simulator: z.string().default('embedded'),
  /** What an endpoint is told that plays the user. */
  prompts: PROMPTS,
  /** Files of tasks; none: klens's own. */
  data: list(z.string()).default([]),
  split: z.enum(TASK_SPLITS).default('test'),
  language: z.enum(['en', 'zh']).default('en'),
  maxTurns: numberWithin({ above: 0, whole: true }),
  repeats: numberWithin({ above: 0, whole: true }),
  temperature: numberWithin({ above: -1e-9, below: 5 }),
  limit: numberWithin({ above: 0, whole: true }),
})

const policyAnswer = z.object({
  label: z.string(),
  run: z.string(),
  /** Null where no dialogue came to an end that counts. */
  score: z.number().nullable(),
  interval: pair(z.number()).nullable(),
  /** What is to be had at most, on the tasks that have a score. */
  ceiling: z.number().nullable(),
  coverage: z.number().nullable(),
  turns: z.number().nullable(),
  wasted: z.number(),
  compound: z.number(),
  malformed: z.number(),
  failed: z.number(),
  n: z.number(),
  ends: z.record(z.string(), z.number()),
})

const gymEvalSchema = z.object({
  data: z.string(),
  policies: list(policyAnswer),
  tasks: list(z.object({ task: z.string(), scores: list(z.number().nullable()), ends: list(list(z.string())) })),
  reasons: list(sentence),
})

export const gymEval = question({
  request: evalRequest,
  answer: encoded(gymEvalSchema),
  async ask(workspace, asked, asking: Asking) {
    const answer =
      asked.gym === 'function'
        ? await evaluateIn(await functionScene(asked), workspace, asked, asking)
        : await evaluateIn(await intentionScene(workspace, asked), workspace, asked, asking)
    return encode(answer, asked.lang)
  },
})

export type GymEvalAnswer = z.infer<typeof gymEval.answer>

type EvalRequest = z.output<typeof evalRequest>

async function evaluateIn<Task extends { readonly id: string }>(
  scene: Scene<Task>,
  workspace: Workspace,
  asked: EvalRequest,
  asking: Asking,
): Promise<z.infer<typeof gymEvalSchema>> {
  const policies: z.infer<typeof policyAnswer>[] = []
  const played: (readonly PlayedDialogue[])[] = []
  for (const name of asked.policies) {
    const policy = await policyNamed(scene, workspace, name, asked.temperature, asking)
    const dialogues = await playAll(scene, policy, asked.repeats ?? 1, asking.signal)
    const circumstances = { ...asked, prompts: promptsUsed(asked), data: scene.data }
    const run = await keepDialogues(workspace, policy, dialogues, circumstances, asking.remark)
    policies.push({ label: policy.label, run, ...summaryOf(dialogues) })
    played.push(dialogues)
  }
  const reasons = played.flat().flatMap(({ figures: { reason } }) => (reason === null ? [] : [reason]))
  return {
    data: scene.data,
    policies,
    tasks: scene.tasks.map(({ id }) => taskAnswer(id, played)),
    reasons: distinctMessages(reasons),
  }
}

async function policyNamed<Task extends { readonly id: string }>(
  { script }: Scene<Task>,
  workspace: Workspace,
  name: string,
  asked: number | null,
  asking: Asking,
): Promise<Policy<Task>> {
  if (name.startsWith('scripted:')) return script(name.slice('scripted:'.length))
  const temperature = asked ?? 0
  if (!/^https?:/.test(name)) {
    const folder = await checkpointPath(workspace, name, asking)
    // `RUN@STEP` goes on meaning that step of the training to every other verb: its dialogues have a name of their own.
    return checkpointPolicy(folder, { label: folder === name ? name : `gym/${name}`, temperature })
  }
  return endpointPolicy(name, { policy: name, temperature }, asksAt(workspace, name, temperature))
}

async function playAll<Task extends { readonly id: string }>(
  { gym, tasks, rollout, factsOf }: Scene<Task>,
  policy: Policy<Task>,
  repeats: number,
  signal: AbortSignal | undefined,
): Promise<readonly PlayedDialogue[]> {
  const openings = tasks.flatMap(task => Array.from({ length: repeats }, (_, repeat) => ({ task, repeat })))
  const played: PlayedDialogue[] = []
  for (let from = 0; from < openings.length; from += MOST_AT_ONCE) {
    signal?.throwIfAborted()
    const some = openings.slice(from, from + MOST_AT_ONCE)
    const dialogues = await Promise.all(some.map(opening => playDialogue(gym, policy, opening, rollout)))
    played.push(
      ...dialogues.map((dialogue, i) => {
        const { task, repeat } = some[i]
        return { id: task.id, facts: factsOf(task), repeat, dialogue, figures: figuresOf(dialogue) }
      }),
    )
  }
  return played
}

/** Repeats of a task are folded first: tasks are what is drawn, so the interval is over them. */
function summaryOf(played: readonly PlayedDialogue[]) {
  const counted = played.filter(({ figures }) => figures.score !== null)
  const scores = [...scoresByTask(counted).values()].map(mean)
  const ends: { [why: string]: number } = {}
  for (const { figures } of played) ends[figures.why] = (ends[figures.why] ?? 0) + 1
  const over = (figureOf: (one: PlayedDialogue) => number): number | null =>
    counted.length === 0 ? null : mean(counted.map(figureOf))
  const sum = (member: 'wasted' | 'compound' | 'malformed'): number =>
    played.reduce((total, { figures }) => total + figures[member], 0)
  return {
    score: scores.length === 0 ? null : mean(scores),
    interval: intervalOf(scores),
    ceiling: over(({ facts }) => facts.ceiling),
    coverage: over(({ facts, figures }) => figures.gained / facts.details),
    turns: over(({ figures }) => figures.turns),
    wasted: sum('wasted'),
    compound: sum('compound'),
    malformed: sum('malformed'),
    failed: played.length - counted.length,
    n: scores.length,
    ends,
  }
}

function scoresByTask(played: readonly PlayedDialogue[]): ReadonlyMap<string, readonly number[]> {
  const byTask = new Map<string, number[]>()
  for (const { id, figures } of played) {
    if (figures.score !== null) byTask.set(id, [...(byTask.get(id) ?? []), figures.score])
  }
  return byTask
}

function intervalOf(scores: readonly number[]): readonly [number, number] | null {
  if (scores.length < 2) return null
  const half = (studentQuantile(0.975, scores.length - 1) * standardDeviation(scores)) / Math.sqrt(scores.length)
  return [mean(scores) - half, mean(scores) + half]
}

function taskAnswer(task: string, played: readonly (readonly PlayedDialogue[])[]) {
  const own = played.map(dialogues => dialogues.filter(({ id }) => id === task))
  return {
    task,
    scores: own.map(dialogues => {
      const scores = dialogues.flatMap(({ figures }) => figures.score ?? [])
      return scores.length === 0 ? null : mean(scores)
    }),
    ends: own.map(dialogues => dialogues.map(({ figures }) => figures.why)),
  }
}
