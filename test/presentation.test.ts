import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../src/app/ask/audit.js'
import { checkpoints } from '../src/app/ask/checkpoints.js'
import { compare, comparisonOf } from '../src/app/ask/compare.js'
import { decide } from '../src/app/ask/decide.js'
import { diagnose } from '../src/app/ask/diagnose.js'
import { gymCheck } from '../src/app/ask/gym-check.js'
import { gymEval } from '../src/app/ask/gym-eval.js'
import { importRuns } from '../src/app/ask/import.js'
import { resolveSides } from '../src/app/ask/names.js'
import { plan } from '../src/app/ask/plan.js'
import { preflight } from '../src/app/ask/preflight.js'
import { report } from '../src/app/ask/report.js'
import { rollouts } from '../src/app/ask/rollouts.js'
import { runTable } from '../src/app/ask/runs.js'
import { samples } from '../src/app/ask/samples.js'
import { show } from '../src/app/ask/show.js'
import { studyStatus } from '../src/app/ask/study-status.js'
import { sweep } from '../src/app/ask/sweep.js'
import { weights, weightsDiff } from '../src/app/ask/weights.js'
import type { CompareAnswer, ComparisonResult } from '../src/core/analysis/compare/result.js'
import { auditBlocks } from '../src/core/present/audit.js'
import { type Block, paragraph } from '../src/core/present/blocks.js'
import { checkpointsBlocks } from '../src/core/present/checkpoints.js'
import { comparisonBlocks } from '../src/core/present/comparison.js'
import { decisionBlocks } from '../src/core/present/decision.js'
import { diagnosisBlocks } from '../src/core/present/diagnosis.js'
import { gymCheckBlocks, gymEvalBlocks } from '../src/core/present/evaluation.js'
import { blocksHtml } from '../src/core/present/html.js'
import { importBlocks } from '../src/core/present/import.js'
import { blocksMarkdown } from '../src/core/present/markdown.js'
import { planBlocks } from '../src/core/present/plan.js'
import { preflightBlocks } from '../src/core/present/preflight.js'
import { rolloutsBlocks } from '../src/core/present/rollouts.js'
import { runsBlocks } from '../src/core/present/runs.js'
import { samplesBlocks } from '../src/core/present/samples.js'
import { showBlocks } from '../src/core/present/show.js'
import { type Speaker, speakerIn } from '../src/core/present/speaker.js'
import { statusBlocks } from '../src/core/present/study/status.js'
import { sweepBlocks } from '../src/core/present/sweep.js'
import { terminalLines } from '../src/core/present/terminal.js'
import { verdictBlock } from '../src/core/present/verdict.js'
import { weightsBlocks, weightsDifferenceBlocks } from '../src/core/present/weights.js'
import { importLogs } from '../src/core/store/ingest.js'
import { openWorkspace, type Workspace } from '../src/core/store/workspace.js'
import { Problem } from '../src/logs/model/problem.js'
import { seededRandom } from '../src/stats/random.js'
import { encode } from '../src/text/encode.js'
import type { Language } from '../src/text/language.js'
import { answerTo } from './ask.js'
import { launchFolder } from './launch-folder.js'
import { readLab } from './support/labs.js'
import { fixture } from './support/reading.js'
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
function packedLab(folder: string, lab: 'addition' | 'sorting', groups: readonly string[]): readonly string[] {
  for (const { group, seed, metrics } of readLab(lab).filter(run => groups.includes(run.group))) {
    const score = [...metrics].find(([name]) => name.startsWith('val-core'))
    if (score === undefined) continue
    const { steps, values } = score[1]
    const rows = Array.from(steps, (step, i) => JSON.stringify({ step, [score[0]]: values[i] }))
    mkdirSync(join(folder, `${lab}-${group}`, seed), { recursive: true })
    writeFileSync(join(folder, `${lab}-${group}`, seed, 'metrics.jsonl'), `${rows.join('\n')}\n`)
  }
  return [folder]
}

/** The workspaces: what is read into each, and what is compared there. */
interface Given {
  readonly logs: (folder: string) => readonly string[]
  readonly comparisons: {
    readonly [name: string]: { readonly sides: readonly string[]; readonly [option: string]: unknown }
  }
  /** What tells the runs apart, where it is one knob. */
  readonly over?: string
  readonly isPlanned?: boolean
  /** Kinds of answers that there cannot be, because of what was not logged. */
  readonly refuses?: readonly Kind[]
}

const KINDS = ['show', 'diagnose', 'checkpoints', 'decide', 'plan', 'sweep', 'runs'] as const

type Kind = (typeof KINDS)[number]

const addition = (...names: readonly string[]) => names.map(name => join(EXAMPLES, 'grpo-addition', name))

/** Runs that are made up, each in its folder of the workspace's own logs. */
function generated(folder: string, runs: { readonly [name: string]: Made }): readonly string[] {
  for (const [name, made] of Object.entries(runs)) log(folder, name, made)
  return [folder]
}

const SETS = ['val-core/a/reward/mean@1', 'val-core/b/reward/mean@1']

const WORKSPACES: { readonly [name: string]: Given } = {
  'two real runs of verl': {
    isPlanned: true,
    logs: () => [join(EXAMPLES, 'userrl-intentiongym')],
    comparisons: { 'two real runs with a margin': { sides: ['no-kl', 'kl'], margin: '5%' } },
  },
  'real replicates': {
    logs: () => addition('kl-0.0', 'kl-0.1', 'kl-0.3'),
    over: 'kl.loss.coef',
    comparisons: {
      'real replicates': { sides: ['kl-0.0/*', 'kl-0.3/*'] },
      'real single runs': { sides: ['kl-0.0/seed0', 'kl-0.1/seed0'], all: true },
      'three real sides': { sides: ['kl-0.0/*', 'kl-0.1/*', 'kl-0.3/*'], margin: '0.01' },
      'checkpoints of one run': { sides: ['kl-0.0/seed0@100', 'kl-0.0/seed0@400'] },
      'checkpoints of two runs': { sides: ['kl-0.0/seed0@400', 'kl-0.3/seed0@400'] },
    },
  },
  'sick runs': {
    logs: () => addition('sick-lr-high', 'sick-tied-rewards'),
    comparisons: { 'two sick runs': { sides: ['sick-lr-high/seed0', 'sick-tied-rewards/seed0'] } },
  },
  'a sweep of five': {
    isPlanned: true,
    logs: () => [join(EXAMPLES, 'kl-beta-sweep')],
    over: 'KL_BETA',
    comparisons: { 'two doses': { sides: ['kl-0.12', 'kl-0.15'] } },
  },
  'two plans': {
    logs: () => [join(EXAMPLES, 'plan-six')],
    comparisons: { 'two plans': { sides: ['plan-five', 'plan-six'], metric: 'Val Loss', goal: 'min' } },
  },
  'a lab of additions': {
    logs: folder => packedLab(folder, 'addition', ['kl-0.01', 'ent-only']),
    comparisons: { 'a lab of additions': { sides: ['addition-kl-0.01/*', 'addition-ent-only/*'] } },
  },
  'a lab of sorting': {
    logs: folder => packedLab(folder, 'sorting', ['kl-0.0', 'kl-0.1']),
    comparisons: { 'a lab of sorting': { sides: ['sorting-kl-0.0/*', 'sorting-kl-0.1/*'] } },
  },
  'negative scores': {
    isPlanned: true,
    logs: folder =>
      generated(folder, {
        'minus-two': { level: -2, noise: 0.02, memory: 0.5 },
        'minus-less': { level: -1.7, noise: 0.02, memory: 0.5 },
      }),
    comparisons: {
      'negative scores that wander': { sides: ['minus-two', 'minus-less'] },
      'a window': { sides: ['minus-two', 'minus-less'], window: '50:200' },
    },
  },
  'several sets': {
    logs: folder =>
      generated(folder, { 'sets-low': { level: 0.5, sets: SETS }, 'sets-high': { level: 0.53, sets: SETS } }),
    comparisons: { 'several sets': { sides: ['sets-low', 'sets-high'] } },
  },
  'unlike rhythms': {
    logs: folder =>
      generated(folder, {
        tens: { level: 0.6, every: 10 },
        fifteens: { level: 0.55, every: 15 },
        cheap: { level: 0.6, every: 10, tokens: 500 },
      }),
    comparisons: {
      'unlike rhythms': { sides: ['tens', 'fifteens'] },
      tokens: { sides: ['tens', 'cheap'], by: 'tokens' },
      'a cost': { sides: ['tens', 'cheap'], metric: 'timing_s/step', goal: 'min', seedSd: '0.1' },
    },
  },
  'too few evaluations': {
    logs: folder => generated(folder, { 'few-a': { level: 0.6, every: 100 }, 'few-b': { level: 0.7, every: 100 } }),
    comparisons: { 'too few evaluations': { sides: ['few-a', 'few-b'] } },
  },
  'completions of verl and TRL': {
    logs: () => [fixture('completions')],
    comparisons: { 'two checkpoints with answers': { sides: ['no-kl@40', 'kl@45'] } },
  },
}

let renderPage: (blocks: readonly Block[]) => string

beforeAll(async () => {
  const { Blocks }: { Blocks: PageBlocks } = await import(/* @vite-ignore */ PAGE)
  renderPage = blocks => renderToStaticMarkup(createElement(Blocks, { blocks }))
})

/** Opened once for all tests of it. */
function workspaceOf({ logs }: Given): () => Promise<Workspace> {
  const folder = sharedFolder()
  let opened: Promise<Workspace> | null = null
  const open = async (): Promise<Workspace> => {
    const workspace = await openWorkspace(folder, {})
    await importLogs(workspace, logs(join(folder, 'logs')))
    return workspace
  }
  afterAll(async () => (await opened)?.close())
  return () => {
    opened ??= open()
    return opened
  }
}

describe.each(Object.entries(WORKSPACES))('in a workspace, %s', (workspaceName, given) => {
  const opened = workspaceOf(given)
  const [[firstName, first]] = Object.entries(given.comparisons)
  const goal = { metric: first.metric, goal: first.goal }
  const runs = first.sides.map(side => side.replace(/@.*/, '').replace('*', 'seed0'))

  /** Each is made once, and said in both languages: it is the comparison that takes time. */
  const results = new Map<string, Promise<ComparisonResult>>()
  async function compared(name: string, language: Language): Promise<CompareAnswer> {
    const { sides, rows: _rows, lang: _lang, ...spec } = compare.request.parse(given.comparisons[name])
    const workspace = await opened()
    const making = results.get(name) ?? comparisonOf(workspace, await resolveSides(workspace, sides, {}), spec)
    results.set(name, making)
    return compare.answer.parse(JSON.parse(JSON.stringify(encode(await making, language))))
  }

  it.each(Object.keys(given.comparisons))('a comparison states the same in every rendering: %s', async name => {
    for (const language of ['en', 'zh'] as const) {
      const answer = await compared(name, language)
      const blocks = comparisonBlocks(answer, speakerIn(language), { all: true, explain: true })
      expectSameEverywhere(blocks, comparisonFacts(answer, language))
    }
  })

  const isReported = ['negative scores', 'real replicates', 'several sets'].includes(workspaceName)
  if (isReported) {
    it('a report states every caveat of the headline, too', async () => {
      const { blocks = [] } = await answerTo(await opened(), report, { runs: first.sides, write: false })
      const text = joined(plainMarkdown(blocksMarkdown(blocks, id => id)))
      const facts = comparisonFacts(await compared(firstName, 'en'), 'en')
      expect(facts.filter(fact => !text.includes(joined(fact)))).toEqual([])
    })
  }

  if (workspaceName === 'negative scores') {
    it('a share is of the size of a negative level, and a fragile claim is called so', async () => {
      const answer = await compared('negative scores that wander', 'en')
      const verdict = answer.verdicts[answer.headline.verdict]
      expect(verdict).toMatchObject({ answer: 'better', tags: expect.arrayContaining(['fragile']) })
      const { difference, tags } = verdictBlock(verdict, speakerIn('en'))
      expect(difference?.share).toMatch(/^\(\+\d+\.\d %\)$/)
      expect(tags.map(({ text }) => text).join()).toContain('Fragile: few or strongly autocorrelated evaluations.')
    })
  }

  it('every other answer does, too', async () => {
    const workspace = await opened()
    const refused: Kind[] = []
    for (const [i, kind] of KINDS.entries()) {
      // In both languages by turns: a workspace more or less changes none of the words.
      const language = (i + runs[0].length) % 2 === 0 ? 'en' : 'zh'
      try {
        const [blocks, facts] = await presented(kind, workspace, language)
        expectSameEverywhere(blocks, facts)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        refused.push(kind)
      }
    }
    expect(refused).toEqual(given.refuses ?? [])
  })

  async function presented(kind: Kind, workspace: Workspace, lang: Language): Promise<Presented> {
    const speaker = speakerIn(lang)
    switch (kind) {
      case 'show': {
        const answer = await answerTo(workspace, show, { run: runs[0], points: 'telling', lang })
        return [
          showBlocks(answer, speaker, { all: true }),
          [...answer.integrity, ...answer.notes.map(({ note }) => note)],
        ]
      }
      case 'diagnose': {
        const answer = await answerTo(workspace, diagnose, { runs, lang })
        const facts = answer.findings.flatMap(({ message, remedy }) => [message, remedy])
        return [diagnosisBlocks(answer, speaker, { all: true }), facts]
      }
      case 'checkpoints': {
        const answer = await answerTo(workspace, checkpoints, { run: runs[0], ...goal, lang })
        return [checkpointsBlocks(answer, speaker), [answer.take.why, ...answer.reasons]]
      }
      case 'decide':
        return [decisionBlocks(await answerTo(workspace, decide, { runs, ...goal, lang }), speaker), []]
      case 'plan': {
        // Simulated: a plan takes as long as all else.
        if (given.isPlanned !== true) return [[], []]
        const input = { sides: first.sides.slice(0, 2), difference: '5%', margin: '0.05', metric: first.metric, lang }
        const answer = await answerTo(workspace, plan, input)
        return [planBlocks(answer, speaker), answer.assumptions]
      }
      case 'sweep': {
        if (given.over === undefined) return [[], []]
        const answer = await answerTo(workspace, sweep, { runs: ['*'], over: [given.over], lang })
        return [sweepBlocks(answer, speaker), []]
      }
      case 'runs':
        return [runsBlocks(await answerTo(workspace, runTable, { lang }), speaker), []]
    }
  }
})

/** Blocks, and what the answer says that no reader may miss. */
type Presented = readonly [blocks: readonly Block[], facts: readonly string[]]

const REPORTS = fileURLToPath(new URL('reports', import.meta.url))
const WEIGHTS = fileURLToPath(new URL('../src/lab/weights/fixtures', import.meta.url))
const STUDIES = join(EXAMPLES, 'studies')

/** Answers that are not about the runs of any workspace. */
const OTHERS: {
  readonly [kind: string]: (workspace: Workspace, lang: Language, speaker: Speaker) => Promise<Presented>
} = {
  async audit(workspace, lang, speaker) {
    const reports = readdirSync(REPORTS)
      .filter(name => /^(?:ablation|checkpoint|clean|weekly).*\.md$/.test(name))
      .map(name => join(REPORTS, name))
    const answer = await answerTo(workspace, audit, { reports, printAssertions: true, lang })
    return [
      auditBlocks(answer, speaker),
      answer.files.flatMap(({ findings }) => findings.map(({ message }) => message)),
    ]
  },
  async 'single answers'(workspace, lang, speaker) {
    const input = { sides: ['no-kl@40', 'kl@45'], flips: true, failures: true, lang }
    const answer = await answerTo(workspace, samples, input)
    return [samplesBlocks(answer, speaker, input), answer.warnings]
  },
  async 'answers of one checkpoint'(workspace, lang, speaker) {
    const answer = await answerTo(workspace, samples, { sides: ['kl@45'], failures: true, lang })
    return [samplesBlocks(answer, speaker, { failures: true }), answer.warnings]
  },
  async 'what is rewarded'(workspace, lang, speaker) {
    const answer = await answerTo(workspace, rollouts, { run: 'no-kl', byStep: 6, lang })
    return [rolloutsBlocks(answer, speaker), []]
  },
  async preflight(workspace, lang, speaker) {
    const launch = [await launchFolder(workspace.root)]
    const answer = await answerTo(workspace, preflight, { launch, lang })
    const facts = answer.findings.flatMap(({ message, remedy }) => [message, remedy])
    return [
      preflightBlocks(answer, speaker, { all: true }),
      [...facts, ...answer.notChecked.map(({ reason }) => reason)],
    ]
  },
  async weights(workspace, lang, speaker) {
    return [weightsBlocks(await answerTo(workspace, weights, { file: join(WEIGHTS, 'evil.pt'), lang }), speaker), []]
  },
  async 'a difference of weights'(workspace, lang, speaker) {
    const [first, second] = ['grpo_epoch1.pt', 'grpo_epoch2.pt'].map(name => join(WEIGHTS, name))
    return [weightsDifferenceBlocks(await answerTo(workspace, weightsDiff, { first, second, lang }), speaker), []]
  },
  async 'an evaluation in a gym'(workspace, lang, speaker) {
    const policies = ['scripted:oracle', 'scripted:silent']
    return [gymEvalBlocks(await answerTo(workspace, gymEval, { policies, limit: 4, lang }), speaker), []]
  },
  async 'the check of a simulator'(workspace, lang, speaker) {
    return [gymCheckBlocks(await answerTo(workspace, gymCheck, { questions: 20, lang }), speaker), []]
  },
  async 'an import'(workspace, lang, speaker) {
    const answer = await answerTo(workspace, importRuns, { paths: [fixture('verl')], lang })
    return [importBlocks(answer, speaker), answer.runs.flatMap(({ warnings }) => warnings)]
  },
  async 'how a study stands'(workspace, lang, speaker) {
    const answer = await answerTo(workspace, studyStatus, { file: join(STUDIES, 'digits-kl.yaml'), lang })
    return [statusBlocks(answer, speaker, { trials: true }), []]
  },
}

describe('besides', () => {
  const opened = workspaceOf(WORKSPACES['completions of verl and TRL'])

  it.each(Object.entries(OTHERS))('%s states the same in every rendering', async (_, present) => {
    const workspace = await opened()
    for (const language of ['en', 'zh'] as const) {
      const [blocks, facts] = await present(workspace, language, speakerIn(language))
      expect(blocks.length).toBeGreaterThan(0)
      expectSameEverywhere(blocks, facts)
    }
  })
})

const PLAIN_TERMINAL = { paint: (_: unknown, text: string) => text, width: null, all: true }

function expectSameEverywhere(blocks: readonly Block[], facts: readonly string[]): void {
  const plain = withoutLayout(blocks)
  const stated = [...textsIn(plain), ...facts].map(joined)
  const renderings = Object.entries({
    terminal: [...notesIn(plain), ...terminalLines(plain, PLAIN_TERMINAL)].join('\n'),
    markdown: plainMarkdown(blocksMarkdown(plain, id => id)),
    html: plainHtml(blocksHtml(plain)),
    page: plainHtml(renderPage(plain)),
  })
  for (const [renderer, text] of renderings) {
    const all = joined(text)
    expect([renderer, stated.filter(fact => !all.includes(fact))]).toEqual([renderer, []])
  }
  const [[, first], ...others] = renderings
  for (const [renderer, text] of others) expect([renderer, figuresIn(text)]).toEqual([renderer, figuresIn(first)])
}

/** Charts have axes of their own in each rendering, and two texts beside each other are broken line by line: what is said of both is compared. */
function withoutLayout(blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap((block): readonly Block[] => {
    if (block.kind === 'chart') return [paragraph(block.caption)]
    if (block.kind === 'texts') return block.items.map(item => ({ kind: 'texts', items: [item] }))
    return 'blocks' in block ? [{ ...block, blocks: withoutLayout(block.blocks) }] : [block]
  })
}

/** What the answer itself says that no reader may miss. */
function comparisonFacts(answer: CompareAnswer, language: Language): readonly string[] {
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

const UNSEEN = new Set(['kind', 'tone', 'severity', 'source', 'reference', 'name', 'answer'])

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
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/^\|(?: --- \|)+$/gm, '')
    .replace(/\*\*|(?<!\\)\|/g, ' ')
    .replace(/\\(.)/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
}

/** White space, also the unbreakable, is a matter of layout, and so are the marks of Markdown. */
function joined(text: string): string {
  return text.replace(/[\s\u00a0|\\*`]+/g, '')
}

function figuresIn(text: string): readonly string[] {
  return [...new Set(text.match(/[+−]?\d+(?:[.,]\d+)*(?:e−?\d+)?/g) ?? [])].sort()
}
