import type { ContentPart, EndpointMessage } from '../../../endpoint/endpoint.js'
import { dataUrl, type Item } from './items.js'

/**
 * How a choice of examples becomes a request: instruction, then each example with its answer, then the question alone.
 * In one message, or as turns: the user asks each question in the words of `query`, the assistant has answered, as the
 * original's inference has it.
 */
export interface PromptTemplate {
  readonly shape: 'one' | 'turns'
  readonly instruction: string
  /** `{text}` and `{answer}` are filled in; an item's image stands before its text. */
  readonly example: string
  readonly query: string
}

export const DEFAULT_TEMPLATE: PromptTemplate = {
  shape: 'one',
  instruction: 'Answer the last question in a few words, in the way the examples are answered.',
  example: 'Question: {text}\nAnswer: {answer}\n\n',
  query: 'Question: {text}\nAnswer:',
}

export async function buildMessages(
  template: PromptTemplate,
  examples: readonly Item[],
  query: Item,
): Promise<readonly EndpointMessage[]> {
  const system: EndpointMessage[] =
    template.instruction === '' ? [] : [{ role: 'system', content: template.instruction }]
  if (template.shape === 'turns') {
    const turns: EndpointMessage[] = []
    for (const item of examples) {
      turns.push(await userTurn([[item, template.query]]), { role: 'assistant', content: shownAnswer(item) })
    }
    return [...system, ...turns, await userTurn([[query, template.query]])]
  }
  const shown = examples.map((item): [Item, string] => [item, template.example])
  return [...system, await userTurn([...shown, [query, template.query]])]
}

async function userTurn(items: readonly (readonly [item: Item, template: string])[]): Promise<EndpointMessage> {
  const parts: ContentPart[] = []
  for (const [item, template] of items) await addItem(parts, item, template)
  return { role: 'user', content: contentOf(parts) }
}

/** What an example is shown as answering: its most frequent answer, the first of those. */
export function shownAnswer(item: Item): string {
  const counts = new Map<string, number>()
  for (const answer of item.answers) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0]
}

async function addItem(parts: ContentPart[], item: Item, template: string): Promise<void> {
  if (item.image !== null) parts.push({ type: 'image_url', image_url: { url: await dataUrl(item.image) } })
  // One pass, so that a question which happens to contain "{answer}" does not give its own answer away.
  const text = template.replace(/\{(text|answer)\}/g, (_, name: string) =>
    name === 'text' ? item.text : shownAnswer(item),
  )
  const last = parts.at(-1)
  if (last?.type === 'text') parts[parts.length - 1] = { type: 'text', text: last.text + text }
  else parts.push({ type: 'text', text })
}

/** Servers for text models often take a plain string only. */
function contentOf(parts: readonly ContentPart[]): EndpointMessage['content'] {
  const [only] = parts
  return parts.length === 1 && only.type === 'text' ? only.text : parts
}
