import { z } from 'zod'
import { type DescribedSetting, type Leaf, trainSettings } from '../../lab/train/config/describe.js'
import { isOutside } from '../../lab/train/config/selector-settings.js'
import { settingLabel } from '../../text/vocabulary.js'
import { json, list, request } from './fields.js'
import { question } from './question.js'

/** What can a training be told? For a form: each setting with what it may be and what holds when nothing is said. */

const kind = z.enum(['whole', 'number', 'flag', 'choice', 'text', 'list'])

const settingsAnswer = z.object({
  settings: list(
    z.object({
      key: z.string(),
      /** In the reader's words; the key where there are none. */
      label: z.string(),
      about: z.string(),
      kind,
      initial: json,
      /** Of a choice. */
      choices: list(z.string()),
      /** Whether it may be left empty. */
      optional: z.boolean(),
      least: z.number().nullable(),
      most: z.number().nullable(),
      /** Whether it names a file, a folder or a server. */
      outside: z.boolean(),
    }),
  ),
})

export type TrainSettingsAnswer = z.infer<typeof settingsAnswer>
type SettingAnswer = TrainSettingsAnswer['settings'][number]

export const trainSettingsQuestion = question({
  request: request({}),
  answer: settingsAnswer,
  ask: async (_, { lang }) => ({
    settings: trainSettings().map(each => settingAnswer(each, settingLabel(each.key, lang))),
  }),
})

function settingAnswer({ key, initial, leaf, description, groupDescription }: DescribedSetting, label: string) {
  const choices = (leaf.anyOf?.find(each => each.enum !== undefined) ?? leaf).enum ?? []
  const bounds = [leaf, ...(leaf.anyOf ?? [])]
  const bound = (end: (of: Leaf) => number | undefined): number | null => {
    const found = bounds.map(end).find(value => value !== undefined)
    return found === undefined || Math.abs(found) === Number.MAX_SAFE_INTEGER ? null : found
  }
  return {
    key,
    label,
    about: description || groupDescription,
    kind: kindOf(leaf),
    initial: json.parse(initial ?? null),
    choices: choices.map(String),
    optional: typesOf(leaf).includes('null'),
    least: bound(of => of.minimum ?? of.exclusiveMinimum),
    most: bound(of => of.maximum ?? of.exclusiveMaximum),
    outside: isOutside(key),
  } satisfies SettingAnswer
}

function typesOf(leaf: Leaf): readonly string[] {
  return [...[leaf.type ?? []].flat(), ...(leaf.anyOf ?? []).flatMap(typesOf)]
}

function kindOf(leaf: Leaf): z.infer<typeof kind> {
  const types = typesOf(leaf)
  if (leaf.enum !== undefined || leaf.anyOf?.some(each => each.enum !== undefined)) return 'choice'
  if (leaf.items !== undefined) return 'list'
  if (types.includes('integer')) return 'whole'
  if (types.includes('number')) return 'number'
  return types.includes('boolean') ? 'flag' : 'text'
}
