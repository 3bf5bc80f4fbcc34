import { z } from 'zod'
import type { JsonObject } from '../../logs/model/json.js'
import type { Message } from '../../logs/model/run.js'
import { parsePythonJson } from '../../logs/sources/python-json.js'
import type { Prompts, ToolSchema } from './gym.js'

/** A policy in a gym: a script, a model behind an endpoint, a checkpoint. It sees prompts and what came back, no more. */
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
  /** Calls that could not be read. */
  readonly malformed: number
}

export interface ToolCall {
  readonly name: string
  readonly arguments: JsonObject
}

/** Calls in the text of a model: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, as Qwen and Hermes write them. */

const callSchema = z.looseObject({
  name: z.string(),
  /** Some models write the arguments as a text that holds JSON. */
  arguments: z.union([z.record(z.string(), z.json()), z.string()]),
})

const CALL = /<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g
const THOUGHT = /<think>[\s\S]*?(?:<\/think>|$)/g

export function saidBy(text: string): Said {
  const found = [...text.replace(THOUGHT, '').matchAll(CALL)].map(([, body]) => readCall(body))
  const calls = found.flatMap(call => call ?? [])
  return { kind: 'said', text, calls, malformed: found.length - calls.length }
}

function readCall(body: string): ToolCall | null {
  const parsed = callSchema.safeParse(parsePythonJson(body.trim()))
  return parsed.success ? callFrom(parsed.data.name, parsed.data.arguments) : null
}

const argumentsSchema = z.record(z.string(), z.json())

export function callFrom(name: string, given: unknown): ToolCall | null {
  const parsed = argumentsSchema.safeParse(typeof given === 'string' ? parsePythonJson(given) : given)
  return parsed.success ? { name, arguments: parsed.data } : null
}

export function callText({ name, arguments: given }: ToolCall): string {
  return `<tool_call>${JSON.stringify({ name, arguments: given })}</tool_call>`
}
