import { describe, expect, it } from 'vitest'
import { curvesChart } from '../../charts/curves.js'
import { code, figure, heading, list, paragraph, strong, table } from '../blocks.js'
import { speakerIn } from '../speaker.js'
import type { Report } from './frame.js'
import { changedBlocks } from './frame.js'
import type { Memory } from './memory.js'
import { memoryComment, memoryIn, type Recipe, recipeIn } from './memory.js'
import { reportHtml, reportMarkdown } from './write.js'

const MEMORY: Memory = {
  runs: ['a', 'b'],
  metric: 'acc',
  evaluations: 9,
  verdicts: [{ question: 'level', other: 'B', answer: 'undetermined' }],
  findings: ['B: kl-runaway'],
}

const RECIPE: Recipe = {
  version: '0.1.0',
  command: 'klens report a b',
  output: 'report.md',
  runs: [{ id: 'a', name: 'A', data: '0123' }],
  sides: [{ label: 'A', checkpoint: null, runs: [0] }],
  over: [],
  metric: 'acc',
  goal: null,
  margin: null,
  by: 'steps',
  decide: null,
  ended: false,
  study: null,
  title: null,
  date: null,
  language: 'en',
  before: MEMORY,
}

function chart(name: string) {
  const sides = [{ label: name, line: { steps: [1, 2], values: [1, 2] } }]
  return curvesChart({ language: 'en', metric: { name }, sides })
}

function report(name: string): Report {
  return {
    language: 'en',
    title: name,
    memory: { ...MEMORY, findings: [name] },
    recipe: { ...RECIPE, command: name },
    blocks: [
      heading(name),
      paragraph(strong(name), ' ', name, ' ', code(name), ' ', figure(name, name)),
      list([[name]]),
      table([name, 'b'], [[name, figure('1', name)]]),
      { kind: 'command', text: name },
      { kind: 'chart', id: 'curves', caption: name, definition: chart(name) },
    ],
  }
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '[x](javascript:alert(1))',
  '--> <script>alert(1)</script>',
  '`code` ``` | pipe **bold** _under_ # heading',
  '&lt;script&gt;',
  '\u202e\u0000line\nbreak',
]

describe('a report', () => {
  it.each(HOSTILE)('never lets a name become markup: %j', name => {
    const html = reportHtml(report(name))
    const body = html.slice(html.indexOf('<main>'), html.indexOf('<!-- klens-report'))
    expect(body).not.toMatch(/<(?:script|img|iframe|object|embed|link|meta)\b/i)
    expect(body.replace(/"[^"]*"/g, '')).not.toMatch(/<[^>]*\son\w+\s*=/)
    expect(html.match(/<!--/g)).toHaveLength(1)
    const markdown = reportMarkdown(report(name), id => `${id}.svg`)
    const outsideCode = markdown
      .replace(/<!-- klens-report .*? -->/, '')
      .replace(/```[\s\S]*?```/g, '')
      .replace(/(`+)(?!`).*?[^`]\1(?!`)/g, '')
    expect(outsideCode).not.toMatch(/</)
    expect(outsideCode).not.toMatch(/(?<!\\)\]\(javascript:/)
    expect(outsideCode).not.toContain('-->')
  })

  it('keeps rows of a table whole, whatever a cell holds', () => {
    const markdown = reportMarkdown(report('a | b\nc'), id => id)
    const rows = markdown.split('\n').filter(line => line.startsWith('|'))
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(3)
  })

  it('allows no request and no script in its HTML', () => {
    expect(reportHtml(report('x'))).toContain("default-src 'none'")
    expect(reportHtml(report('x'))).not.toMatch(/https?:\/\/(?!www\.w3\.org)/)
  })

  it('remembers what it concluded, and forgets what was tampered with', () => {
    const comment = memoryComment({ memory: MEMORY, recipe: RECIPE })
    expect(memoryIn(`text\n${comment}\n`)).toEqual(MEMORY)
    expect(recipeIn(`text\n${comment}\n`)).toEqual(RECIPE)
    expect(recipeIn(comment.replace('"by":"steps"', '"by":"luck"'))).toBeNull()
    expect(memoryIn('no report')).toBeNull()
    expect(memoryIn('<!-- klens-report {"runs": 3} -->')).toBeNull()
  })

  it('says what changed since the last one of the same runs, and nothing when nothing did', () => {
    const speaker = speakerIn('en')
    const now: Memory = {
      ...MEMORY,
      evaluations: 93,
      verdicts: [{ question: 'level', other: 'B', answer: 'worse' }],
      findings: [],
    }
    const [title, changes] = changedBlocks(speaker, MEMORY, now)
    expect(title).toMatchObject({ text: 'What changed since the last report' })
    expect(changes).toMatchObject({
      items: [
        ['84 evaluations were added (9 then, 93 now).'],
        ['training average, B: the verdict changed from UNDETERMINED to WORSE.'],
        ['No longer found: B: kl-runaway.'],
      ],
    })
    expect(changedBlocks(speaker, MEMORY, MEMORY)).toEqual([])
    expect(changedBlocks(speaker, { ...MEMORY, runs: ['other'] }, now)).toEqual([])
  })
})
