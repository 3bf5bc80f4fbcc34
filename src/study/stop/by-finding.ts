import { sentences } from '../../text/sentences.js'
import type { StopRule } from './look.js'

/** What diagnosis calls an error, and what no further step will mend. */

const say = sentences({
  'stop.finding.false': {
    en: 'looked at twelve times in the course of training, it stopped none of the 17 healthy runs of two labs whose whole logs are at hand (docs/verbs/watch.md)',
    zh: '在训练过程中检查十二次，两个实验室中有完整日志的 17 个健康 run 无一被误停（docs/verbs/watch.zh.md）',
  },
})

/** The rule of `klens diagnose` behind each. An outage is an outage: the training did nothing wrong. */
const FINDINGS = {
  dead: 'run-dead',
  'kl-runaway': 'kl-runaway',
  outage: 'environment-outage',
  'non-finite': 'non-finite',
} as const

export const byFinding: readonly StopRule[] = Object.entries(FINDINGS).map(([id, rule]) => ({
  id,
  decide({ step, findings }) {
    const found = findings.find(finding => finding.rule === rule && finding.severity === 'error')
    if (found === undefined) return null
    const { message, evidence } = found
    return { rule: id, step, message, evidence, falseStops: say('stop.finding.false', {}) }
  },
}))
