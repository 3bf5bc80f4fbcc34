import { settingLabel } from '../../src/text/vocabulary.js'
<<<<<<< HEAD
import { DEFAULT_CONFIG, trainSchema } from '../../src/train/config/schema.js'
import { INTENTION_DEFAULTS, intentionSchema } from '../../src/train/intention/settings.js'
=======
import { type Leaf, trainSettings } from '../../src/train/config/describe.js'
>>>>>>> main
import { type Page, table } from './page.js'

/** docs/train-settings.md: every setting of `klens train` with its default and what it may be, from the schema itself. */
export const trainSettingsPage: Page = {
  path: 'docs/train-settings.md',
  write: () => {
<<<<<<< HEAD
    const rows = (schema: z.ZodType, defaults: object): string =>
      table(
        ['setting', 'default', 'may be', 'meaning'],
        leaves(leafSchema.parse(z.toJSONSchema(schema, { io: 'output' })), defaults, []),
      )
    const selector = rows(trainSchema, DEFAULT_CONFIG)
    return `${HEAD}\n\n${SELECTOR}\n\n${selector}\n\n${INTENTION}\n\n${rows(intentionSchema, INTENTION_DEFAULTS)}\n`
=======
    const rows = trainSettings().map(({ key, initial, leaf, groupDescription }) => {
      const meaning = meaningOf(key, leaf)
      return [`\`${key}\``, shown(initial), kindOf(leaf), meaning === '' ? groupDescription : meaning]
    })
    return `${HEAD}\n\n${table(['setting', 'default', 'may be', 'meaning'], rows)}\n`
>>>>>>> main
  },
}

const HEAD = `<!-- Made by npm run docs of src/train/config/schema.ts and src/train/intention/settings.ts. -->

# Settings of \`klens train\`

What a config file or \`--set key=value\` can say, and what holds when it says nothing. A key has the name under which klens knows
the setting in any run, so that \`compare\`, \`sweep\` and \`diagnose\` read a trained run like an imported one. See
[klens train](verbs/train.md) and [tasks](tasks.md).`

<<<<<<< HEAD
const SELECTOR = '## The selector: tasks `digits`, `lever`, `llm`'

const INTENTION = `## The language model: task \`intention\`

Multi-turn GRPO in the gym of [gym.md](gym.md), whose quirks are \`gym.*\` here.`

/** The part of a JSON schema that says what a setting may be. */
interface Leaf {
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

function leaves(schema: Leaf, defaults: unknown, path: readonly string[]): string[][] {
  if (schema.properties === undefined) {
    const key = path.join('.')
    return [[`\`${key}\``, shown(defaults), kindOf(schema), meaningOf(key, schema)]]
  }
  const values = new Map(Object.entries(z.record(z.string(), z.unknown()).parse(defaults)))
  return Object.entries(schema.properties).flatMap(([name, inner]) =>
    leaves(inner, values.get(name), [...path, name]).map(([key, initial, kind, meaning]) => [
      key,
      initial,
      kind,
      meaning === '' ? (schema.description ?? '') : meaning,
    ]),
  )
}

=======
>>>>>>> main
function meaningOf(key: string, { description = '' }: Leaf): string {
  const label = settingLabel(key, 'en')
  return [label === key ? '' : label, description].filter(text => text !== '').join('. ')
}

function shown(value: unknown): string {
  return value === null ? 'none' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function kindOf(schema: Leaf): string {
  if (schema.enum !== undefined) return schema.enum.map(choice => `\`${String(choice)}\``).join(', ')
  if (schema.anyOf !== undefined) return schema.anyOf.map(kindOf).join(' or ')
  if (schema.items !== undefined) return `a list: ${kindOf(schema.items)}`
  return [schema.type ?? '']
    .flat()
    .map(type => [KINDS[type] ?? type, ...rangeOf(type, schema)].join(', '))
    .join(' or ')
}

const KINDS: { readonly [type: string]: string } = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: '`true` or `false`',
  null: 'none',
}

/** Zod bounds every whole number by what a double can hold; that is no news. */
function rangeOf(type: string, schema: Leaf): string[] {
  if (type !== 'integer' && type !== 'number') return []
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  return [
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? [] : [`at least ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`at most ${maximum}`]),
    ...(exclusiveMaximum === undefined ? [] : [`below ${exclusiveMaximum}`]),
  ]
}
