import { trapsOfRelease } from '../../../logs/model/vocabulary/traps.js'
import { launchRule } from '../rule.js'

/** So many names are listed. */
const MOST_NAMES = 4

export const logTraps = launchRule({
  id: 'log-traps',
  severity: 'note',
  about: {
    en: 'This release of the framework logs numbers that are not what their names say. Said before the run, because a comparison with a run of another release cannot be repaired afterwards.',
    zh: '该框架的这一版本记录的某些数值与名称不符。启动前就说明，因为与其他版本的 run 比较事后无法补救。',
  },
  says: {
    'launch.log-traps': {
      en: '{names} will not be what {n|its name says|their names say}: {why}',
      zh: '{names} 记录的将与名称不符：{why}',
    },
  },
  remedy: {
    en: 'compare these metrics only with runs of the same release and the same batch settings; judge by validation',
    zh: '这些指标只与相同版本、相同 batch 设置的 run 比较；以验证得分判断',
  },
  check({ launch, schema }, { say }) {
    const { framework } = launch.program
    if (schema === null) return
    const traps = trapsOfRelease(framework, schema.version)
    if (traps.length === 0) return
    const names = [...new Set(traps.flatMap(trap => trap.names))].filter(name => name.includes('/'))
    const listed = names.slice(0, MOST_NAMES).join(', ')
    const why = [...new Map(traps.map(({ trap }) => [trap.key, trap])).values()]
    return {
      key: null,
      line: launch.program.line,
      message: say('launch.log-traps', { names: listed, n: names.length, why }),
    }
  },
})
