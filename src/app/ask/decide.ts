import { z } from 'zod'
import { withoutCopies } from '../../core/analysis/conventions.js'
import { decideAmongRuns, decisionAmongRuns } from '../../core/analysis/decide/candidates.js'
import { aim } from '../../core/analysis/decide/decide.js'
import { listRuns } from '../../core/store/catalogue.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import { Problem } from '../../logs/model/problem.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { sentences } from '../../text/sentences.js'
import { ended, goal, list, request } from './fields.js'
import { resolveAll } from './names.js'
import { question } from './question.js'

/** What to ship now, and what to run next? */

const say = sentences({
  'decide.no-runs': {
    en: 'there are no runs in this workspace yet; import logs first',
    zh: '工作区中还没有 run，请先导入日志',
  },
})

export const decide = question({
  request: request({
    /** Without any, all runs of the workspace. */
    runs: list(z.string()).default([]),
    metric: z.string().nullable().default(null),
    goal,
    ended,
    for: aim.default('score'),
  }),
  answer: encoded(decisionAmongRuns),
  async ask(workspace, { lang, runs: names, ...options }, asking) {
    const chosen = names.length > 0 ? names : (await listRuns(workspace)).entries.map(({ id }) => id)
    if (chosen.length === 0) throw new Problem('not-found', say('decide.no-runs', {}))
    const { runs } = withoutCopies(await resolveAll(workspace, chosen, asking))
    return encode(await decideAmongRuns(workspace, await loadVocabulary(workspace), runs, options), lang)
  },
})
