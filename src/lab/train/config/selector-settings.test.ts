import { expect, it } from 'vitest'
import { outsideAmong } from './selector-settings.js'

it('knows a setting that names a file or a server, however it is written', () => {
  const hostile = [
    ['data.train=/etc/passwd', 'data.train'],
    [' data.train =/etc/passwd', 'data.train'],
    ['data={"train": "/etc/passwd"}', 'data'],
    ['llm={url: http://10.0.0.1}', 'llm'],
    ['llm.url=http://10.0.0.1', 'llm.url'],
    ['llm.cache_dir=/tmp', 'llm.cache_dir'],
  ]
  for (const [word, key] of hostile) expect(outsideAmong(['kl.loss.coef=0', word])).toBe(key)
  expect(outsideAmong(['data.draw=7', 'kl={loss: {coef: 0.1}}', 'epochs.grpo=1', '=x', ''])).toBeNull()
})
