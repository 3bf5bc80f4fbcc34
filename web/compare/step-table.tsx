import { differenceTitle, rowDecimals, rowDifference } from '../../src/core/present/comparison.js'
import { fixed } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { useSpeaker } from '../blocks.js'
import { useFold } from '../fold.js'
import { OriginLink, type OriginPoint } from '../origin-link.js'
import { Scroll } from '../parts.js'
import { useSay } from '../words.js'

/** The numbers themselves: each step that all sides share, each with where it was logged. */

type Comparison = Answers['compare']

export const FIRST_ROWS = 12

export function StepTable({ answer }: { readonly answer: Comparison }) {
  const say = useSay()
  const speaker = useSpeaker()
  const { table, sides } = answer
  const [isAll, setIsAll] = useFold('steps')
  const shown = isAll ? table.rows : table.rows.slice(0, FIRST_ROWS)
  const decimals = rowDecimals(shown)
  return (
    <>
      <Scroll label={say('web.compare.table', {})}>
        <table className="numbers">
          <thead>
            <tr>
              <th>{say('web.compare.step', {})}</th>
              {sides.map(({ label }) => (
                <th key={label}>{label}</th>
              ))}
              <th>{differenceTitle(answer, speaker)}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ step, values, diff }) => (
              <tr key={step}>
                <td>{step}</td>
                {values.map((value, i) => (
                  <td key={i}>
                    {value === null ? (
                      '–'
                    ) : (
                      <OriginLink points={pointsOf(sides[i], step)} what={`${sides[i].label} @${step}`}>
                        {fixed(Number(value), decimals)}
                      </OriginLink>
                    )}
                  </td>
                ))}
                <td>{rowDifference({ step, values, diff }, decimals) || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {table.total > FIRST_ROWS && (
        <button type="button" onClick={() => setIsAll(!isAll)}>
          {isAll ? say('web.run.fewer-panels', {}) : say('web.run.more-panels', { n: table.total - FIRST_ROWS })}
        </button>
      )}
    </>
  )
}

/** One of each run behind the side. */
function pointsOf({ runs, metric }: Comparison['sides'][number], step: number): readonly OriginPoint[] {
  return runs.map(run => ({ run, metric, step }))
}
