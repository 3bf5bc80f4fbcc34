import { z } from 'zod'
import type { Gym } from '../gym/gym.js'
import { intentionGym } from '../gym/intention/intention.js'
import { ceilingOf, KLENS_RULES } from '../gym/intention/rules.js'
import type { IntentionTask } from '../gym/intention/task.js'
import { endpointPolicy } from '../gym/policies/endpoint.js'
import { scriptedPolicy } from '../gym/policies/scripted.js'
import type { Policy } from '../gym/policy.js'
import { figuresOf, playDialogue, USERRL_ROLLOUT } from '../gym/rollout.js'
import { mean, standardDeviation } from '../stats/descriptive.js'
import { studentQuantile } from '../stats/distributions.js'
import type { Workspace } from '../store/workspace.js'
import { render } from '../text/sentences.js'
import { list, numberWithin, pair, request } from './fields.js'
import { keepDialogues, type PlayedDialogue } from './gym-keep.js'
import { asksAt, simulatorNamed, tasksFor } from './gym-request.js'
import { type Asking, question } from './question.js'

/** How good are these policies in a dialogue with a user? Scores as UserRL counts them; dialogues are kept. */

const MOST_AT_ONCE = 16

const evalRequest = request({
  /** `scripted:NAME` or `http://…/v1#model`. */
  policies: list(z.string()),
  /** `embedded` or `http://…/v1#model`. */
  simulator: z.string().default('embedded'),
  /** Files of tasks; none: klens's own. */
  data: list(z.string()).default([]),
  split: z.enum(['train', 'test']).default('test'),
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

const gymEvalAnswer = z.object({
  data: z.string(),
  policies: list(policyAnswer),
  tasks: list(z.object({ task: z.string(), scores: list(z.number().nullable()), ends: list(list(z.string())) })),
  reasons: list(z.string()),
})

export type GymEvalAnswer = z.infer<typeof gymEvalAnswer>

export const gymEval = question({
  request: evalRequest,
  answer: gymEvalAnswer,
  async ask(workspace, asked, { signal, remark }: Asking) {
    const data = await tasksFor(asked)
    const rollout = { ...USERRL_ROLLOUT, maxTurns: asked.maxTurns ?? USERRL_ROLLOUT.maxTurns }
    const questions = rollout.maxTurns - 1
    const gym = intentionGym({
      simulator: simulatorNamed(workspace, asked.simulator),
      rules: { ...KLENS_RULES, maxSteps: rollout.maxTurns },
      language: asked.language,
    })
    const policies: z.infer<typeof policyAnswer>[] = []
    const played: (readonly PlayedDialogue[])[] = []
    for (const name of asked.policies) {
      const policy = policyNamed(workspace, name, { ...asked, questions })
      const dialogues = await playAll(gym, policy, data.tasks, asked.repeats ?? 1, rollout, signal)
      const run = await keepDialogues(workspace, policy, dialogues, { ...asked, data: data.name }, remark)
      policies.push({ label: policy.label, run, ...summaryOf(dialogues, questions) })
      played.push(dialogues)
    }
    const reasons = played.flat().flatMap(({ figures: { reason } }) => (reason === null ? [] : [reason]))
    return {
      data: data.name,
      policies,
      tasks: data.tasks.map(({ id }) => taskAnswer(id, played)),
      reasons: [...new Set(reasons.map(reason => render(reason, asked.lang)))],
    }
  },
})

interface PolicyUse {
  readonly language: 'en' | 'zh'
  readonly questions: number
  readonly temperature: number | null
}

function policyNamed(workspace: Workspace, name: string, use: PolicyUse): Policy<IntentionTask> {
  if (name.startsWith('scripted:')) return scriptedPolicy(name.slice('scripted:'.length), use)
  const temperature = use.temperature ?? 0
  return endpointPolicy(name, { policy: name, temperature }, asksAt(workspace, name, temperature))
}

async function playAll(
  gym: Gym<IntentionTask>,
  policy: Policy<IntentionTask>,
  tasks: readonly IntentionTask[],
  repeats: number,
  rollout: typeof USERRL_ROLLOUT,
  signal: AbortSignal | undefined,
): Promise<readonly PlayedDialogue[]> {
  const openings = tasks.flatMap(task => Array.from({ length: repeats }, (_, repeat) => ({ task, repeat })))
  const played: PlayedDialogue[] = []
  for (let from = 0; from < openings.length; from += MOST_AT_ONCE) {
    signal?.throwIfAborted()
    const some = openings.slice(from, from + MOST_AT_ONCE)
    const dialogues = await Promise.all(some.map(opening => playDialogue(gym, policy, opening, rollout)))
    played.push(...dialogues.map((dialogue, i) => ({ ...some[i], dialogue, figures: figuresOf(dialogue) })))
  }
  return played
}

/** Repeats of a task are folded first: tasks are what is drawn, so the interval is over them. */
function summaryOf(played: readonly PlayedDialogue[], questions: number) {
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
    ceiling: over(({ task }) => ceilingOf(task.missing_details, questions, KLENS_RULES)),
    coverage: over(({ task, figures }) => figures.gained / task.missing_details.length),
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
  for (const { task, figures } of played) {
    if (figures.score !== null) byTask.set(task.id, [...(byTask.get(task.id) ?? []), figures.score])
  }
  return byTask
}

function intervalOf(scores: readonly number[]): readonly [number, number] | null {
  if (scores.length < 2) return null
  const half = (studentQuantile(0.975, scores.length - 1) * standardDeviation(scores)) / Math.sqrt(scores.length)
  return [mean(scores) - half, mean(scores) + half]
}

function taskAnswer(task: string, played: readonly (readonly PlayedDialogue[])[]) {
  const own = played.map(dialogues => dialogues.filter(one => one.task.id === task))
  return {
    task,
    scores: own.map(dialogues => {
      const scores = dialogues.flatMap(({ figures }) => figures.score ?? [])
      return scores.length === 0 ? null : mean(scores)
    }),
    ends: own.map(dialogues => dialogues.map(({ figures }) => figures.why)),
  }
}
