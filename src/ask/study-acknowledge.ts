import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { keepAcknowledged } from '../study/lineage/acknowledged.js'
import { openSuspicions } from '../study/lineage/suspicion.js'
import { planStudy } from '../study/plan/plan-study.js'
import { studyStand } from '../study/status/cells.js'
import { render, sentences } from '../text/sentences.js'
import { list, request, someOf } from './fields.js'
import { question } from './question.js'

/** Vouch for a trial that is suspicious: from then on it stands in no comparison's way, and the reason is shown. */

const say = sentences({
  'study.acknowledge.because': {
    en: 'say why its figures may be compared all the same: --because "…"',
    zh: '请说明为何仍可比较：--because "…"',
  },
  'study.acknowledge.no-trial': {
    en: 'this study has no trial "{trial}"; it has {trials}',
    zh: '此研究没有试验“{trial}”；现有 {trials}',
  },
  'study.acknowledge.nothing': {
    en: 'nothing about {trial} is suspicious that was not acknowledged before',
    zh: '{trial} 没有尚未确认的可疑之处',
  },
})

const acknowledged = z.object({
  study: z.string(),
  trial: z.string(),
  because: z.string(),
  /** What was vouched for. */
  suspicions: list(z.string()),
})

export type StudyAcknowledgeAnswer = z.infer<typeof acknowledged>

export const studyAcknowledge = question({
  request: request({
    file: z.string(),
    /** Its name, `ARM/seedN`, or the start of its id. */
    trial: z.string(),
    because: z.string().default(''),
  }),
  answer: acknowledged,
  async ask(workspace, { file, trial: named, because: given, lang }) {
    const because = given.trim()
    if (because === '') throw new Problem('bad-request', say('study.acknowledge.because', {}))
    const study = await planStudy(file)
    const isNamed = ({ id, name }: { readonly id: string; readonly name: string }): boolean =>
      name === named || name === `${study.name}/${named}` || (named.length >= 6 && id.startsWith(named))
    const [trial, second] = study.trials.filter(isNamed)
    if (trial === undefined || second !== undefined) {
      const trials = someOf(
        study.trials.map(({ name }) => name),
        8,
      )
      throw new Problem('not-found', say('study.acknowledge.no-trial', { trial: named, trials }))
    }
    const { cells, evaluations } = await studyStand(workspace, study, study.trials)
    const own = [...cells, ...evaluations].filter(cell => cell.trial.id === trial.id)
    const open = own.flatMap(({ suspicious }) => openSuspicions(suspicious))
    if (open.length === 0) throw new Problem('not-enough', say('study.acknowledge.nothing', { trial: trial.name }))
    const at = Date.now() / 1000
    await keepAcknowledged(
      workspace,
      study.name,
      open.map(({ rule, subject }) => ({ trial: trial.id, rule, subject, because, at })),
    )
    const suspicions = [...new Set(open.map(({ message }) => render(message, lang)))]
    return { study: study.name, trial: trial.name, because, suspicions }
  },
})
