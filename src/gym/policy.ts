import type { JsonObject } from '../model/json.js'
import type { Message } from '../model/run.js'
import type { Prompts, ToolSchema } from './gym.js'

/** Whoever asks: a script, a model behind an endpoint, one day a checkpoint. It sees prompts and what came back, no more. */
export interface Policy<Task> {
  /** As it stands in tables. */
  readonly label: string
  /** What else the scores depend on, such as the address of an endpoint. */
  readonly settings: { readonly [key: string]: string | number | null }
  /** A script may peek at the task; `repeat` is which attempt at it this is. */
  open(opening: Opening<Task>): Player
}

export interface Opening<Task> {
  readonly task: Task
  readonly prompts: Prompts
  readonly tool: ToolSchema
  readonly repeat: number
}

export interface Player {
  /** `heard` is what its last calls brought, one text each; empty at the beginning. */
  next(heard: readonly string[]): PlayerTurn | Promise<PlayerTurn>
}

export type PlayerTurn = Said | { readonly kind: 'missing'; readonly reason: Message }

export interface Said {
  readonly kind: 'said'
  /** All it said, calls and thoughts included: what is kept of the dialogue. */
  readonly text: string
  readonly calls: readonly ToolCall[]
  /** Calls that nobody could read. */
  readonly malformed: number
}

export interface ToolCall {
  readonly name: string
  readonly arguments: JsonObject
}
