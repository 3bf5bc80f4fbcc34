import type { ProgressUnit } from '../../src/core/charts/chart.js'
import type { Answers } from '../api.js'
import { useSay } from '../words.js'
import { type ChartedRun, namesOf } from './metric-chart.js'

/** Which runs are not drawn, because their log does not tell how far they were along the axis. */
export function WithoutAxis({
  answer,
  runs,
  along,
}: {
  readonly answer: Answers['series'] | null
  readonly runs: readonly ChartedRun[]
  readonly along: ProgressUnit
}) {
  const say = useSay()
  if (answer === null || answer.without.length === 0 || along === 'steps') return null
  return (
    <p className="hint">
      {say(`web.axis.without.${along === 'time' ? 'seconds' : along}`, { runs: namesOf(answer.without, runs) })}
    </p>
  )
}
