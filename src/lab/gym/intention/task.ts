import { z } from 'zod'

/** A vague request and what is missing in it, as UserRL's JSON files hold it. */

const IMPORTANCE = { '1': 1, '2': 2, '3': 3 } as const

const detailSchema = z.looseObject({
  description: z.string(),
  importance: z.union([z.literal([1, 2, 3]), z.enum(['1', '2', '3'])]).transform(given => IMPORTANCE[`${given}`]),
  /** A question that asks for it. */
  inquiry: z.string().default(''),
  options: z.array(z.string()).readonly().default([]),
  /** Of klens's own tasks: which of the known kinds of detail it is. */
  kind: z.string().optional(),
})

export const taskSchema = z.looseObject({
  id: z.string(),
  category: z.string().default('General'),
  task: z.string(),
  missing_details: z.array(detailSchema).min(1).readonly(),
})

export type IntentionTask = Readonly<z.output<typeof taskSchema>>
export type IntentionDetail = Readonly<z.output<typeof detailSchema>>
export type Importance = IntentionDetail['importance']
