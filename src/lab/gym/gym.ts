import type { Json, JsonObject } from '../../logs/model/json.js'
import type { Message } from '../../logs/model/run.js'

/**
 * A multi-turn environment as a policy meets it: prompts, one tool, and episodes that take a text and give back a text and
 * a reward. An episode whose simulator is a program answers at once (`InstantEpisode`), so that a trainer steps it some
 * hundred thousand times a second without a promise in between; one whose simulator is a server answers later.
 */
export interface Gym<Task, Opened extends Episode = Episode> {
  readonly name: string
  readonly tool: ToolSchema
  prompts(task: Task): Prompts
  open(task: Task): Opened
}

/** What all tasks have. */
export interface GymTask {
  readonly id: string
}

export interface Prompts {
  readonly system: string
  readonly user: string
}

/** A function of OpenAI's `tools`. */
export interface ToolSchema {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

export interface Episode {
  /** One action after the other; throws a `Problem` once the episode is over. */
  step(action: string): Step | Promise<Step>
}

export interface InstantEpisode extends Episode {
  step(action: string): Step
}

export interface Step {
  /** What the environment says. A model that plays the user may answer with any JSON value. */
  readonly feedback: Json
  /** Null where the simulator failed: what was not judged is missing, not 0. */
  readonly reward: number | null
  /** How many of the things that are looked for this step has found. */
  readonly gained: number
  /** These things in words, where they have any. */
  readonly found?: readonly string[]
  /** Null as long as the episode goes on. */
  readonly end: EpisodeOutcome | null
  /** Gymnasium's two flags; both may be true at the step limit. */
  readonly terminated: boolean
  readonly truncated: boolean
}

export type EpisodeOutcome =
  | { readonly why: 'solved' | 'finished' | 'limit' }
  | { readonly why: 'failed'; readonly reason: Message }

/** The one tool of all gyms, and how a call of it becomes the text that an episode takes. */

const CHOICES = ['action', 'answer', 'search'] as const

export const INTERACT: ToolSchema = {
  name: 'interact_with_env',
  description: 'Interact with the environment.',
  parameters: {
    type: 'object',
    properties: {
      choice: { type: 'string', enum: CHOICES, description: 'What kind of move this is.' },
      content: { type: 'string', description: 'The question, the answer or the search itself.' },
    },
    required: ['choice', 'content'],
  },
}

/** `[action] …` unless it stands there already; an unknown choice leaves the content as it is. */
export function actionOf(choice: string, content: string): string {
  if (choice === 'finish') return '[finish]'
  const prefix = `[${choice}]`
  return CHOICES.some(known => known === choice) && !content.startsWith(prefix) ? `${prefix} ${content}` : content
}

/** What the environment says as text: JSON where it is none. */
export function feedbackText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
