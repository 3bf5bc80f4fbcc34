import { Fragment } from 'react'
import type { Answers } from './api.js'
import { viewText } from './charts/lines.js'
import { Fold } from './fold.js'
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
            <p>
              <strong>{say('web.run.remedy', {})}</strong> {asSentence(remedy, language)}
            </p>
            <div className="finding-about">
              <code>{rule}</code>
              {from === to ? (
                <span>{say('web.run.step', { step: from })}</span>
              ) : (
                <button type="button" className="figure-origin" onClick={() => change({ x: viewText([from, to]) })}>
                  {say('web.run.steps', { from, to })}
                </button>
              )}
              <Fold id={`evidence ${rule} ${from}`} summary={say('web.run.evidence', {})}>
                {() => (
                  <>
                    <dl className="evidence">
                      {Object.entries(evidence).map(([name, value]) => (
                        <div key={name}>
                          <dt>{name}</dt>
                          <dd>{Array.isArray(value) ? shownList(value) : shownFigure(value)}</dd>
                        </div>
                      ))}
                    </dl>
                    {metrics.length > 0 && (
                      <p>
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
                  </>
                )}
              </Fold>
            </div>
          </div>
        </li>
      ))}
    </ol>
  )
}

const MOST_LISTED = 12

/** The first of a long list, and how many there are. */
function shownList(values: readonly unknown[]): string {
  const first = values.slice(0, MOST_LISTED).map(each => shownFigure(each))
  return values.length <= MOST_LISTED ? first.join(', ') : `${first.join(', ')} … (${values.length})`
}
