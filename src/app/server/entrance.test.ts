import { chmodSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { ask } from '../ask/question.js'
import { askerAt, Entrance } from './entrance.js'
import { newToken, tokensIn } from './guard.js'
import { type Serving, serve } from './serve.js'

const HOUR_MS = 3600_000
const LONG = newToken()
const ALICE = tokensIn(`alice=alicetoken1,carol=${LONG}`, 'write')

/** A clock that the test moves. */
function entranceAt(tokens = () => ALICE) {
  let now = 1e12
  return { entrance: new Entrance(tokens, () => now), wait: (ms: number) => (now += ms) }
}

function sessionOf(entrance: Entrance, token = 'alicetoken1'): string {
  const opened = entrance.open(token, '10.0.0.1')
  return 'session' in opened ? opened.session : ''
}

describe('a session', () => {
  it('is not the token, and each is another', () => {
    const { entrance } = entranceAt()
    const [one, other] = [sessionOf(entrance), sessionOf(entrance)]
    expect(one).not.toBe(other)
    expect(one).not.toContain('alicetoken1')
    expect(entrance.visitor(one, '10.0.0.2')).toEqual({ right: 'write', name: 'alice' })
    // Nor does it open another.
    expect(entrance.open(one, '10.0.0.1')).toMatchObject({ status: 401 })
  })

  it('says nothing to another server, even one with the same tokens', () => {
    const session = sessionOf(entranceAt().entrance)
    expect(entranceAt().entrance.visitor(session, '10.0.0.1')).toMatchObject({ status: 401 })
  })

  it('ends 12 hours after it was last used, and after seven days at the latest', () => {
    const { entrance, wait } = entranceAt()
    const [used, unused] = [sessionOf(entrance), sessionOf(entrance)]
    for (let hours = 0; hours < 7 * 24; hours += 8) {
      expect(entrance.holds(used)).toBe(true)
      wait(8 * HOUR_MS)
    }
    expect(entrance.holds(unused)).toBe(false)
    wait(1)
    expect(entrance.holds(used)).toBe(false)
  })

  it('is ended by its owner: one by itself, all by their token', () => {
    const { entrance } = entranceAt()
    const [one, other, carols] = [sessionOf(entrance), sessionOf(entrance), sessionOf(entrance, LONG)]
    expect(entrance.end(one)).toBe(1)
    expect([one, other, carols].map(each => entrance.holds(each))).toEqual([false, true, true])
    expect(entrance.end('alicetoken1')).toBe(1)
    expect([one, other, carols].map(each => entrance.holds(each))).toEqual([false, false, true])
  })

  it('ends with the token that opened it', () => {
    let tokens = ALICE
    const { entrance } = entranceAt(() => tokens)
    const session = sessionOf(entrance)
    tokens = tokens.filter(({ name }) => name !== 'alice')
    expect(entrance.holds(session)).toBe(false)
  })
})

describe('wrong tokens', () => {
  it('are few for each address, whatever is right among them', () => {
    const { entrance, wait } = entranceAt()
    const guess = (token: string, address = '10.0.0.9') => {
      const visitor = entrance.visitor(token, address)
      return 'status' in visitor ? visitor.status : visitor.name
    }
    expect(Array.from({ length: 12 }, (_, k) => guess(`guess-${k}`))).toEqual([...Array(10).fill(401), 429, 429])
    expect(guess('alicetoken1')).toBe(429)
    expect(guess('alicetoken1', '10.0.0.8')).toBe('alice')
    wait(9000)
    expect(guess('alicetoken1')).toBe(429)
    wait(1000)
    expect(guess('alicetoken1')).toBe('alice')
    expect([guess('once more'), guess('and again')]).toEqual([401, 429])
  })

  it('hold up neither sessions, nor tokens that are too long to be guessed, nor those who show none', () => {
    const { entrance } = entranceAt()
    const session = sessionOf(entrance)
    for (let k = 0; k < 50; k += 1) entrance.visitor(`guess-${k}`, '10.0.0.9')
    expect(entrance.visitor(session, '10.0.0.9')).toMatchObject({ name: 'alice' })
    expect(entrance.visitor(LONG, '10.0.0.9')).toMatchObject({ name: 'carol' })
    expect(entrance.visitor('', '10.0.0.9')).toMatchObject({ status: 401 })
    // A page whose session has ended asks a dozen things at once.
    for (let k = 0; k < 50; k += 1) entrance.visitor(`session-ended-${k}`, '10.0.0.7')
    expect(entrance.visitor('alicetoken1', '10.0.0.7')).toMatchObject({ name: 'alice' })
  })

  it('are counted by network where a machine has many addresses', () => {
    expect(askerAt('::ffff:10.1.2.3')).toBe('10.1.2.3')
    expect(askerAt('2001:db8:1:2:aaaa::1')).toBe(askerAt('2001:db8:1:2:bbbb:cccc:0:2'))
    expect(askerAt('2001:db8:1:2::1')).not.toBe(askerAt('2001:db8:1:3::1'))
    expect(askerAt('2001:db8::1')).toBe('2001:db8:0:0')
  })
})

it('a token may be Base64, with or without a name', () => {
  const read = (text: string) => tokensIn(text, 'write').map(({ name, token }) => [name, token])
  expect(read('QUJDREVGR0g=')).toEqual([['write', 'QUJDREVGR0g=']])
  expect(read('QUJDREVGRw==')).toEqual([['write', 'QUJDREVGRw==']])
  expect(read('alice=QUJDREVGRw==,bob=c2VjcmV0cw')).toEqual([
    ['alice', 'QUJDREVGRw=='],
    ['bob', 'c2VjcmV0cw'],
  ])
})

describe('a server with a file of tokens', () => {
  async function started(file: string): Promise<string> {
    const workspace = await temporaryWorkspace()
    const stop = new AbortController()
    let ended: Promise<unknown> = Promise.resolve()
    onTestFinished(async () => {
      stop.abort()
      await ended.catch(() => {})
    })
    const { url } = await new Promise<Serving>((resolve, reject) => {
      ended = ask(workspace, serve, { port: 0, tokens: file }, { signal: stop.signal, onProgress: resolve })
      ended.catch(reject)
    })
    return url
  }

  function tokenFile(text: string): string {
    const path = join(temporaryFolder(), 'tokens')
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }

  function status(url: string, bearer: string): Promise<number> {
    const headers = { authorization: `Bearer ${bearer}` }
    return fetch(`${url}/api/run-table`, { headers }).then(response => response.status)
  }

  it('asks for one on loopback too, and goes by what the file says now', async () => {
    const file = tokenFile('# the team\nwrite alice=alicetoken1\nread bob=QUJDREVGRw==\n')
    const url = await started(file)
    expect(await status(url, '')).toBe(401)
    expect(await status(url, 'QUJDREVGRw==')).toBe(200)
    const opened = await fetch(`${url}/api/session`, { method: 'POST', body: JSON.stringify({ token: 'alicetoken1' }) })
    const { session } = (await opened.json()) as { readonly session: string }
    expect(await status(url, session)).toBe(200)
    const events = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${session}` } })
    const heard = events.text().catch(() => 'cut off')

    writeFileSync(file, 'read bob=QUJDREVGRw==\nwrite dave=dave-is-new\n')
    await vi.waitFor(async () => expect(await status(url, session)).toBe(401), { timeout: 20_000, interval: 200 })
    expect(await status(url, 'alicetoken1')).toBe(401)
    expect(await status(url, 'dave-is-new')).toBe(200)
    expect(await status(url, 'QUJDREVGRw==')).toBe(200)
    // Also what she was listening to, before the next word is said.
    const tagged = {
      method: 'POST',
      headers: { authorization: 'Bearer dave-is-new' },
      body: '{"step":1,"loss":2}\n'.repeat(3),
    }
    await fetch(`${url}/api/upload?name=a.jsonl`, tagged)
    expect(await heard).toBe('cut off')
  })

  it('does not start with one that others can read, or with a line that is none', async () => {
    const open = tokenFile('write alice=alicetoken1\n')
    chmodSync(open, 0o644)
    await expect(started(open)).rejects.toMatchObject({ sentence: { key: 'tokens.open' } })
    await expect(started(tokenFile('write alice=short\n'))).rejects.toMatchObject({ sentence: { key: 'tokens.line' } })
    await expect(started(tokenFile('alice=alicetoken1\n'))).rejects.toMatchObject({ sentence: { key: 'tokens.line' } })
  })

  it('answers while more connections than it keeps say nothing', async () => {
    const url = await started(tokenFile('write alice=alicetoken1\n'))
    const port = Number(new URL(url).port)
    const silent = await Promise.all(
      Array.from({ length: 1100 }, async () => {
        const socket = connect(port, '127.0.0.1').on('error', () => {})
        await new Promise(resolve => socket.once('connect', resolve))
        return socket
      }),
    )
    onTestFinished(() => {
      for (const socket of silent) socket.destroy()
    })
    for (let turn = 0; turn < 5; turn += 1) expect(await status(url, 'alicetoken1')).toBe(200)
  })
})
