import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { z } from 'zod'
import { type Benchmark, type Figures, sizeOf } from './benchmark.js'
import { ROOT } from './generate.js'
import { listedWorkspace } from './make-workspace.js'

/** What an assistant waits for, and how much it has to read: every tool over a workspace of many runs. */
export const assistants: Benchmark = {
  name: 'assistants',
  about: 'every tool of klens mcp over many runs; size in runs, 10,000',
  async run(settings) {
    const workspace = await listedWorkspace(sizeOf(settings, 10_000), { metrics: 25, steps: 60 })
    const client = new Client({ name: 'bench', version: '1' })
    const env = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', KLENS_HOME: workspace.root }
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [join(ROOT, 'bin', 'klens.js'), 'mcp'], env }),
    )
    const rows: Figures[] = []
    for (const [name, members] of ASKED) rows.push(await asked(client, name, members))
    await client.close()
    return { title: 'assistants', rows }
  },
}

const REWARD = { metric: 'reward.mean' }

const ASKED: readonly (readonly [string, Record<string, unknown>])[] = [
  ['runs', {}],
  ['runs', { search: 'kl-9', from: 40 }],
  ['show', { run: 'kl-77' }],
  ['compare', { sides: ['kl-1', 'kl-2'] }],
  ['diagnose', { runs: ['kl-5'] }],
  ['diagnose', { runs: ['kl-12*'] }],
  ['checkpoints', { run: 'kl-5', ...REWARD }],
  ['sweep', { runs: ['kl-12*'], ...REWARD }],
  ['frontier', { runs: ['kl-12*'], ...REWARD }],
  ['forecast', { run: 'kl-8', ...REWARD }],
  ['plan', { difference: 0.02, sides: ['kl-1'], ...REWARD }],
  ['decide', { runs: ['kl-12*'], ...REWARD }],
  ['goal', { runs: ['kl-12*'] }],
  ['origin', { run: 'kl-5', step: 10, ...REWARD }],
  ['audit', { texts: [{ name: 'r.md', text: 'kl-5 reached 0.99.' }], data: ['kl-12*'] }],
  ['decide', REWARD],
  ['diagnose', { runs: ['*'] }],
]

const resultSchema = z.object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) })
const MOST_CHARACTERS = 4000

async function asked(client: Client, name: string, members: Record<string, unknown>): Promise<Figures> {
  const start = performance.now()
  const { content, isError = false } = resultSchema.parse(await client.callTool({ name, arguments: members }))
  const seconds = (performance.now() - start) / 1000
  const characters = content[0].text.length
  if (characters > MOST_CHARACTERS) throw new Error(`${name} answered with ${characters} characters`)
  return { what: `${name} ${JSON.stringify(members)}`, seconds, characters, refused: isError ? 'yes' : '' }
}
