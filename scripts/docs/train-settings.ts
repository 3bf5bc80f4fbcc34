import { type DescribedSetting, type Leaf, trainSettings } from '../../src/lab/train/config/describe.js'
import { OWN_TASKS_DEFAULTS } from '../../src/lab/train/config/language-settings.js'
import { settingLabel } from '../../src/text/vocabulary.js'
import { type Page, table } from './page.js'

/** docs/train-settings.md: every setting of `klens train` with its default and what it may be, from the schema itself. */
export const trainSettingsPage: Page = {
  path: 'docs/train-settings.md',
  write: () => {
    return [HEAD, SELECTOR, tableOf(trainSettings()), INTENTION, `${tableOf(trainSettings('language-model'))}\n`].join(
      '\n\n',
    )
  },
}

const HEAD = `<!-- Made by npm run docs of src/lab/train/config/selector-settings.ts and src/lab/train/config/language-settings.ts. -->

# Settings of \`klens train\`

What a config file or \`--set key=value\` can say, and what holds when it says nothing. A key has the name under which klens knows
the setting in any run, so that \`compare\`, \`sweep\` and \`diagnose\` read a trained run like an imported one. See
[klens train](verbs/train.md) and [tasks](tasks.md).`

const SELECTOR = '## The selector: tasks `digits`, `lever`, `llm`'

const INTENTION = `## The language model: task \`intention\`

Multi-turn GRPO in the gym of [gym.md](gym.md), whose quirks are \`gym.*\` here. Where \`data.train\` is given, other defaults hold:
${Object.entries(OWN_TASKS_DEFAULTS)
  .map(([key, value]) => `\`${key}=${value}\``)
  .join(', ')}.`

function tableOf(settings: readonly DescribedSetting[]): string {
  const rows = settings.map(({ key, initial, leaf, groupDescription }) => {
    const meaning = meaningOf(key, leaf)
    return [`\`${key}\``, shown(initial), kindOf(leaf), meaning === '' ? groupDescription : meaning]
  })
  return table(['setting', 'default', 'may be', 'meaning'], rows)
}

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
