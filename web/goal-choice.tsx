import { useState } from 'react'
import { askServer } from './api.js'
import { everythingMayHaveChanged } from './live.js'
import { Choice } from './parts.js'
import { useLanguage } from './preferences.js'
import { useSession } from './session.js'
import { useAsk } from './use-ask.js'
import { useSay } from './words.js'

/** By what the workspace judges its runs: as each log has it, or by one metric for all. Needs the write token. */
export function GoalChoice({ runs }: { readonly runs: readonly string[] }) {
  const say = useSay()
  const { right } = useSession()
  const { language: lang } = useLanguage()
  const [problem, setProblem] = useState('')
  const { answer } = useAsk('goal', right === 'write' && runs.length > 0 ? { runs } : null, { touching: 'all' })
  if (answer === null) return null
  const { set, groups } = answer
  const judges = groups.flatMap(({ series }) => series.filter(({ goal }) => goal !== null).map(({ metric }) => metric))
  const metrics = [...new Set([...(set === null ? [] : [set.metric]), ...judges])]
  const choose = (metric: string): void => {
    askServer('set-goal', { metric: metric === AS_LOGGED ? null : metric, lang })
      .then(() => {
        setProblem('')
        everythingMayHaveChanged()
      })
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
  }
  return (
    <>
      <Choice
        label={say('web.goal', {})}
        value={set?.metric ?? AS_LOGGED}
        choices={[[AS_LOGGED, say('web.goal.as-logged', {})], ...metrics.map(metric => [metric, metric] as const)]}
        onValue={choose}
      />
      {problem !== '' && <span role="alert">{problem}</span>}
    </>
  )
}

const AS_LOGGED = ''
