import { describe, expect, it } from 'vitest'
import { render } from '../../../text/sentences.js'
import { endingEvents, newEnding, noteLine, noteStepAfter } from './ending.js'

/** What is said of a console that printed these lines last. Ray's prefix is split off, as the readers do. */
function endOf(text: string): { readonly status: string; readonly said: string } | null {
  const ending = newEnding()
  for (const line of text.split('\n')) {
    const [, process = '', body = ''] = /^(\([^)]*pid=\d+\) ?)?(.*)$/.exec(line) ?? []
    if (/^step:\d/.test(body)) noteStepAfter(ending)
    else noteLine(ending, body, process)
  }
  const [event] = endingEvents(ending)
  if (event?.type !== 'status') return null
  return { status: event.status, said: event.reason === undefined ? '' : render(event.reason, 'en') }
}

const TRACEBACK = `Traceback (most recent call last):
  File "/opt/verl/trainer/main_ppo.py", line 42, in <module>
    main()
    ^^^^^^
ValueError: validation batch size must divide 5`

describe('a console that ends', () => {
  it('in a traceback has failed, with the error that closes it', () => {
    expect(endOf(`step:3 - loss:1\n${TRACEBACK}`)).toEqual({
      status: 'failed',
      said: 'it ended in an error: ValueError: validation batch size must divide 5',
    })
  })

  it('in a chain of tracebacks is told by the last, through the chatter of other processes', () => {
    const text = `(TaskRunner pid=7) Traceback (most recent call last):
(WorkerDict pid=8) INFO loading
(TaskRunner pid=7)   File "a.py", line 1, in f
(TaskRunner pid=7) KeyError: 'uid'
(TaskRunner pid=7)${' '}
(TaskRunner pid=7) During handling of the above exception, another exception occurred:
(TaskRunner pid=7)${' '}
(TaskRunner pid=7) Traceback (most recent call last):
(TaskRunner pid=7)   File "b.py", line 2, in g
(TaskRunner pid=7) ray.exceptions.RayTaskError(RuntimeError): ray::fit() (pid=7)
(TaskRunner pid=7)   File "c.py", line 3, in h
(TaskRunner pid=7) RuntimeError: worker died
(WorkerDict pid=8) INFO shutting down`
    expect(endOf(text)?.said).toBe('it ended in an error: RuntimeError: worker died')
  })

  it.each([
    ['torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.', 'it ran out of memory: '],
    ['slurmstepd: error: Detected 1 oom_kill event in StepId=12.0.', 'it ran out of memory: '],
    [
      'torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1970, unhandled system error',
      'communication between the processes failed: ',
    ],
    [
      '[rank3]:[E1115 04:30:00] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12)',
      'communication between the processes failed: ',
    ],
  ])('in "%s" has failed', (line, said) => {
    expect(endOf(`step:83 - loss:1\n${line}`)).toEqual({ status: 'failed', said: `${said}${line}` })
  })

  it.each([
    'slurmstepd: error: *** JOB 4711 ON node3 CANCELLED AT 2026-11-15T04:30:00 DUE TO TIME LIMIT ***',
    'Killed',
    'run.sh: line 12: 3112 Killed                  python train.py',
    'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyboardInterrupt',
  ])('in "%s" was killed', text => {
    expect(endOf(`step:83 - loss:1\n${text}`)?.status).toBe('killed')
  })

  it('keeps the cause when other processes only report that a process died', () => {
    const text = `CUDA out of memory. Tried to allocate 2.00 GiB.\nFatal Python error: Aborted\nAborted (core dumped)`
    expect(endOf(text)?.said).toMatch(/^it ran out of memory/)
  })

  it('with further steps has not failed', () => {
    expect(endOf(`${TRACEBACK}\nstep:4 - loss:1`)).toBeNull()
  })

  it('with words about errors has not failed', () => {
    expect(endOf('step:1 - error_rate:0.5\nINFO: 0 errors, 3 warnings\nretrying after Killed worker')).toBeNull()
  })
})

it('takes a failure back once the run goes on', () => {
  const ending = newEnding()
  noteLine(ending, 'Killed', '')
  expect(endingEvents(ending)).toHaveLength(1)
  noteStepAfter(ending)
  expect(endingEvents(ending)).toEqual([{ type: 'status', status: 'unknown' }])
  expect(endingEvents(ending)).toEqual([])
})

it('is not slowed down by a line of a million bytes', () => {
  const ending = newEnding()
  noteLine(ending, 'Traceback (most recent call last):', '')
  for (const text of ['Error'.repeat(200_000), `x${'.a'.repeat(500_000)}`, 'Killed '.repeat(150_000)]) {
    noteLine(ending, text, '')
  }
  expect(endingEvents(ending)).toEqual([])
})
