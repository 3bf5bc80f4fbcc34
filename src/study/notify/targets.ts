import { createHmac } from 'node:crypto'
import { Problem } from '../../model/problem.js'
import { sentences } from '../../text/sentences.js'

/**
 * Where alerts go, and what each service wants to be sent. An address is a secret: whoever has it can write to the room.
 * So it is named by a variable of the environment, `slack=TEAM_HOOK`, and never by itself; a secret to sign with is in
 * the variable of the same name with `_SECRET` at its end.
 */
export interface Target {
  readonly kind: Kind
  /** The variable, which may be printed. */
  readonly variable: string
  readonly address: string
  readonly secret: string | null
}

export interface Alert {
  readonly text: string
  /** What happened, for programs. */
  readonly event: object
}

export interface Post {
  readonly address: string
  readonly body: object
}

const say = sentences({
  'notify.bad': {
    en: '"{given}" names no place to notify; it is KIND=VARIABLE, where KIND is one of {kinds} and VARIABLE a variable of the environment that holds the address',
    zh: '“{given}”不是通知目标；应写作 KIND=VARIABLE，KIND 为 {kinds} 之一，VARIABLE 为保存地址的环境变量名',
  },
  'notify.unset': {
    en: 'the variable {variable} is not set, so there is no address to notify',
    zh: '环境变量 {variable} 未设置，没有可通知的地址',
  },
  'notify.no-address': {
    en: 'what the variable {variable} holds is no http or https address',
    zh: '环境变量 {variable} 的内容不是 http 或 https 地址',
  },
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

export type Kind = keyof typeof SENDERS

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
