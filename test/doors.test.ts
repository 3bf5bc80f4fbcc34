import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../src/app/ask/question.js'
import { type Serving, serve } from '../src/app/server/serve.js'
import type { CompareAnswer } from '../src/core/analysis/compare/result.js'
import type { Block } from '../src/core/present/blocks.js'
import { comparisonBlocks } from '../src/core/present/comparison.js'
import { speakerIn } from '../src/core/present/speaker.js'
import { verdictBlock } from '../src/core/present/verdict.js'
import { openWorkspace, type Workspace } from '../src/core/store/workspace.js'
import { seededRandom } from '../src/stats/random.js'
import { jsonInside, klensInside } from './cli-inside.js'
import { writeLab, writeLearnedLab } from './support/labs.js'
import { sharedFolder } from './workspace.js'

/**
 * One question, one answer: what is asked on the command line, of the API, for a report or on the page gets the same
 * answer, estimate, interval, tags, data sets and number of seeds.
 */
const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))

/** By a name that the compiler does not follow: pages are compiled for browsers, and by themselves. */
const PAGE = new URL('../web/blocks.tsx', import.meta.url).pathname

interface Given {
  /** Writes logs into a folder, or says where they lie. */
  readonly logs: (folder: string) => readonly string[]
  readonly sides: readonly [baseline: string, other: string]
  /** What the settings of the two differ in, where a config tells. */
  readonly over?: string
}

interface MadeUp {
  readonly sets: { readonly [metric: string]: number }
  readonly beta?: number
}

/** Logs of made-up runs, whose scores climb to their levels; with a config where a coefficient is given. */
function madeUp(folder: string, runs: { readonly [name: string]: MadeUp }): readonly string[] {
  for (const [name, { sets, beta }] of Object.entries(runs)) {
    const random = seededRandom([...name].reduce((sum, letter) => 31 * sum + letter.charCodeAt(0), 7) % 65_521)
    const rows = Array.from({ length: 40 }, (_, i) => {
      const scores = Object.entries(sets).map(([metric, level]) => [
        metric,
        level * (1 - Math.exp(-i / 8)) + 0.02 * random.normal(),
      ])
      return JSON.stringify({ step: 5 * (i + 1), data: Object.fromEntries(scores) })
    })
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'metrics.jsonl'), `${rows.join('\n')}\n`)
    if (beta === undefined) continue
    const actor = { use_kl_loss: beta > 0, kl_loss_coef: beta }
    writeFileSync(join(folder, name, 'config.json'), JSON.stringify({ actor_rollout_ref: { actor } }))
  }
  return [folder]
}

const learned = (lab: 'letters' | 'vowels', dialect: 'trl' | 'renamed' | 'verl') => (folder: string) => {
  const groups = ['beta-0.0', 'beta-0.3']
  writeLearnedLab(folder, lab, dialect, ({ group, seed }) => groups.includes(group) && seed < 'seed3')
  return [folder]
}

const lab =
  (name: 'addition' | 'sorting', ...groups: readonly string[]) =>
  (folder: string) => {
    writeLab(
      folder,
      name,
      ({ group, seed }) => groups.includes(group) && seed < (name === 'sorting' ? 'seed2' : 'seed3'),
    )
    return [folder]
  }

const TWO_SETS = (aime: number, gsm8k: number) => ({
  'val-core/aime/acc/mean@32': aime,
  'val-core/gsm8k/acc/mean@1': gsm8k,
  'critic/rewards/mean': 0.5,
})

const WORKSPACES: { readonly [name: string]: Given } = {
  'two runs of verl': { logs: () => [join(EXAMPLES, 'userrl-intentiongym')], sides: ['no-kl', 'kl'] },
  'a learned reward in TRL': {
    logs: learned('letters', 'trl'),
    sides: ['beta-0.0/*', 'beta-0.3/*'],
    over: 'kl.loss.coef',
  },
  'a learned reward without telling names': {
    logs: learned('letters', 'renamed'),
    sides: ['beta-0.3/*', 'beta-0.0/*'],
    over: 'kl.loss.coef',
  },
  'a learned reward in verl': {
    logs: learned('letters', 'verl'),
    sides: ['beta-0.0/*', 'beta-0.3/*'],
    over: 'kl.loss.coef',
  },
  'another learned reward': {
    logs: learned('vowels', 'renamed'),
    sides: ['beta-0.0/*', 'beta-0.3/*'],
    over: 'kl.loss.coef',
  },
  'a lab with per-prompt scores': { logs: lab('addition', 'kl-0.0', 'kl-0.3'), sides: ['kl-0.0/*', 'kl-0.3/*'] },
  'single runs of a lab': { logs: lab('addition', 'kl-0.0', 'kl-0.1'), sides: ['kl-0.0/seed0', 'kl-0.1/seed0'] },
  'a lab with three validation sets': { logs: lab('sorting', 'kl-0.0', 'kl-0.1'), sides: ['kl-0.0/*', 'kl-0.1/*'] },
  'two sets that disagree': {
    logs: folder => madeUp(folder, { one: { sets: TWO_SETS(0.3, 0.8) }, two: { sets: TWO_SETS(0.4, 0.7) } }),
    sides: ['one', 'two'],
  },
  'two sets that agree': {
    logs: folder => madeUp(folder, { one: { sets: TWO_SETS(0.3, 0.7) }, two: { sets: TWO_SETS(0.4, 0.8) } }),
    sides: ['one', 'two'],
  },
  'one seed of each setting': {
    logs: folder =>
      madeUp(folder, {
        without: { sets: { 'val-core/a/reward/mean@1': 0.6 }, beta: 0 },
        with: { sets: { 'val-core/a/reward/mean@1': 0.605 }, beta: 0.1 },
      }),
    sides: ['without', 'with'],
    over: 'kl.loss.coef',
  },
  'negative scores': {
    logs: folder => madeUp(folder, { low: { sets: { 'val/reward': -2 } }, high: { sets: { 'val/reward': -1.7 } } }),
    sides: ['low', 'high'],
  },
  'nothing but a loss': {
    logs: folder => madeUp(folder, { first: { sets: { eval_loss: 1.2 } }, second: { sets: { eval_loss: 1.1 } } }),
    sides: ['first', 'second'],
  },
}

let renderPage: (blocks: readonly Block[]) => string
beforeAll(async () => {
  const { Blocks }: { Blocks: FunctionComponent<{ readonly blocks: readonly Block[] }> } = await import(
    /* @vite-ignore */ PAGE
  )
  renderPage = blocks => renderToStaticMarkup(createElement(Blocks, { blocks }))
})

describe.each(Object.entries(WORKSPACES))('every door: %s', (_, { logs, sides, over }) => {
  const folder = sharedFolder()
  const stop = new AbortController()
  let workspace: Workspace
  let serving: Serving
  let ended: Promise<unknown>
  let compared: CompareAnswer

  beforeAll(async () => {
    const imported = await klensInside(folder, ['import', ...logs(join(folder, 'logs'))])
    expect(imported.code).toBe(0)
    compared = await jsonInside(folder, ['compare', ...sides])
    workspace = await openWorkspace(join(folder, '.klens'), {})
    serving = await new Promise((resolve, reject) => {
      ended = ask(workspace, serve, { port: 0 }, { signal: stop.signal, onProgress: resolve })
      ended.catch(reject)
    })
  })
  afterAll(async () => {
    stop.abort()
    await ended
    await workspace.close()
  })

  async function ofServer<Answer>(question: string, request: object): Promise<Answer> {
    const response = await fetch(`${serving.url}/api/${question}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    expect(response.status).toBe(200)
    return (await response.json()) as Answer
  }

  it('gives one comparison to the terminal, scripts, reports, the page and the API', async () => {
    expect(await ofServer('compare', { sides })).toEqual(compared)
    const facts = factsOf(compared)
    expect(facts.length).toBeGreaterThan(2)
    await klensInside(folder, ['report', ...sides, '--output', 'report.md'])
    await klensInside(folder, ['report', ...sides, '--output', 'report.html'])
    const doors = {
      terminal: (await klensInside(folder, ['compare', ...sides])).out,
      markdown: readFileSync(join(folder, 'report.md'), 'utf8')
        .replaceAll(/\\([^\w\s])/g, '$1')
        .replaceAll('&lt;', '<'),
      html: textOf(readFileSync(join(folder, 'report.html'), 'utf8')),
      page: textOf(renderPage(comparisonBlocks(compared, speakerIn('en'), {}))),
    }
    for (const [door, text] of Object.entries(doors)) {
      expect({ door, missing: facts.filter(fact => !plain(text).includes(plain(fact))) }).toEqual({ door, missing: [] })
    }
  })

  it('decides by what was compared', async () => {
    const { judged, next } = await jsonInside<Decided>(folder, ['decide', ...sides])
    const expected = compared.verdicts[compared.headline.verdict]
    // Which of the two is called the baseline is decide's choice.
    const isTurned = Math.sign(judged?.verdict.estimate ?? 0) !== Math.sign(Number(expected.estimate))
    expect(judged?.verdict).toMatchObject({
      metric: expected.metric,
      answer: isTurned ? (TURNED[expected.answer] ?? expected.answer) : expected.answer,
      tags: expected.tags,
    })
    expect(Math.abs(judged?.verdict.estimate ?? 0)).toBeCloseTo(Math.abs(Number(expected.estimate)), 9)
    expect(widthOf(judged?.verdict.interval)).toBeCloseTo(widthOf(expected.interval), 9)
    const seeds = compared.sides.map(({ runs }) => runs.length)
    expect(judged?.seeds.toSorted()).toEqual(seeds.toSorted())
    if (Math.min(...seeds) === 1) expect(next).not.toEqual([])
  })

  if (over !== undefined) {
    it('sweeps to the same verdict', async () => {
      const swept = await jsonInside<Swept>(folder, ['sweep', ...sides, '--over', over])
      expect(await ofServer('sweep', { runs: sides, over: [over] })).toEqual(swept)
      const expected = compared.verdicts[compared.headline.verdict]
      expect(swept.metric).toBe(expected.metric)
      const pair = swept.verdicts.find(({ estimate }) => estimate !== null)
      expect(Math.abs(Number(pair?.estimate))).toBeCloseTo(Math.abs(Number(expected.estimate)), 6)
    })
  }
})

interface Decided {
  readonly judged: {
    readonly verdict: Pick<CompareAnswer['verdicts'][number], 'metric' | 'answer' | 'tags'> & {
      readonly estimate: number | null
      readonly interval: readonly [number, number] | null
    }
    readonly seeds: readonly number[]
  } | null
  readonly next: readonly unknown[]
}

interface Swept {
  readonly metric: string
  readonly verdicts: readonly { readonly estimate: number | null }[]
}

const TURNED: { readonly [answer: string]: string } = {
  better: 'worse',
  worse: 'better',
  higher: 'lower',
  lower: 'higher',
}

function widthOf(interval: readonly unknown[] | null | undefined): number {
  return interval == null ? 0 : Number(interval[1]) - Number(interval[0])
}

/** What every door must state: the answer, its size, its interval, its caveats, the seeds, every data set. */
function factsOf(answer: CompareAnswer): readonly string[] {
  const speaker = speakerIn('en')
  const { headline, verdicts, judgedBy } = answer
  const { sentence, difference, reasons, tags } = verdictBlock(verdicts[headline.verdict], speaker)
  const size = typeof difference?.size === 'object' && 'figure' in difference.size ? [difference.size.figure] : []
  const interval = difference?.interval ?? null
  return [
    sentence,
    ...size,
    ...(interval === null ? [] : [interval]),
    ...reasons,
    ...tags.map(({ text }) => text),
    ...headline.sets.map(({ metric }) => metric),
    judgedBy.sentence,
  ]
}

function textOf(html: string): string {
  const entities: { readonly [name: string]: string } = {
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    '#39': "'",
    '#x27': "'",
  }
  return html
    .replaceAll(/<style[\s\S]*?<\/style>|<[^>]+>/g, ' ')
    .replaceAll(/&([#\w]+);/g, (whole, name) => entities[name] ?? whole)
}

/** Compared without case, white space and the signs of markup: a sentence may begin a line in one door only. */
function plain(text: string): string {
  return text.replaceAll(/[\s*`|\\.]+/g, '').toLowerCase()
}
