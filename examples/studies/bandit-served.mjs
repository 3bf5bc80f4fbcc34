/**
 * What stands around a training in bandit-served.yaml, each part a program of its own as it would be for a language model:
 * `merge` makes of a checkpoint what can be served, `serve` answers prompts with it, `judge` scores answers, `evaluate` asks
 * both and writes a score for each prompt.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'

const REWARDS = [0.2, 0.3, 0.4, 0.5, 0.8]
const PROMPTS = 50

const [task, ...words] = process.argv.slice(2)
const text = { type: 'string' }
const { values } = parseArgs({
  args: words,
  options: { port: text, checkpoint: text, policy: text, judge: text, out: text },
})

/** The same number for the same text, between 0 and 1. */
function drawnFor(key) {
  let hash = 2166136261
  for (const character of key) hash = Math.imul(hash ^ character.codePointAt(0), 16777619)
  return (Math.imul(hash ^ (hash >>> 15), 2246822507) >>> 0) / 4294967296
}

function listen(answer) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost')
    response.end(JSON.stringify(pathname === '/health' ? 'ready' : answer(searchParams)))
  })
  server.listen(Number(values.port), '127.0.0.1')
}

async function ask(url, question) {
  const response = await fetch(`${url}/?${new URLSearchParams(question)}`)
  return response.json()
}

const tasks = {
  merge() {
    const { logits } = JSON.parse(readFileSync(values.checkpoint, 'utf8'))
    const weights = logits.map(Math.exp)
    const sum = weights.reduce((a, b) => a + b)
    writeFileSync(values.out, JSON.stringify(weights.map(weight => weight / sum)))
  },
  serve() {
    const policy = JSON.parse(readFileSync(values.policy, 'utf8'))
    listen(question => {
      let left = drawnFor(`prompt ${question.get('prompt')}`)
      return policy.findIndex(probability => {
        left -= probability
        return left < 0
      })
    })
  },
  judge: () => listen(question => REWARDS[Number(question.get('action'))] ?? 0),
  async evaluate() {
    const lines = []
    for (let prompt = 0; prompt < PROMPTS; prompt += 1) {
      const action = await ask(values.policy, { prompt })
      const score = await ask(values.judge, { prompt, action })
      lines.push(JSON.stringify({ id: `prompt-${prompt}`, score, output: `action ${action}` }))
    }
    writeFileSync(values.out, `${lines.join('\n')}\n`)
  },
}

await tasks[task]()
