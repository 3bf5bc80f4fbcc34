import { z } from 'zod'
import { type DescribedSetting, trainSettings } from '../../lab/train/config/describe.js'
import { isOutside } from '../../lab/train/config/selector-settings.js'
import { settingLabel } from '../../text/vocabulary.js'
import { json, list, request } from './fields.js'
import { question } from './question.js'

/** What can a training be told from a page? Each setting with what holds when nothing is said; none that names a file or a server. */

const settingsAnswer = z.object({
  settings: list(
    z.object({
      key: z.string(),
      /** In the reader's words; the key where there are none. */
      label: z.string(),
      about: z.string(),
      initial: json,
      /** Of a choice. */
      choices: list(z.string()),
    }),
  ),
})

type SettingAnswer = z.infer<typeof settingsAnswer>['settings'][number]

export const trainSettingsQuestion = question({
  request: request({}),
  answer: settingsAnswer,
  ask: async (_, { lang }) => ({
    settings: trainSettings().flatMap(each =>
      isOutside(each.key) ? [] : settingAnswer(each, settingLabel(each.key, lang)),
    ),
  }),
})

function settingAnswer({ key, initial, leaf, description, groupDescription }: DescribedSetting, label: string) {
  const choices = (leaf.anyOf?.find(each => each.enum !== undefined) ?? leaf).enum ?? []
  return {
    key,
    label,
    about: description || groupDescription,
    initial: json.parse(initial ?? null),
    choices: choices.map(String),
  } satisfies SettingAnswer
}
