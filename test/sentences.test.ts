import { describe, expect, it } from 'vitest'
import { allSentences } from '../scripts/all-sentences.mjs'
import { displayWidth } from '../src/core/present/terminal-text.js'
import { fill } from '../src/text/language.js'
import { klensInside } from './cli-inside.js'
import { temporaryFolder } from './workspace.js'

describe('every sentence', async () => {
  const sentences = await allSentences()

  it('has one text under its key', () => {
    const texts = new Map<string, string>()
    const several = sentences.filter(([key, { en, zh }]) => {
      const text = `${en}\n${zh}`
      const first = texts.get(key) ?? text
      texts.set(key, first)
      return first !== text
    })
    expect(texts.size).toBeGreaterThan(2000)
    expect(several.map(([key]) => key)).toEqual([])
  })

  it('says the same blanks in both languages; only what chooses between singular and plural may be missing in Chinese', () => {
    for (const [key, { en, zh }] of sentences) {
      expect(
        printed(zh).every(name => blanks(en).includes(name)),
        `${key}: Chinese has a blank of its own`,
      ).toBe(true)
      expect(
        printed(en).every(name => printed(zh).includes(name)),
        `${key}: Chinese lacks a blank`,
      ).toBe(true)
    }
  })

  it.each(['en', 'zh'] as const)('can be said in %s, with one thing and with many', language => {
    for (const [key, template] of sentences) {
      for (const value of [1, 7]) {
        const text = fill(template[language], Object.fromEntries(blanks(template.en).map(name => [name, value])))
        expect(text.trim(), key).not.toBe('')
        expect(text, key).not.toMatch(/undefined|\{\w+\|/)
      }
    }
  })

  it('says one thing in the singular and two in the plural', () => {
    const plural = new Set(
      sentences.flatMap(([, { en }]) => [
        ...[...en.matchAll(/\{\w+\|([a-z]+)\|\1s\}/g)].map(([, noun = '']) => `${noun}s`),
        ...[...en.matchAll(/([a-z]+)\{\w+\|\|s\}/g)].map(([, noun = '']) => `${noun}s`),
      ]),
    )
    expect(plural.size).toBeGreaterThan(60)
    // A name may come before these: `run 1 logs no KL`, `URL answers`.
    for (const verb of ['answers', 'claims', 'names', 'logs', 'times']) plural.delete(verb)
    const one =
      /(?<![\w.,:–…×^±] ?|(?:and|vs|to|most) )\b1 (?:(?:more|shared|other|consecutive|further|clipped|planned) )?([a-z]+)\b/
    const wrong = sentences.flatMap(([key, { en }]) =>
      [0, 1, 2, 5].flatMap(n => {
        const text = fill(en, Object.fromEntries(blanks(en).map(name => [name, n])))
        const [said, noun = ''] = one.exec(text) ?? ['']
        const verb = /^1 [a-z]+ (?:are|have|were)\b|^[025] [a-z]+s (?:is|has|was)\b/.exec(text)?.[0]
        return [...(plural.has(noun) ? [`${key}: ${said}`] : []), ...(verb === undefined ? [] : [`${key}: ${verb}`])]
      }),
    )
    expect([...new Set(wrong)]).toEqual([])
  })

  it('has no separator in what is pasted into a command', () => {
    expect(fill('{n} points, process {pid}, port {port}', { n: 30_741, pid: 30_741, port: 40_123 })).toBe(
      '30,741 points, process 30741, port 40123',
    )
  })

  // The hint of a window shows how one is typed, with a colon.
  it('in Chinese has no half-width punctuation between Chinese words', () => {
    const odd = sentences.filter(
      ([key, { zh }]) =>
        key !== 'web.compare.window.hint' && /[\u4e00-\u9fff] ?[,;:!?] ?[\u4e00-\u9fff]|快慢|与 与/.test(zh),
    )
    expect(odd.map(([key]) => key)).toEqual([])
  })
})

function blanks(text: string): readonly string[] {
  return [...text.matchAll(/\{([^{}|]+)/g)].flatMap(([, name = '']) => name)
}

function printed(text: string): readonly string[] {
  return [...text.matchAll(/\{([^{}|]+)\}/g)].flatMap(([, name = '']) => name)
}

describe.each(['en', 'zh'] as const)('help in %s', language => {
  const verbsIn = (help: string): readonly string[] =>
    [...help.matchAll(/^ {2}([a-z][\w-]*) /gm)].flatMap(([, name = '']) => name)

  async function helpOf(...verb: readonly string[]): Promise<string> {
    const { out, code } = await klensInside(temporaryFolder(), [...verb, '--help', '--lang', language])
    expect(code, verb.join(' ')).toBe(0)
    return out
  }

  it('lists every verb in a group, by when it is needed, within 80 columns', async () => {
    const help = await helpOf()
    const heads = [...help.matchAll(/^(\S.*)[:：]$/gm)].flatMap(([, head = '']) => head)
    expect(heads.slice(1)).toEqual(
      language === 'en'
        ? [
            'Before training',
            'During training',
            'After training',
            'Decide and report',
            'Lab (trainings of klens itself)',
            'Manage the store',
          ]
        : ['训练前', '训练中', '训练后', '决策与报告', '实验室（用 klens 自己训练）', '管理数据'],
    )
    for (const line of help.split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(80)
    expect(verbsIn(help).slice(0, 3)).toEqual(['preflight', 'plan', 'watch'])
  })

  it('is words, not keys, for klens itself and for every verb and verb of a verb', async () => {
    const bare = await helpOf()
    const verbs = verbsIn(bare)
    expect(verbs.length).toBeGreaterThan(25)
    const pages = [bare]
    for (const verb of verbs) {
      const page = await helpOf(verb)
      pages.push(page)
      const inner = page.split(/^(?:Commands|命令)[:：]$/m)[1] ?? ''
      for (const name of verbsIn(inner)) pages.push(await helpOf(verb, name))
    }
    for (const page of pages) {
      expect(page).not.toMatch(/\{\}|undefined|\b[a-z-]+\.(?:about|option)\b/)
      if (language === 'zh') expect(page).not.toMatch(/Usage|Options|\(default/)
    }
  })
})
