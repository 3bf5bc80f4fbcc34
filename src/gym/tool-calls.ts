import { z } from 'zod'
import { parsePythonJson } from '../sources/python-json.js'
import type { Said, ToolCall } from './policy.js'

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

export function readCall(body: string): ToolCall | null {
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
