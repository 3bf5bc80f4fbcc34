import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { render } from '../../../text/sentences.js'
import { notifierFor, postFor, targetFrom } from './notify.js'

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A service that answers with these codes in turn, the last one for ever. */
async function service(...codes: readonly number[]) {
  const bodies: unknown[] = []
  let asked = 0
  const server = createServer((request, reply) => {
    let text = ''
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      const code = codes[Math.min(asked, codes.length - 1)]
      asked += 1
      if (code === 200) bodies.push(JSON.parse(text))
      reply.writeHead(code, code === 429 ? { 'retry-after': '0.01' } : {}).end('{}')
    })
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-room`
  return { address, bodies, asked: () => asked }
}

async function sent(codes: readonly number[], texts: readonly string[], kind = 'webhook') {
  const { address, bodies, asked } = await service(...codes)
  const remarks: string[] = []
  const target = targetFrom(`${kind}=HOOK`, { HOOK: address })
  const notifier = notifierFor(target, {
    remark: remark => remarks.push(render(remark, 'en')),
    betweenMs: 1,
    retryMs: [1, 1],
  })
  for (const text of texts) notifier.send({ text, event: { event: 'end' } })
  await notifier.settle()
  return { bodies, remarks, asked: asked() }
}

describe('an alert', () => {
  it('arrives once, after a service that was busy and broken', async () => {
    const { bodies, remarks, asked } = await sent([429, 503, 200], ['done'])
    expect(bodies).toEqual([{ text: 'done', event: 'end' }])
    expect([remarks, asked]).toEqual([[], 3])
  })

  it('waits for its turn and goes with the others', async () => {
    const { bodies } = await sent([200], ['one', 'two', 'three'])
    expect(bodies).toEqual([
      { text: 'one\ntwo\nthree', events: [{ event: 'end' }, { event: 'end' }, { event: 'end' }] },
    ])
  })

  it('that cannot be sent is said without the address', async () => {
    const refused = await sent([404], ['done'])
    expect(refused.remarks).toEqual(['the alert to HOOK could not be sent: HTTP 404'])
    expect(refused.asked).toBe(1)
    const down = await sent([500], ['done'])
    expect(down.remarks).toEqual(['the alert to HOOK could not be sent: HTTP 500'])
    expect(down.asked).toBe(3)
    const target = targetFrom('slack=HOOK', { HOOK: 'http://127.0.0.1:9/secret-room' })
    const remarks: string[] = []
    const nobody = notifierFor(target, { remark: remark => remarks.push(render(remark, 'en')), retryMs: [] })
    nobody.send({ text: 'x', event: {} })
    await nobody.settle()
    expect(remarks.join()).toContain('HOOK')
    expect(remarks.join()).not.toContain('secret-room')
  })
})

describe('a place to notify', () => {
  const alert = { text: 'run <!channel> & co', event: {} }

  it('gets what its service reads, signed where there is a secret', () => {
    const environment = { HOOK: 'https://hooks.example/x?token=1', HOOK_SECRET: 'SEC' }
    const post = (kind: string) => postFor(targetFrom(`${kind}=HOOK`, environment), alert, 1_700_000_000_123)
    expect(post('slack').body).toEqual({ text: 'run &lt;!channel&gt; &amp; co' })
    expect(post('wecom').body).toEqual({ msgtype: 'text', text: { content: alert.text } })
    const ding = new URL(post('dingtalk').address)
    expect(ding.searchParams.get('token')).toBe('1')
    expect(ding.searchParams.get('timestamp')).toBe('1700000000123')
    expect(ding.searchParams.get('sign')).toBe('JAZy9Uq81Yr1Y+a6f9W0sf2UPnxJG+1FSZ21g9nsxwo=')
    expect(post('lark').body).toMatchObject({
      timestamp: '1700000000',
      msg_type: 'text',
      content: { text: alert.text },
    })
  })

  it('is named by a variable, and an address that was typed is not repeated', () => {
    expect(() => targetFrom('slack=https://hooks.example/secret', {})).toThrow(/notify.bad(?!.*secret)/)
    expect(() => targetFrom('pigeon=HOOK', {})).toThrow(/notify.bad/)
    expect(() => targetFrom('slack=HOOK', {})).toThrow(/notify.unset/)
    expect(() => targetFrom('slack=HOOK', { HOOK: 'file:///etc/passwd' })).toThrow(/notify.no-address/)
  })
})
