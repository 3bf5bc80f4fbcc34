import { setTimeout as pause } from 'node:timers/promises'
import type { Message } from '../../model/run.js'
import { sentences } from '../../text/sentences.js'
import { type Alert, postFor, type Target } from './targets.js'

/**
 * Sends alerts one after the other, each tried again when the service is down or busy, and never faster than services
 * allow: what waits meanwhile is sent as one. An alert that cannot be sent is said, without its address; it never
 * disturbs what is being watched.
 */
export interface Notifier {
  send(alert: Alert): void
  /** Waits until all has been sent, or given up. */
  settle(): Promise<void>
}

const say = sentences({
  'notify.failed': {
    en: 'the alert to {variable} could not be sent: {reason}',
    zh: '发往 {variable} 的通知未能送出：{reason}',
  },
})

export interface NotifierOptions {
  readonly remark: (remark: Message) => void
  readonly fetch?: typeof fetch
  readonly betweenMs?: number
  readonly retryMs?: readonly number[]
}

const BETWEEN_MS = 5_000
const RETRY_MS = [1_000, 5_000, 20_000]
const TIMEOUT_MS = 10_000
const LONGEST_WAIT_MS = 60_000
const MOST_LINES = 20

export function notifierFor(target: Target, options: NotifierOptions): Notifier {
  const { remark, betweenMs = BETWEEN_MS } = options
  let waiting: Alert[] = []
  let working: Promise<void> | null = null
  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      const alert = together(waiting)
      waiting = []
      const problem = await deliver(target, alert, options)
      if (problem !== null) remark(say('notify.failed', { variable: target.variable, reason: problem }))
      if (waiting.length > 0) await pause(betweenMs)
    }
    working = null
  }
  return {
    send(alert) {
      waiting.push(alert)
      working ??= pause(0).then(work)
    },
    settle: async () => {
      while (working !== null) await working
    },
  }
}

function together(alerts: readonly Alert[]): Alert {
  if (alerts.length === 1) return alerts[0]
  const lines = alerts.slice(-MOST_LINES).map(({ text }) => text)
  const left = alerts.length - lines.length
  return {
    text: [...(left > 0 ? [`… +${left}`] : []), ...lines].join('\n'),
    event: { events: alerts.map(({ event }) => event) },
  }
}

/** Null when it arrived, else why not. */
async function deliver(target: Target, alert: Alert, { fetch: send = fetch, retryMs = RETRY_MS }: NotifierOptions) {
  for (let attempt = 0; ; attempt += 1) {
    const wait = retryMs[attempt]
    const { address, body } = postFor(target, alert, Date.now())
    try {
      const reply = await send(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await reply.body?.cancel()
      if (reply.ok) return null
      const isPassing = reply.status === 429 || reply.status >= 500
      if (!isPassing || wait === undefined) return `HTTP ${reply.status}`
      const asked = Number(reply.headers.get('retry-after')) * 1000
      await pause(Math.min(asked > 0 ? asked : wait, LONGEST_WAIT_MS))
    } catch (error) {
      // The message of a failed fetch may hold the address; its kind tells enough.
      if (wait === undefined) return error instanceof Error ? error.name : 'error'
      await pause(wait)
    }
  }
}
