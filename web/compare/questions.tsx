import { metricLabel } from '../../src/text/vocabulary.js'
import type { Answers } from '../api.js'
import { asSentence, Section } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { differenceText, intervalText } from '../verdict.js'
import { useSay } from '../words.js'
import { aboutOne } from './judged.js'

/** Every other question about a side: its level at the end, speed, steadiness, cost, and the other validation sets. */

type Comparison = Answers['compare']
type OtherSide = Comparison['others'][number]

export function Questions({ answer, other }: { readonly answer: Comparison; readonly other: OtherSide }) {
  const say = useSay()
  const { language } = useLanguage()
  const headline = answer.verdicts[other.headline]
  const verdicts = [
    ...other.verdicts
      .filter(at => at !== other.headline)
      .map(at => answer.verdicts[at])
      .filter(({ question }) => question !== 'cost'),
    ...other.costs.map(at => answer.costs[at]).filter(({ estimate }) => estimate !== null),
  ]
  const title = aboutOne(answer, say('web.compare.other-questions', {}), other)
  return (
    <Section title={title}>
      <table className="stack questions">
        <tbody>
          {verdicts.map(verdict => (
            <tr key={`${verdict.question} ${verdict.metric}`}>
              <td>
                {verdict.question === 'cost'
                  ? metricLabel(verdict.metric, language)
                  : say(`question.${verdict.question === 'trend' ? 'level' : verdict.question}`, {})}
                {verdict.metric !== headline.metric && verdict.question !== 'cost' && <code>{verdict.metric}</code>}
              </td>
              <td>
                <span className={`answer ${verdict.answer}`}>{say(`answer.${verdict.answer}`, {})}</span>
              </td>
              <td className="number">
                {verdict.estimate === null || verdict.question === 'stability' || verdict.question === 'speed'
                  ? ''
                  : differenceText(verdict)}
              </td>
              <td>{verdict.question === 'stability' ? '' : intervalText(say, verdict)}</td>
              <td className="muted">
                {verdict.reasons.map(reason => asSentence(reason, language)).join(language === 'zh' ? '' : ' ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {other.sets.length > 1 && (
        <>
          <h3>{say('web.compare.sets', {})}</h3>
          <ul className="sets">
            {other.sets.map(({ metric, answer: said }) => (
              <li key={metric}>
                <code>{metric}</code> <span className={`answer ${said}`}>{say(`answer.${said}`, {})}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
