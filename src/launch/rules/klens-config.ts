import { sentences } from '../../text/sentences.js'
import { readTrainConfig } from '../../train/config/read.js'
import { configOf, settingsByKey } from '../launch.js'
import type { LaunchRule, LaunchSymptom } from '../rule.js'

const say = sentences({
  'launch.klens-config.remedy': {
    en: 'docs/train-settings.md lists every setting with what it may be',
    zh: '所有设置及取值见 docs/train-settings.md',
  },
})

export const klensConfig: LaunchRule = {
  id: 'klens-config',
  severity: 'error',
  about: { en: 'What `klens train` itself would refuse.', zh: '`klens train` 会拒绝的设置。' },
  check({ launch }) {
    if (launch.program.framework !== 'klens') return
    const reading = readTrainConfig({ base: configOf(launch) })
    if (reading.kind === 'config') return
    const written = settingsByKey(launch)
    return reading.problems.map((message): LaunchSymptom => {
      const key = typeof message.params.key === 'string' ? message.params.key : null
      const line = (key === null ? undefined : written.get(key)?.line) ?? launch.program.line
      return { key, line, message, remedy: say('launch.klens-config.remedy', {}) }
    })
  },
}
