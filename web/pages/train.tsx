import { type FormEvent, useId, useState } from 'react'
import type { Job } from '../../src/app/server/jobs.js'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import { type Answers, askServer, ServerProblem, stopJob } from '../api.js'
import { go, hrefTo } from '../location.js'
import { Field, Link, Loading, ProblemBox, Section, shownFigure, shownTime } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useSession } from '../session.js'
import { useAsk, useJobs } from '../use-ask.js'
import { type Say, useSay } from '../words.js'

/** Start a training, or one for each of several values, from a form that is made of the trainer's own schema; watch and stop it. */

type Setting = Answers['train-settings']['settings'][number]

export function TrainPage() {
  const say = useSay()
  const { right } = useSession()
  const { answer, problem } = useAsk('train-settings', {})
  return (
    <div className="page">
      <header className="page-head">
        <h1>{say('web.train.title', {})}</h1>
      </header>
      {right !== 'write' && <p className="warning-line">{say('web.train.read-only', {})}</p>}
      <JobList />
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading rows={8} />}
      {answer !== null && right === 'write' && (
        <TrainForm settings={answer.settings.filter(({ outside }) => !outside)} />
      )}
    </div>
  )
}

/** The task that needs neither files nor a server. */
const TASK = 'digits'
const ASKED_APART = new Set(['name', 'seed', 'task'])

function TrainForm({ settings }: { readonly settings: readonly Setting[] }) {
  const say = useSay()
  const { language } = useLanguage()
  const [name, setName] = useState('')
  const [seeds, setSeeds] = useState('1')
  const [filter, setFilter] = useState('')
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map())
  const [question, setQuestion] = useState('')
  const [problem, setProblem] = useState<ServerProblem | null>(null)
  const isStudy = question.trim() !== ''
  const start = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const given = [...values].filter(([, value]) => value.trim() !== '')
    const isList = (value: string): boolean => value.includes(',')
    const settings = {
      task: TASK,
      lang: language,
      set: given.filter(([, value]) => !isList(value)).map(([key, value]) => `${key}=${value.trim()}`),
      over: given.filter(([, value]) => isList(value)).map(([key, value]) => `${key}=${value.replaceAll(' ', '')}`),
    }
    const list = seeds.replaceAll(' ', '')
    const called = name.trim() === '' ? {} : { name: name.trim() }
    try {
      if (isStudy) {
        await askServer('study-begin', { ...settings, ...called, question: question.trim(), seeds: list })
        go(hrefTo(['study']))
      } else await askServer('train', { ...settings, ...called, seed: list })
      setProblem(null)
    } catch (error) {
      setProblem(error instanceof ServerProblem ? error : new ServerProblem(0, 'internal', String(error)))
    }
  }
  const shown = settings.filter(
    ({ key, label, about }) =>
      !ASKED_APART.has(key) && `${key} ${label} ${about}`.toLowerCase().includes(filter.toLowerCase()),
  )
  const groups = groupBy(shown, ({ key }) => key.split('.')[0])
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
        {values.size > 0 && <span className="muted">{say('web.train.changed', { n: values.size })}</span>}
      </div>
      {problem !== null && <ProblemBox problem={problem} />}
      <header className="section-head">
        <h2>{say('web.train.settings', {})}</h2>
        <div className="section-aside">
          <Field label={say('web.train.filter', {})} value={filter} onValue={setFilter} isSearch width={180} />
        </div>
      </header>
      {[...groups].map(([group, members]) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {members.map(setting => (
            <SettingField
              key={setting.key}
              setting={setting}
              value={values.get(setting.key) ?? ''}
              onValue={value => {
                const next = new Map(values)
                if (value === '') next.delete(setting.key)
                else next.set(setting.key, value)
                setValues(next)
              }}
            />
          ))}
        </fieldset>
      ))}
    </form>
  )
}

function SettingField({
  setting: { key, label, about, kind, choices, initial },
  value,
  onValue,
}: {
  readonly setting: Setting
  readonly value: string
  readonly onValue: (value: string) => void
}) {
  const say = useSay()
  const hint = hintOf(say, initial)
  const id = useId()
  const known = kind === 'flag' ? ['true', 'false'] : choices
  return (
    <label className={`setting${value === '' ? '' : ' changed'}`} title={about} htmlFor={id}>
      <span>
        {label === key ? <code>{key}</code> : label}
        {label !== key && <code>{key}</code>}
      </span>
      {known.length > 0 ? (
        <select id={id} value={value} onChange={event => onValue(event.target.value)}>
          <option value="">{hint}</option>
          {known.map(choice => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          value={value}
          placeholder={hint}
          inputMode={kind === 'number' || kind === 'whole' ? 'decimal' : 'text'}
          spellCheck={false}
          onChange={event => onValue(event.target.value)}
        />
      )}
    </label>
  )
}

/** Most settings that are not set leave something to the trainer; a list is written as the field takes it. */
function hintOf(say: Say, initial: Setting['initial']): string {
  if (initial === null || initial === undefined || (Array.isArray(initial) && initial.length === 0))
    return say('web.train.unset', {})
  return say('web.train.default', {
    value: Array.isArray(initial) ? initial.map(each => shownFigure(each)).join(', ') : shownFigure(initial),
  })
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
