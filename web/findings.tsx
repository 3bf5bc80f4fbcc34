import { Fragment } from 'react'
import type { Answers } from './api.js'
import { viewText } from './charts/lines.js'
import { change } from './location.js'
import { OriginLink } from './origin-link.js'
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
      {findings.map(({ rule, run, severity, steps: [from, to], message, remedy, evidence, metrics }) => (
        <li key={`${rule} ${from} ${message}`}>
          <SeveritySign severity={severity} />
          <div>
            <p className="finding-message">{asSentence(message, language)}</p>
            <p className="finding-about">
              <code>{rule}</code>{' '}
              <button type="button" className="figure-origin" onClick={() => change({ x: viewText([from, to]) })}>
                {from === to ? say('web.run.step', { step: from }) : say('web.run.steps', { from, to })}
              </button>
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
            {metrics.length > 0 && (
              <p className="finding-about">
                {say('web.run.read-from', {})}{' '}
                {metrics.map((metric, i) => (
                  <Fragment key={metric}>
                    {i > 0 && ', '}
                    <OriginLink points={[{ run, metric, step: from, to }]} what={metric}>
                      {metric}
                    </OriginLink>
                  </Fragment>
                ))}
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}
