import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { compare } from '../src/app/ask/compare.js'
import { report } from '../src/app/ask/report.js'
import type { CompareAnswer } from '../src/core/analysis/compare/result.js'
import type { Block } from '../src/core/present/blocks.js'
import { comparisonBlocks } from '../src/core/present/comparison.js'
import { blocksHtml } from '../src/core/present/html.js'
import { blocksMarkdown } from '../src/core/present/markdown.js'
import { speakerIn } from '../src/core/present/speaker.js'
import { terminalLines } from '../src/core/present/terminal.js'
import { verdictBlock } from '../src/core/present/verdict.js'
import { importLogs } from '../src/core/store/ingest.js'
import { openWorkspace, type Workspace } from '../src/core/store/workspace.js'
import { seededRandom } from '../src/stats/random.js'
import type { Language } from '../src/text/language.js'
import { answerTo } from './ask.js'
import { readLab } from './support/labs.js'
import { sharedFolder } from './workspace.js'

/** Whatever renders an answer states the same figures, tags and caveats: there is one presentation. */

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))

/** By a name that the compiler does not follow: pages are compiled for browsers, and by themselves. */
const PAGE = new URL('../web/blocks.tsx', import.meta.url).pathname

type PageBlocks = FunctionComponent<{ readonly blocks: readonly Block[] }>

interface Made {
  readonly level: number
  readonly noise?: number
  readonly every?: number
  readonly steps?: number
  /** What each step remembers of the noise of the one before. */
  readonly memory?: number
  readonly sets?: readonly string[]
  readonly tokens?: number
}

/** A log as verl writes it, whose score climbs to its level. */
function log(folder: string, name: string, made: Made): void {
  const { level, noise = 0.02, every = 5, steps = 300, memory = 0, sets = ['val/reward'], tokens = 1000 } = made
  const random = seededRandom([...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0))
  const wobble = sets.map(() => 0)
  const rows = Array.from({ length: steps / every }, (_, i) => {
    const step = (i + 1) * every
    const scores = sets.map((set, k) => {
      wobble[k] = memory * wobble[k] + noise * random.normal()
      return [set, level * (1 + 0.1 * k) + wobble[k]] as const
    })
    return JSON.stringify({
      step,
      'perf/total_num_tokens': tokens,
      'timing_s/step': 10 + 0.1 * random.normal(),
      ...Object.fromEntries(scores),
    })
  })
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, 'metrics.jsonl'), `${rows.join('\n')}\n`)
}

/** Runs of a lab, of whose data only the score is taken. */
function packedLab(folder: string, lab: 'addition' | 'sorting', groups: readonly string[]): void {
  for (const { group, seed, metrics } of readLab(lab).filter(run => groups.includes(run.group))) {
    const score = [...metrics].find(([name]) => name.startsWith('val-core'))
    if (score === undefined) continue
    const { steps, values } = score[1]
    const rows = Array.from(steps, (step, i) => JSON.stringify({ step, [score[0]]: values[i] }))
    mkdirSync(join(folder, `${lab}-${group}`, seed), { recursive: true })
    writeFileSync(join(folder, `${lab}-${group}`, seed, 'metrics.jsonl'), `${rows.join('\n')}\n`)
  }
}

const CASES: { readonly [name: string]: { readonly sides: readonly string[]; readonly [option: string]: unknown } } = {
  'two real runs with a margin': { sides: ['no-kl', 'kl'], margin: '5%' },
  'real replicates': { sides: ['kl-0.0/*', 'kl-0.3/*'] },
  'real single runs': { sides: ['kl-0.0/seed0', 'kl-0.1/seed0'], all: true },
  'three real sides': { sides: ['kl-0.0/*', 'kl-0.1/*', 'kl-0.3/*'], margin: '0.01' },
  'checkpoints of one run': { sides: ['kl-0.0/seed0@100', 'kl-0.0/seed0@400'] },
  'checkpoints of two runs': { sides: ['kl-0.0/seed0@400', 'kl-0.3/seed0@400'] },
  'a lab of additions': { sides: ['addition-kl-0.01/*', 'addition-ent-only/*'] },
  'a lab of sorting': { sides: ['sorting-kl-0.0/*', 'sorting-kl-0.1/*'] },
  'negative scores that wander': { sides: ['minus-two', 'minus-less'] },
  'a window': { sides: ['minus-two', 'minus-less'], window: '50:200' },
  'several sets': { sides: ['sets-low', 'sets-high'] },
  'unlike rhythms': { sides: ['tens', 'fifteens'] },
  tokens: { sides: ['tens', 'cheap'], by: 'tokens' },
  'too few evaluations': { sides: ['few-a', 'few-b'] },
  'a cost': { sides: ['tens', 'cheap'], metric: 'timing_s/step', goal: 'min', seedSd: '0.1' },
}

describe('a comparison', () => {
  const folder = sharedFolder()
  let workspace: Workspace
  let renderPage: (blocks: readonly Block[]) => string

  beforeAll(async () => {
    const logs = join(folder, 'logs')
    log(logs, 'minus-two', { level: -2, noise: 0.02, memory: 0.5 })
    log(logs, 'minus-less', { level: -1.7, noise: 0.02, memory: 0.5 })
    log(logs, 'sets-low', { level: 0.5, sets: ['val-core/a/reward/mean@1', 'val-core/b/reward/mean@1'] })
    log(logs, 'sets-high', { level: 0.53, sets: ['val-core/a/reward/mean@1', 'val-core/b/reward/mean@1'] })
    log(logs, 'tens', { level: 0.6, every: 10 })
    log(logs, 'fifteens', { level: 0.55, every: 15 })
    log(logs, 'cheap', { level: 0.6, every: 10, tokens: 500 })
    log(logs, 'few-a', { level: 0.6, every: 100 })
    log(logs, 'few-b', { level: 0.7, every: 100 })
    packedLab(logs, 'addition', ['kl-0.01', 'ent-only'])
    packedLab(logs, 'sorting', ['kl-0.0', 'kl-0.1'])
    workspace = await openWorkspace(folder, {})
    await importLogs(workspace, [logs, join(EXAMPLES, 'grpo-addition'), join(EXAMPLES, 'userrl-intentiongym')])
    const { Blocks }: { Blocks: PageBlocks } = await import(/* @vite-ignore */ PAGE)
    renderPage = blocks => renderToStaticMarkup(createElement(Blocks, { blocks }))
    return () => workspace.close()
  }, 120_000)

  const asked = (name: string, lang: Language): Promise<CompareAnswer> =>
    answerTo(workspace, compare, { ...CASES[name], lang })

  it.each(Object.keys(CASES))('states the same in every rendering: %s', async name => {
    for (const language of ['en', 'zh'] as const) {
      const answer = await asked(name, language)
      const blocks = comparisonBlocks(answer, speakerIn(language), { all: true, explain: true })
      const stated = textsIn(blocks)
      const facts = factsIn(answer, language)
      const renderings = Object.entries({
        terminal: [...notesIn(blocks), ...terminalLines(blocks, PLAIN_TERMINAL)].join('\n'),
        markdown: plainMarkdown(blocksMarkdown(blocks, id => id)),
        html: plainHtml(blocksHtml(blocks)),
        page: plainHtml(renderPage(blocks)),
      })
      for (const [renderer, text] of renderings) {
        const missing = [...stated, ...facts].filter(fact => !joined(text).includes(joined(fact)))
        expect([renderer, missing]).toEqual([renderer, []])
      }
      const [[, first], ...others] = renderings
      for (const [renderer, text] of others) expect([renderer, figuresIn(text)]).toEqual([renderer, figuresIn(first)])
    }
  })

  it.each(['negative scores that wander', 'real replicates', 'several sets'])(
    'states every caveat of the headline in the report, too: %s',
    async name => {
      const { sides, window: _, ...options } = CASES[name]
      const answer = await asked(name, 'en')
      const { blocks = [] } = await answerTo(workspace, report, { runs: sides, ...options, write: false })
      const text = joined(plainMarkdown(blocksMarkdown(blocks, id => id)))
      expect(factsIn(answer, 'en').filter(fact => !text.includes(joined(fact)))).toEqual([])
    },
  )

  it('gives a share of a negative level, and says that a claim is fragile', async () => {
    const answer = await asked('negative scores that wander', 'en')
    const verdict = answer.verdicts[answer.headline.verdict]
    expect(verdict).toMatchObject({ answer: 'better', tags: expect.arrayContaining(['fragile']) })
    const { difference, tags } = verdictBlock(verdict, speakerIn('en'))
    expect(difference?.share).toMatch(/^\(\+\d+\.\d %\)$/)
    expect(tags.map(({ text }) => text).join()).toContain('Fragile: few or strongly autocorrelated evaluations.')
  })
})

const PLAIN_TERMINAL = { paint: (_: unknown, text: string) => text, width: null, all: true }

/** What the answer itself says that no reader may miss. */
function factsIn(answer: CompareAnswer, language: Language): readonly string[] {
  const speaker = speakerIn(language)
  return [
    ...answer.warnings.map(speaker.sentence),
    ...answer.others.flatMap(({ headline, label }) => {
      const verdict = answer.verdicts[headline]
      const { word, reasons, tags, margin } = verdictBlock(verdict, speaker, answer)
      return [label, word, ...reasons, ...tags.map(({ text }) => text), ...(margin === null ? [] : [margin])]
    }),
  ]
}

/** Every text that blocks hold, but for names that only renderers use. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => (UNSEEN.has(name) ? [] : textsIn(member)))
}

const UNSEEN = new Set(['kind', 'tone', 'source', 'name', 'answer'])

function notesIn(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap(block => (block.kind === 'note' ? [block.text] : []))
}

function plainHtml(html: string): string {
  const entities: { readonly [name: string]: string } = {
    lt: '<',
    gt: '>',
    amp: '&',
    quot: '"',
    '#39': "'",
    '#x27': "'",
  }
  return html.replace(/<[^>]*>/g, ' ').replace(/&([#\w]+);/g, (whole, name: string) => entities[name] ?? whole)
}

function plainMarkdown(markdown: string): string {
  return markdown
    .replace(/^\|(?: --- \|)+$/gm, '')
    .replace(/\*\*|(?<!\\)\|/g, ' ')
    .replace(/\\(.)/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
}

/** White space, also the unbreakable, is a matter of layout. */
function joined(text: string): string {
  return text.replace(/[\s\u00a0]+/g, '')
}

function figuresIn(text: string): readonly string[] {
  return [...new Set(text.match(/[+−]?\d+(?:[.,]\d+)*(?:e−?\d+)?/g) ?? [])].sort()
}
