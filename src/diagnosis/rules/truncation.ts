import { percentage } from '../../text/figure.js'
import { message } from '../../text/say.js'
import type { Rule } from '../rule.js'
import { lastOf, medianOf, within } from '../signs/curve.js'
import { whereLasting } from '../signs/lasting.js'

/** "Above 0.1 = truncating too much" (verl docs/perf/best_practices). */
const TOO_MANY = 0.1
const FEWEST_POINTS = 5
/** Whether it still goes on: seen within the last tenth of the points. */
const END = 0.1

/** Too many answers run into the length limit. Where that is over, it is only worth knowing. */
export const truncation: Rule = {
  id: 'truncation',
  severity: 'warning',
  needs: ['len.truncated'],
  detect({ curve, settings }) {
    const cut = curve('len.truncated')
    if (cut === undefined) return
    const n = cut.steps.length
    const found = whereLasting(cut, share => share > TOO_MANY, Math.min(FEWEST_POINTS, n))
    if (found === undefined) return
    const isOver = found.to < n - END * n
    const steps = [cut.steps[found.from], cut.steps[found.to - 1]] as const
    const share = medianOf(within(cut, found))
    const limit = settings.get('len.response.max')?.effective
    return {
      severity: isOver ? 'note' : 'warning',
      steps,
      evidence: {
        metric: cut.metric,
        share,
        last: lastOf(cut),
        threshold: TOO_MANY,
        ...(typeof limit === 'number' && { limit }),
      },
      message: isOver
        ? message('truncation.over', { share: percentage(share), from: steps[0], to: steps[1] })
        : message('truncation', { share: percentage(share), from: steps[0] }),
      remedy:
        typeof limit === 'number' ? message('truncation.remedy.limit', { limit }) : message('truncation.remedy', {}),
    }
  },
}
