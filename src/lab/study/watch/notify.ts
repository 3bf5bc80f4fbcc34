import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'

/**
 * Where alerts go, and what each service wants to be sent. An address is a secret: whoever has it can write to the room.
 * So it is named by a variable of the environment, `slack=TEAM_HOOK`, and never by itself; a secret to sign with is in
 * the variable of the same name with `_SECRET` at its end.
 */
interface Target {
  readonly kind: Kind
  /** The variable, which may be printed. */
  readonly variable: string
  readonly address: string
  readonly secret: string | null
}

interface Alert {
  readonly text: string
  /** What happened, for programs. */
  readonly event: object
}

interface Post {
  readonly address: string
  readonly body: object
}

const say = sentences({
  'notify.bad': {
    en: '"{given}" is not a place to notify; write KIND=VARIABLE, where KIND is one of {kinds} and VARIABLE an environment variable with the address',
    zh: '“{given}”不是通知目标；应写作 KIND=VARIABLE，KIND 为 {kinds} 之一，VARIABLE 为保存地址的环境变量名',
  },
  'notify.unset': {
    en: 'the variable {variable} is not set, so there is no address to notify',
    zh: '环境变量 {variable} 未设置，没有可通知的地址',
  },
  'notify.no-address': {
    en: 'the variable {variable} does not contain an http or https address',
    zh: '环境变量 {variable} 的内容不是 http 或 https 地址',
  },
  'notify.failed': {
    en: 'the alert to {variable} could not be sent: {reason}',
    zh: '发往 {variable} 的通知未能送出：{reason}',
  },
  'hook.empty': { en: 'the command is empty', zh: '命令为空，无法执行' },
  'hook.unfinished': { en: 'the command {command} ends inside quotes', zh: '命令 {command} 的引号没有闭合' },
})

const SENDERS = {
  webhook: ({ address }: Target, { text, event }: Alert): Post => ({ address, body: { text, ...event } }),
  slack: ({ address }: Target, { text }: Alert): Post => ({ address, body: { text: escapedForSlack(text) } }),
  lark: ({ address, secret }: Target, { text }: Alert, now: number): Post => {
    const timestamp = String(Math.floor(now / 1000))
    const sign = secret === null ? {} : { timestamp, sign: hmac(`${timestamp}\n${secret}`, '') }
    return { address, body: { ...sign, msg_type: 'text', content: { text } } }
  },
  dingtalk: ({ address, secret }: Target, { text }: Alert, now: number): Post => ({
    address: secret === null ? address : signedAddress(address, secret, now),
    body: { msgtype: 'text', text: { content: text } },
  }),
  wecom: ({ address }: Target, { text }: Alert): Post => ({
    address,
    body: { msgtype: 'text', text: { content: text } },
  }),
} as const

type Kind = keyof typeof SENDERS

export function targetFrom(given: string, environment: NodeJS.ProcessEnv): Target {
  const [kind, variable = ''] = given.split('=', 2)
  if (!isKind(kind) || !/^[A-Za-z_]\w*$/.test(variable)) {
    // Somebody who typed the address itself must not read it again in a log.
    const shown = /:\/\//.test(given) ? `${kind.slice(0, 20)}=…` : given
    throw new Problem('bad-request', say('notify.bad', { given: shown, kinds: Object.keys(SENDERS).join(', ') }))
  }
  const address = environment[variable]
  if (address === undefined || address === '') throw new Problem('bad-request', say('notify.unset', { variable }))
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new Problem('bad-request', say('notify.no-address', { variable }))
  }
  return { kind, variable, address, secret: environment[`${variable}_SECRET`] || null }
}

export function postFor(target: Target, alert: Alert, now: number): Post {
  return SENDERS[target.kind](target, alert, now)
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(SENDERS, text)
}

/** A run's name must not ring everybody in the room. */
function escapedForSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function signedAddress(address: string, secret: string, now: number): string {
  const url = new URL(address)
  url.searchParams.set('timestamp', String(now))
  url.searchParams.set('sign', hmac(secret, `${now}\n${secret}`))
  return url.href
}

function hmac(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64')
}

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

interface NotifierOptions {
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

/**
 * A program of the user's that is told what happened: one event as JSON on its standard input. It is started as it is,
 * without a shell, so that nothing in an event or in a run's name can become a command.
 */

/** Words as a person quotes them; nothing else means anything: no variables, no stars, no pipes. */
export function wordsOf(command: string): readonly string[] {
  const words: string[] = []
  let [word, quote]: [string | null, string | null] = [null, null]
  for (const letter of command) {
    if (quote !== null) {
      if (letter === quote) quote = null
      else word = (word ?? '') + letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      word ??= ''
    } else if (/\s/.test(letter)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + letter
  }
  if (quote !== null) throw new Problem('bad-request', say('hook.unfinished', { command }))
  if (word !== null) words.push(word)
  if (words.length === 0) throw new Problem('bad-request', say('hook.empty', {}))
  return words
}

/** The exit code, or the name of what went wrong. */
export function runHook(command: readonly string[], event: object): Promise<number | string> {
  const [program, ...rest] = command
  return new Promise(resolve => {
    const child = spawn(program, rest, { shell: false, stdio: ['pipe', 'inherit', 'inherit'] })
    child.on('error', error => resolve(error.message))
    child.on('close', code => resolve(code ?? 'killed'))
    // A program that does not read is none of our business.
    child.stdin.on('error', () => {})
    child.stdin.end(`${JSON.stringify(event)}\n`)
  })
}
