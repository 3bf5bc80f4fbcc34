import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { displayWidth } from '../src/core/present/terminal-text.js'
import { klensInside } from './cli-inside.js'
import { putImported, sharedFolder } from './workspace.js'

/** Each verb's page begins with what klens really prints, on a terminal of 80 columns, in both languages. */

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const pages = readdirSync(join(root, 'docs', 'verbs'))
const EXAMPLE = /```console\n\$ (klens [^\n]*)\n([\s\S]*?)\n```/

/** Those that the examples below are enough for; the others train, call an endpoint or print a time. */
const PRINTED = ['compare', 'diagnose', 'frontier', 'plan', 'samples', 'sweep']

describe('the page of a verb', () => {
  it('exists in both languages, and begins with a command and what it prints, or with a picture', () => {
    const english = pages.filter(name => name.endsWith('.md') && !name.endsWith('.zh.md'))
    expect(english.length).toBeGreaterThan(25)
    for (const name of english) {
      const chinese = name.replace('.md', '.zh.md')
      expect(pages, chinese).toContain(chinese)
      for (const page of [name, chinese].filter(page => !page.startsWith('data.'))) {
        const head = read(page).split('\n').slice(0, 24).join('\n')
        expect(head, page).toMatch(/^```(?:console|text)\n\$ |!\[.*\]\(\.\.\/images\//m)
        expect(head, page).toContain(page === name ? `[中文](${chinese})` : `[English](${name})`)
      }
    }
  })
})

describe('on a terminal of 80 columns', () => {
  const folder = sharedFolder()
  const terminal = { isTTY: process.stdout.isTTY, columns: process.stdout.columns }
  beforeAll(async () => {
    for (const example of ['grpo-addition', 'userrl-intentiongym']) {
      await putImported(join(root, 'examples', example), folder)
    }
    Object.assign(process.stdout, { isTTY: true, columns: 80 })
  })
  afterAll(() => void Object.assign(process.stdout, terminal))

  it.each(PRINTED.flatMap(verb => [`${verb}.md`, `${verb}.zh.md`]))('klens prints what %s shows', async page => {
    const [, command = '', shown = ''] = EXAMPLE.exec(read(page)) ?? []
    const [, ...words] = (command.match(/'[^']*'|\S+/g) ?? []).map(word => word.replaceAll("'", ''))
    const { out } = await klensInside(folder, words)
    expectWhole(out)
    const lines = out.replace(/^\n/, '').trimEnd().split('\n')
    const wanted = shown.replace(/\n…$/, '').split('\n')
    expect(lines.slice(0, wanted.length).map(line => line.trimEnd())).toEqual(wanted)
  })

  it.each([
    ['compare', 'no-kl', 'kl', '--all'],
    ['checkpoints', 'kl-0.1/seed0'],
    ['runs'],
    ['decide', 'kl-0.0/*', 'kl-0.3/*'],
  ])('klens %s breaks no row of a table', async (...words) => expectWhole((await klensInside(folder, words)).out))
})

/** No line is too wide, and no row of numbers has fewer cells than the one above, as the rest of a broken row would. */
function expectWhole(out: string): void {
  const rows = out.split('\n').map(line => line.trim().split(/ {2,}/))
  const broken = rows.filter(
    (row, i) => i > 0 && row.every(isNumber) && isNumber(rows[i - 1][0]) && row.length !== rows[i - 1].length,
  )
  expect(broken).toEqual([])
  for (const line of out.split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(80)
}

function isNumber(cell: string): boolean {
  return /^[+−]?[\d.,]+(?:e−?\d+)?$/.test(cell)
}

function read(page: string): string {
  return readFileSync(join(root, 'docs', 'verbs', page), 'utf8')
}
