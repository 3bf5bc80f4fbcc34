/** The part of OpenAI's chat protocol that is used here. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string | readonly ContentPart[]
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** A message that calls functions, and what each call brought. */
export type ToolMessage =
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls: readonly FunctionCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface FunctionCall {
  readonly id: string
  readonly type: 'function'
  /** Arguments are JSON in a text, as the model wrote it. */
  readonly function: { readonly name: string; readonly arguments: string }
}
