import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/workspace.js'
import { openResponseCache } from './cache.js'
import { openEndpoint } from './endpoint.js'

test('an answer that cannot be used is not kept, so that the same question is asked again', async () => {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    const content = asked < 3 ? 'well, who knows' : '{"covered": []}'
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const folder = temporaryFolder()
    const ask = () =>
      openEndpoint({ url, model: 'judge' }, openResponseCache(folder))([{ role: 'user', content: 'which?' }], text =>
        text.startsWith('{'),
      )
    const replies = [await ask(), await ask(), await ask(), await ask()]
    expect(replies.map(reply => reply.kind === 'answer' && reply.text.startsWith('{'))).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(asked).toBe(3)
  } finally {
    server.close()
  }
})
