import { Blocks } from '../blocks.js'
import { change, hrefTo, usePlace } from '../location.js'
import { Link, Loading, ProblemBox, Prose, Scroll, Section, shownTime } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { SideChooser } from '../side-chooser.js'
import { siteIndex } from '../site.js'
import { SuggestedQuestions } from '../suggestions.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** The document for a colleague, made again from the logs: words and figures as the file has them, charts to work with. */

export function ReportPage() {
  const { query } = usePlace()
  const saved = query.get('saved')
  return saved === null ? <NewReport /> : <SavedReport key={saved} id={saved} />
}

/** As it was written, in the language it was written in. */
function SavedReport({ id }: { readonly id: string }) {
  const say = useSay()
  const { language } = useLanguage()
  const { answer, problem } = useAsk('saved-report', { id }, { keeps: true })
  return (
    <div className="page">
      <header className="page-head">
        <p className="crumbs">
          <Link href={hrefTo(['report'])}>{say('web.report.title', {})}</Link>
          <span>{answer?.file ?? id}</span>
        </p>
      </header>
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading rows={10} />}
      {answer !== null && (
        <>
          <p className="facts">
            <span>{say('web.report.saved-at', { time: shownTime(answer.at, language) })}</span>
            {answer.runs.length > 0 && (
              <Link href={hrefTo(['report'], { run: answer.runs, metric: answer.metric, margin: answer.margin })}>
                {say('web.report.anew', {})}
              </Link>
            )}
            {answer.study !== null && <Link href={hrefTo(['study', answer.study])}>{answer.study}</Link>}
            <Link
              href={hrefTo(['audit'], {
                report: answer.id,
                data: answer.study === null ? answer.runs : `${answer.study}/*`,
              })}
            >
              {say('web.report.audit', {})}
            </Link>
          </p>
          <article className="report" lang={answer.language === 'zh' ? 'zh-CN' : 'en'}>
            <h1 className="report-title">{answer.title}</h1>
            <Blocks blocks={answer.blocks} />
          </article>
        </>
      )}
    </div>
  )
}

function SavedReports() {
  const say = useSay()
  const { language } = useLanguage()
  const { answer } = useAsk('reports', {}, { touching: 'all', keeps: true })
  if (answer === null || siteIndex !== null) return null
  return (
    <Section title={say('web.report.saved', {})}>
      {answer.reports.length === 0 ? (
        <p className="muted">
          <Prose text={say('web.report.saved.none', {})} />
        </p>
      ) : (
        <Scroll label={say('web.report.saved', {})}>
          <table>
            <thead>
              <tr>
                <th>{say('web.report.col.title', {})}</th>
                <th>{say('web.report.col.about', {})}</th>
                <th>{say('web.report.col.file', {})}</th>
                <th>{say('web.report.col.written', {})}</th>
              </tr>
            </thead>
            <tbody>
              {answer.reports.map(({ id, title, study, runs, file, at, language: own }) => (
                <tr key={id}>
                  <td lang={own === 'zh' ? 'zh-CN' : 'en'}>
                    <Link href={hrefTo(['report'], { saved: id })}>{title}</Link>
                  </td>
                  <td>{study ?? runs.join(', ')}</td>
                  <td>
                    <code>{file}</code>
                  </td>
                  <td className="muted">{shownTime(at, language)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Section>
  )
}

function NewReport() {
  const say = useSay()
  const { query } = usePlace()
  const runs = query.getAll('run')
  const [metric, margin] = ['metric', 'margin'].map(name => query.get(name))
  const isEnded = query.has('ended')
  const request = { runs, ...(metric && { metric }), ...(margin && { margin }), ...(isEnded && { ended: true }) }
  const { answer, problem } = useAsk('report', runs.length === 0 ? null : request, { keeps: false })
  return (
    <div className="page">
      <header className="page-head">
        <h1>{say('web.report.title', {})}</h1>
      </header>
      <p className="lead">{say('web.report.about', {})}</p>
      <SideChooser sides={runs} placeholder={say('web.compare.side', {})} onSides={next => change({ run: next })} />
      {runs.length === 0 && <SuggestedQuestions page="report" />}
      {runs.length === 0 && <SavedReports />}
      {problem !== null && <ProblemBox problem={problem} />}
      {runs.length > 0 && answer === null && problem === null && <Loading rows={10} />}
      {answer !== null && (
        <article className="report">
          <h2 className="report-title">{answer.title}</h2>
          <Blocks blocks={answer.blocks ?? []} />
        </article>
      )}
    </div>
  )
}
