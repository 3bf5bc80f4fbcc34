import { z } from 'zod'
import type { TextRow } from '../../store/texts.js'

/** The texts of one answer, as questions about samples and rollouts give them. */

export const sampleText = z.object({
  input: z.string().nullable(),
  output: z.string().nullable(),
  expected: z.string().nullable(),
  choice: z.string().nullable(),
})

export function sampleTextOf({ input, output, expected, choice }: TextRow): z.infer<typeof sampleText> {
  return { input, output, expected, choice }
}
