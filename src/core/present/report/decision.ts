import type { z } from 'zod'
import { encode } from '../../../text/encode.js'
import { sentences } from '../../../text/sentences.js'
import type { decisionAmongRuns } from '../../analysis/decide/candidates.js'
import type { LoadedRun } from '../../store/series.js'
import { decisionBlocks } from '../decision.js'
import type { Speaker } from '../speaker.js'
import { evidenceBlocks, type Frame, framed, type ReportContent } from './frame.js'

/** One page: what to ship, how surely it is the best choice, and what to run next. */
export interface DecisionInput extends Omit<Frame, 'before'> {
  readonly decision: z.infer<typeof decisionAmongRuns>
  readonly runs: readonly LoadedRun[]
}

const say = sentences({
  'report.decision.title': { en: 'What to ship, and what to run next', zh: '现在用哪个，接下来做什么实验' },
})

export function decisionReport(speaker: Speaker, input: DecisionInput): ReportContent {
  const { decision, runs, provenance } = input
  const ids = runs.map(({ manifest }) => manifest.id).sort()
  return framed(speaker, input, {
    title: speaker.say(say('report.decision.title', {})),
    // Nothing that a later page would be compared with: a decision is made again.
    memory: { runs: ids, metric: decision.metric, evaluations: 0, verdicts: [], findings: [] },
    blocks: [
      ...decisionBlocks(encode(decision, speaker.language), speaker),
      ...evidenceBlocks(speaker, runs, [], provenance),
    ],
  })
}
