import type { Answers } from './api.js'
import { asSentence, SeveritySign, shownFigure } from './parts.js'
import { useLanguage } from './preferences.js'
import { useSay } from './words.js'

/** What is wrong, since when, how sure and what to do. */

export type Finding = Answers['diagnose']['findings'][number]

export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const say = useSay()
  const { language } = useLanguage()
  return (
    <ol className="findings">
      {findings.map(({ rule, severity, steps: [from, to], message, remedy, evidence }) => (
        <li key={`${rule} ${from} ${message}`}>
          <SeveritySign severity={severity} />
          <div>
            <p className="finding-message">{asSentence(message, language)}</p>
            <p className="finding-about">
              <code>{rule}</code>{' '}
              {from === to ? say('web.run.step', { step: from }) : say('web.run.steps', { from, to })}
            </p>
            <p>
              <strong>{say('web.run.remedy', {})}</strong> {asSentence(remedy, language)}
            </p>
            <dl className="evidence">
              {Object.entries(evidence)
                .slice(0, 8)
                .map(([name, value]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>
                      {Array.isArray(value)
                        ? value
                            .slice(0, 6)
                            .map(each => shownFigure(each))
                            .join(', ')
                        : shownFigure(value)}
                    </dd>
                  </div>
                ))}
            </dl>
          </div>
        </li>
      ))}
    </ol>
  )
}
