import type { Message } from '../../src/text/sentences.js'

/** A message for tests whose words do not matter. */
export function testMessage(key: string, params: Message['params'] = {}): Message {
  return { key, text: { en: key, zh: key }, params }
}
