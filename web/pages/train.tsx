import { type FormEvent, useState } from 'react'
import type { Job } from '../../src/app/server/jobs.js'
import { askServer, ServerProblem, stopJob } from '../api.js'
import { go, hrefTo } from '../location.js'
import { Field, Link, Loading, ProblemBox, Section, shownFigure, shownTime } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useSession } from '../session.js'
import { useAsk, useJobs } from '../use-ask.js'
import { useSay } from '../words.js'

/** Start a training, or one for each of several values, and watch and stop it. What can be set is listed below the form. */

export function TrainPage() {
  const say = useSay()
  const { right } = useSession()
  return (
    <div className="page">
      <header className="page-head">
        <h1>{say('web.train.title', {})}</h1>
      </header>
      {right !== 'write' && <p className="warning-line">{say('web.train.read-only', {})}</p>}
      <JobList />
      {right === 'write' && <TrainForm />}
      <SettingsList />
    </div>
  )
}

/** The task that needs neither files nor a server. */
const TASK = 'digits'

function TrainForm() {
  const say = useSay()
  const { language } = useLanguage()
  const [name, setName] = useState('')
  const [seeds, setSeeds] = useState('1')
  const [question, setQuestion] = useState('')
  const [lines, setLines] = useState('')
  const [problem, setProblem] = useState<ServerProblem | null>(null)
  const isStudy = question.trim() !== ''
  const start = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const given = lines.split('\n').flatMap(line => line.replaceAll(' ', '') || [])
    const settings = {
      task: TASK,
      lang: language,
      set: given.filter(line => !line.includes(',')),
      over: given.filter(line => line.includes(',')),
      ...(name.trim() !== '' && { name: name.trim() }),
    }
    const list = seeds.replaceAll(' ', '')
    try {
      if (isStudy) {
        await askServer('study-begin', { ...settings, question: question.trim(), seeds: list })
        go(hrefTo(['study']))
      } else await askServer('train', { ...settings, seed: list })
      setProblem(null)
    } catch (error) {
      setProblem(error instanceof ServerProblem ? error : new ServerProblem(0, 'internal', String(error)))
    }
  }
  return (
    <form className="train-form" onSubmit={event => void start(event)}>
      <p className="lead">{say('web.train.about', {})}</p>
      <div className="controls">
        <Field label={say('web.train.name', {})} value={name} onValue={setName} width={200} />
        <Field label={say('web.train.seeds', {})} value={seeds} onValue={setSeeds} width={100} />
        <Field label={say('web.train.question', {})} value={question} onValue={setQuestion} width={280} />
        <button type="submit" className="primary">
          {say(isStudy ? 'web.train.start-study' : 'web.train.start', {})}
        </button>
      </div>
      <label className="field">
        <span>{say('web.train.settings', {})}</span>
        <textarea
          rows={5}
          value={lines}
          placeholder={EXAMPLE}
          spellCheck={false}
          onChange={event => setLines(event.target.value)}
        />
      </label>
      {problem !== null && <ProblemBox problem={problem} />}
    </form>
  )
}

const EXAMPLE = 'kl.loss.coef=0, 0.1\nepochs.grpo=20'

function SettingsList() {
  const say = useSay()
  const [filter, setFilter] = useState('')
  const { answer, problem } = useAsk('train-settings', {})
  const fitting = (answer?.settings ?? []).filter(({ key, label, about }) =>
    `${key} ${label} ${about}`.toLowerCase().includes(filter.toLowerCase()),
  )
  return (
    <Section
      title={say('web.train.all', {})}
      aside={<Field label={say('web.train.filter', {})} value={filter} onValue={setFilter} isSearch width={180} />}
    >
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading rows={8} />}
      <dl className="pairs">
        {fitting.map(({ key, about, initial, choices }) => (
          <div key={key}>
            <dt>
              <code>{key}</code>
            </dt>
            <dd>
              {about} {choices.length > 0 && `${choices.join(' | ')}. `}
              <span className="muted">
                {initial !== null && say('web.train.default', { value: shownFigure(initial) })}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function JobList() {
  const say = useSay()
  const jobs = useJobs()
  return (
    <Section title={say('web.train.jobs', {})}>
      {jobs.length === 0 && <p className="muted">{say('web.train.jobs.none', {})}</p>}
      <ul className="jobs">
        {jobs.map(job => (
          <JobLine key={job.id} job={job} />
        ))}
      </ul>
    </Section>
  )
}

function StudyLink({ name }: { readonly name: string }) {
  return <Link href={hrefTo(['study', name])}>{name}</Link>
}

/** An event of a training; only what is shown here is looked at. */
interface TrainingEvent {
  readonly event?: string
  readonly trial?: string | null
  readonly report?: { readonly epoch: number; readonly metrics: { readonly [name: string]: number } }
  readonly end?: { readonly run: string | null }
}

function JobLine({ job }: { readonly job: Job }) {
  const say = useSay()
  const { language } = useLanguage()
  const { right } = useSession()
  // The server passes on what the trainer says; the shape is the trainer's.
  const events = job.told as readonly TrainingEvent[]
  const asked = job.request as { readonly name?: string }
  const last = events.findLast(each => each.event === 'epoch')
  const runs = events.flatMap(each => (each.event === 'end' && each.end?.run ? [each.end.run] : []))
  const score = last?.report?.metrics['val.score']
  return (
    <li>
      <span className={`job-state ${job.state}`}>{say(`web.train.state.${job.state}`, {})}</span>
      <span>{shownTime(job.began, language)}</span>
      {asked.name !== undefined &&
        (job.question === 'train' ? <span>{asked.name}</span> : <StudyLink name={asked.name} />)}
      {last?.report !== undefined && (
        <span>
          {last.trial} {say('web.train.epochs', { epoch: last.report.epoch })}
          {score !== undefined && ` · ${shownFigure(score)}`}
        </span>
      )}
      {runs.map(run => (
        <Link key={run} href={hrefTo(['run', run])}>
          {run}
        </Link>
      ))}
      {job.error !== null && <span className="problem-text">{job.error}</span>}
      {job.state === 'running' && right === 'write' && (
        <button type="button" onClick={() => void stopJob(job.id)}>
          {say('web.train.stop', {})}
        </button>
      )}
    </li>
  )
}
