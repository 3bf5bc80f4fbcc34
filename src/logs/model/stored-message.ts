import { z } from 'zod'
import type { Message } from '../../text/sentences.js'

/** A message as a file keeps it. What klens 0.2 stored has no words: its key stands in for them. */
export const storedMessage: z.ZodType<Message> = z.lazy(() =>
  z
    .object({
      key: z.string(),
      text: z.object({ en: z.string(), zh: z.string() }).optional(),
      params: z.record(z.string(), z.union([z.string(), z.number(), storedMessage, z.array(storedMessage)])),
    })
    .transform(({ key, text = { en: key, zh: key }, params }) => ({ key, text, params })),
)
