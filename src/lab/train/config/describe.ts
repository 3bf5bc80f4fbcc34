import { z } from 'zod'
import { intentionDefaults, intentionSchema } from './language-settings.js'
import { defaultConfig, trainSchema } from './selector-settings.js'

/** Every setting of a training, read off the schema itself: for the page that lists them and for a form that asks them. */
export interface DescribedSetting {
  readonly key: string
  readonly initial: unknown
  readonly leaf: Leaf
  /** What the schema says of it, or of the group that it stands in. */
  readonly description: string
  readonly groupDescription: string
}

/** The part of a JSON schema that says what a setting may be. */
export interface Leaf {
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Leaf[]
  readonly items?: Leaf
  readonly properties?: { readonly [key: string]: Leaf }
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
}

const leafSchema: z.ZodType<Leaf> = z.lazy(() =>
  z.object({
    description: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(leafSchema).optional(),
    items: leafSchema.optional(),
    properties: z.record(z.string(), leafSchema).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
    exclusiveMaximum: z.number().optional(),
  }),
)

export function trainSettings(of: 'selector' | 'language-model' = 'selector'): readonly DescribedSetting[] {
  const [schema, defaults] =
    of === 'selector' ? [trainSchema(), defaultConfig()] : [intentionSchema(), intentionDefaults()]
  return leaves(leafSchema.parse(z.toJSONSchema(schema, { io: 'output' })), defaults, [], '')
}

function leaves(schema: Leaf, initial: unknown, path: readonly string[], group: string): readonly DescribedSetting[] {
  if (schema.properties === undefined) {
    return [
      {
        key: path.join('.'),
        initial,
        leaf: schema,
        description: schema.description ?? '',
        groupDescription: group,
      },
    ]
  }
  const values = new Map(Object.entries(z.record(z.string(), z.unknown()).parse(initial)))
  return Object.entries(schema.properties).flatMap(([name, inner]) =>
    leaves(inner, values.get(name), [...path, name], schema.description ?? group),
  )
}
