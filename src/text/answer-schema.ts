import { z } from 'zod'
import type { Encoded } from './encode.js'
import type { Message } from './sentences.js'

/**
 * A sentence in the schema of an answer. The schema checks an answer as it leaves klens, its type is the answer as it is
 * made: the two differ in sentences, which are messages inside and words outside.
 */
export const sentence = z.string() as unknown as z.ZodType<Message>

/** The same schema by the type of what leaves klens. */
export function encoded<Made>(schema: z.ZodType<Made>): z.ZodType<Encoded<Made>> {
  return schema as unknown as z.ZodType<Encoded<Made>>
}
