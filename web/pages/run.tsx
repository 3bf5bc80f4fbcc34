import { useMemo } from 'react'
import { meaningBlocks } from '../../src/core/present/meaning.js'
import { objectiveBlocks, objectiveTitle } from '../../src/core/present/objective.js'
import { count } from '../../src/text/numbers.js'
import { settingLabel } from '../../src/text/vocabulary.js'
import { AnnouncedStopOf } from '../announced-stops.js'
import type { Answers } from '../api.js'
import { Blocks, useSpeaker } from '../blocks.js'
import { PanelControls, usePanelSettings } from '../charts/panel-controls.js'
import { type Finding, Findings } from '../findings.js'
import { Fold } from '../fold.js'
import { GoalChoice } from '../goal-choice.js'
import { change, hrefTo, usePlace } from '../location.js'
import { NotThere } from '../not-there.js'
import { Note } from '../note.js'
import {
  asSentence,
  Field,
  Link,
  Loading,
  ProblemBox,
  Section,
  SeveritySign,
  StatusChip,
  shownFigure,
  shownTime,
} from '../parts.js'
import { PhoneFold } from '../phone-fold.js'
import { togglePicked, usePicked } from '../picked.js'
import { useNames } from '../picked-runs.js'
import { useLanguage } from '../preferences.js'
import { CheckpointSection } from '../run/checkpoints.js'
import { ForecastSection } from '../run/forecast.js'
import { MediaSection } from '../run/media.js'
import { FullCurve, Topics } from '../run/topics.js'
import { RunActions } from '../run-actions.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** One run: what is wrong with it beside its curves by topic, which checkpoint to take, settings, and whether the log is whole. */

type Shown = Answers['show']

export function RunPage({ id }: { readonly id: string }) {
  const say = useSay()
  const touching = useMemo(() => [id], [id])
  const shown = useAsk('show', { run: id, integrity: false }, { touching })
  const diagnosis = useAsk('diagnose', { runs: [id] }, { touching })
  const { query } = usePlace()
  const settings = usePanelSettings()
  const picked = usePicked()
  const others = picked.ids.filter(each => each !== id && !picked.hidden.has(each))
  const names = useNames(others)
  if (shown.answer === null) {
    return (
      <div className="page">
        {shown.problem === null ? <Loading rows={10} /> : <NotThere title={id} problem={shown.problem} page="runs" />}
      </div>
    )
  }
  const { run } = shown.answer
  const runs = [
    { id: run.id, name: run.name, look: 0 },
    ...others.map((other, i) => ({ id: other, name: names.get(other) ?? other, look: i + 1 })),
  ]
  const findings = diagnosis.answer?.findings ?? []
  const curves = { shown: shown.answer, runs, findings, settings }
  const full = query.get('full')
  if (full !== null) return <FullCurve metric={full} {...curves} />
  return (
    <div className="page">
      <RunHead shown={shown.answer} />
      <AnnouncedStopOf run={id} />
      <div className="run-body">
        <div className="run-curves">
          <FirstFinding findings={findings} />
          <PhoneFold label={say('web.axis', {})}>
            <PanelControls settings={settings} lacking={others.length === 0 ? lackingUnits(shown.answer) : []} />
          </PhoneFold>
          <Topics {...curves} />
        </div>
        <div className="run-findings" id="findings">
          {diagnosis.problem === null ? (
            <DiagnosisSection diagnosis={diagnosis.answer} />
          ) : (
            <ProblemBox problem={diagnosis.problem} />
          )}
        </div>
        <div className="run-curves">
          <GoalChoice runs={touching} />
          {(run.status === 'running' || run.status === 'unknown') && <ForecastSection id={id} />}
          <CheckpointSection id={id} />
          <MediaSection run={id} source={run.source} />
          <MeaningSection shown={shown.answer} />
          <ObjectiveSection shown={shown.answer} />
          <SettingsSection shown={shown.answer} />
          <OriginSection shown={shown.answer} />
        </div>
      </div>
    </div>
  )
}

/** What a log counts that can serve as an axis; src/app/ask/series.ts reads them. Whether it has time stamps only its points tell. */
const COUNTED = {
  tokens: ['tokens', 'tokens.total'],
  samples: ['samples', 'samples.generated', 'episodes'],
} as const

function lackingUnits({ metrics }: Shown): readonly ('tokens' | 'samples')[] {
  const logged = new Set(metrics.map(({ canonical, metric }) => canonical ?? metric))
  return (['tokens', 'samples'] as const).filter(unit => !COUNTED[unit].some(name => logged.has(name)))
}

function RunHead({ shown: { run } }: { readonly shown: Shown }) {
  const say = useSay()
  const { language } = useLanguage()
  const picked = usePicked()
  const isPicked = picked.ids.includes(run.id)
  const started = typeof run.about.startedAt === 'number' ? run.about.startedAt : null
  return (
    <header className="page-head run-head">
      <h1>{run.name}</h1>
      <div className="facts">
        <StatusChip status={run.status} />
        <span>{run.source}</span>
        <code>{run.id}</code>
        {run.steps !== null && <span>{say('web.run.steps', { from: run.steps[0], to: run.steps[1] })}</span>}
        <span>{say('web.run.metrics', { n: run.metrics })}</span>
        <span>{say('web.run.points', { n: count(run.points) })}</span>
        {started !== null && <span>{shownTime(started, language)}</span>}
        {run.tags.map(tag => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
        {run.duplicateOf !== null && (
          <Link href={hrefTo(['run', run.duplicateOf])}>{say('web.run.copy-of', { run: run.duplicateOf })}</Link>
        )}
      </div>
      <Note sides={[run.id]} known={run.note} />
      <div className="actions">
        <button type="button" aria-pressed={isPicked} onClick={() => togglePicked(picked, run.id)}>
          {say(isPicked ? 'web.run.picked' : 'web.run.pick', {})}
        </button>
        {run.samples > 0 && (
          <Link className="button" href={hrefTo(['samples'], { side: run.id })}>
            {say('web.rollouts.open', {})}
          </Link>
        )}
        <Link className="button" href={hrefTo(['report'], { run: run.id })}>
          {say('web.run.report', {})}
        </Link>
        <RunActions ids={[run.id]} />
      </div>
    </header>
  )
}

/** The most severe, where the findings do not stand beside the curves but below them. */
function FirstFinding({ findings }: { readonly findings: readonly Finding[] }) {
  const say = useSay()
  const { language } = useLanguage()
  const [first] = findings
  if (first === undefined) return null
  return (
    <p className="first-finding">
      <SeveritySign severity={first.severity} />
      <span>{asSentence(first.message, language)}</span>
      <button type="button" onClick={() => document.getElementById('findings')?.scrollIntoView()}>
        {say('web.run.all-findings', { n: findings.length })}
      </button>
    </p>
  )
}

function DiagnosisSection({ diagnosis }: { readonly diagnosis: Answers['diagnose'] | null }) {
  const say = useSay()
  if (diagnosis === null) {
    return (
      <Section title={say('web.run.findings', {})}>
        <Loading rows={8} />
      </Section>
    )
  }
  const { findings, notChecked, runs } = diagnosis
  return (
    <Section title={say('web.run.findings', {})}>
      {findings.length === 0 ? <p>{runs[0]?.silence}</p> : <Findings findings={findings} />}
      {notChecked.length > 0 && (
        <Fold id="not-checked" summary={say('web.run.not-checked', { n: notChecked.length })}>
          {() => (
            <dl className="pairs">
              {notChecked.map(({ rule, reason }) => (
                <div key={rule}>
                  <dt>
                    <code>{rule}</code>
                  </dt>
                  <dd>{reason}</dd>
                </div>
              ))}
            </dl>
          )}
        </Fold>
      )}
    </Section>
  )
}

/** What klens takes the scores and the parts of the reward for; all metrics in a fold. */
function MeaningSection({ shown: { metrics } }: { readonly shown: Shown }) {
  const say = useSay()
  const speaker = useSpeaker()
  return (
    <Section title={say('web.run.meaning', {})}>
      <div className="meaning">
        <Blocks blocks={meaningBlocks(metrics, speaker, { isFolded: true })} />
        <Fold id="all-meanings" summary={say('web.run.meaning.all', { n: metrics.length })}>
          {() => <Blocks blocks={meaningBlocks(metrics, speaker, { all: true })} />}
        </Fold>
      </div>
    </Section>
  )
}

/** The loss with this run's figures, the gradient of its KL, seeds, and what looks odd and is normal. */
function ObjectiveSection({ shown: { objective } }: { readonly shown: Shown }) {
  const speaker = useSpeaker()
  if (objective === null) return null
  return (
    <Section title={objectiveTitle(speaker)}>
      <Blocks blocks={objectiveBlocks(objective, speaker, { isFolded: true })} />
    </Section>
  )
}

function SettingsSection({ shown: { settings, run } }: { readonly shown: Shown }) {
  const say = useSay()
  const { language } = useLanguage()
  const { query } = usePlace()
  const filter = query.get('setting') ?? ''
  const fits = (...words: readonly string[]): boolean => words.join(' ').toLowerCase().includes(filter.toLowerCase())
  const raw = Object.entries(run.config)
  if (settings.length === 0 && raw.length === 0) return null
  return (
    <Section
      title={say('web.run.settings', {})}
      aside={
        <Field
          label={say('web.run.settings.search', {})}
          value={filter}
          onValue={text => change({ setting: text }, { replace: true })}
          isSearch
          width={180}
        />
      }
    >
      <table className="fixed">
        <thead>
          <tr>
            <th>{say('web.run.setting', {})}</th>
            <th>{say('web.run.configured', {})}</th>
            <th>{say('web.run.effective', {})}</th>
          </tr>
        </thead>
        <tbody>
          {settings
            .filter(({ key, rawKey }) => fits(settingLabel(key, language), key, rawKey ?? ''))
            .map(({ key, rawKey, configured, effective, reason }) => (
              <tr key={key} className={JSON.stringify(configured) === JSON.stringify(effective) ? '' : 'differs'}>
                <td title={rawKey ?? key}>{settingLabel(key, language)}</td>
                <td className="value">{shownFigure(configured)}</td>
                <td className="value">
                  {shownFigure(effective)}
                  {reason !== null && <p className="muted">{reason}</p>}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      {raw.length > 0 && (
        <Fold id="raw-settings" summary={say('web.run.settings.raw', { n: raw.length })}>
          {() => (
            <dl className="pairs">
              {raw
                .filter(([key]) => fits(key))
                .map(([key, value]) => (
                  <div key={key}>
                    <dt>
                      <code>{key}</code>
                    </dt>
                    <dd>{shownFigure(value)}</dd>
                  </div>
                ))}
            </dl>
          )}
        </Fold>
      )}
    </Section>
  )
}

/** Whether the log is whole takes long to tell where it is long; nothing else waits for it. */
function IntegritySection({ id }: { readonly id: string }) {
  const say = useSay()
  const { language } = useLanguage()
  const touching = useMemo(() => [id], [id])
  const { answer, problem } = useAsk('show', { run: id }, { touching, keeps: true })
  const sentences = answer === null ? [] : [...answer.integrity, ...answer.notes.map(({ note }) => note)]
  return (
    <Section title={say('web.run.integrity', {})}>
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading rows={2} />}
      {answer !== null && sentences.length === 0 && <p>{say('web.run.integrity.whole', {})}</p>}
      <ul className="sentences">
        {sentences.map(sentence => (
          <li key={sentence}>{asSentence(sentence, language)}</li>
        ))}
      </ul>
    </Section>
  )
}

function OriginSection({ shown: { run } }: { readonly shown: Shown }) {
  const say = useSay()
  const { lineage, files } = run
  const rows = [
    [say('web.run.parent', {}), lineage.parent?.path ?? lineage.parent?.contentHash],
    [say('web.run.reference', {}), lineage.reference?.path ?? lineage.reference?.contentHash],
    [say('web.run.data', {}), lineage.data],
    [say('web.run.code', {}), lineage.code],
    [say('web.run.file', {}), ...files.map(({ path, size }) => `${path} (${count(size)} B)`)],
  ].map(([name, ...values]) => [name, ...values.filter(value => value !== undefined)])
  return (
    <>
      <IntegritySection id={run.id} />
      <Section title={say('web.run.lineage', {})}>
        <dl className="pairs">
          {rows.map(
            ([name, ...values]) =>
              values.length > 0 && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    {values.map(value => (
                      <p key={value}>
                        <code>{value}</code>
                      </p>
                    ))}
                  </dd>
                </div>
              ),
          )}
        </dl>
      </Section>
    </>
  )
}
