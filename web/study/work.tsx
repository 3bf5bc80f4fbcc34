import { useState } from 'react'
import type { Job } from '../../src/app/server/jobs.js'
import type { StudyStep } from '../../src/logs/model/study/answers.js'
import { count } from '../../src/text/numbers.js'
import { type Answers, askServer, stopJob } from '../api.js'
import { everythingMayHaveChanged } from '../live.js'
import { useSession } from '../session.js'
import { useJobs } from '../use-ask.js'
import { type Say, useSay } from '../words.js'

/** How far the study has come, who works on it, and for whoever may write: go on, settle, stop. */

type Study = Answers['study']

export function StudyWork({ study }: { readonly study: Study }) {
  const say = useSay()
  const { right } = useSession()
  const [problem, setProblem] = useState('')
  const job = useJobs().find(each => isOf(each, study.study)) ?? null
  const isWorking = job?.state === 'running' || study.work.process !== null || study.work.jobs > 0
  const trials = study.cells.filter(({ table, state }) => table === '' && state !== 'dropped')
  const done = trials.filter(({ state }) => state === 'done' || state === 'suspicious').length
  const attempt = (asked: Promise<unknown>): void => {
    asked.then(
      () => {
        setProblem('')
        everythingMayHaveChanged()
      },
      error => setProblem(String(error.message)),
    )
  }
  const start = (what: 'run' | 'settle') => (): void => attempt(askServer('study-start', { name: study.study, what }))
  const stop = (): void =>
    attempt(job?.state === 'running' ? stopJob(job.id) : askServer('study-halt', { name: study.study }))
  const isSettled = study.settle?.others.every(({ verdict }) => verdict !== null) ?? false
  return (
    <div className="study-work">
      <progress value={done} max={Math.max(1, trials.length)} aria-label={say('web.study.progress', {})} />
      <span>{say('web.study.trials-done', { done: count(done), planned: count(trials.length) })}</span>
      <span role="status">{workText(say, study, job, isWorking)}</span>
      {right === 'write' && (
        <span className="actions">
          {isWorking && study.work.process !== 'elsewhere' && (
            <button type="button" onClick={stop}>
              {say('web.study.stop', {})}
            </button>
          )}
          {!isWorking && done < trials.length && (
            <button type="button" className="primary" onClick={start('run')}>
              {say('web.study.go-on', { n: count(trials.length - done) })}
            </button>
          )}
          {!isWorking && study.canSettle && !isSettled && (
            <button type="button" onClick={start('settle')}>
              {say('web.study.settle-it', {})}
            </button>
          )}
        </span>
      )}
      {job?.error != null && <p className="problem-text">{job.error}</p>}
      {problem !== '' && (
        <p className="problem-text" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

/** The newest first, so that what is found is the last that was begun. */
function isOf({ question, request }: Job, study: string): boolean {
  // The server passes on what was asked; of these questions it has a name.
  return question.startsWith('study-') && (request as { readonly name?: unknown }).name === study
}

function workText(say: Say, { work }: Study, job: Job | null, isWorking: boolean): string {
  if (!isWorking) {
    // Of those that have ended, only what was cut short is news.
    return job?.state === 'stopped' ? say('web.study.stopped', {}) : ''
  }
  if (job?.state !== 'running') {
    if (work.process === 'elsewhere') return say('web.study.works-elsewhere', {})
    return work.process === 'here' ? say('web.study.works-here', {}) : say('web.study.handed-over', { n: work.jobs })
  }
  // The shape is that of the question's own progress.
  const step = (job.told as readonly StudyStep[]).at(-1)
  switch (step?.event) {
    case 'begun':
      return say('web.study.step.begun', { trial: step.trial })
    case 'epoch':
      return say('web.study.step.epoch', { trial: step.trial, epoch: step.epoch })
    case 'ended':
      return say(step.isFailed ? 'web.study.step.failed' : 'web.study.step.ended', { trial: step.trial })
    case 'evaluated':
      return say('web.study.step.evaluated', { done: step.done, total: step.total })
    case 'dropped':
      return say('web.study.step.dropped', { arm: step.arm })
    case 'look':
      return say('web.study.step.look', { arm: step.arm, n: step.seeds ?? step.prompts ?? 0 })
    default:
      return say('web.study.working', {})
  }
}
