import { describe, expect, it } from 'vitest'
import { allSentences } from '../scripts/all-sentences.mjs'
import { fill } from '../src/text/language.js'
import { klensInside } from './cli-inside.js'
import { temporaryFolder } from './workspace.js'

describe('every sentence', async () => {
  const sentences = await allSentences()

  it('is declared once', () => {
    const keys = sentences.map(([key]) => key)
    expect(keys.length).toBeGreaterThan(2000)
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
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
    [...help.split(/(?:Commands|命令)[:：]/)[1].matchAll(/^ {2}([a-z][\w-]*)/gm)].flatMap(([, name = '']) => name)

  async function helpOf(...verb: readonly string[]): Promise<string> {
    const { out, code } = await klensInside(temporaryFolder(), [...verb, '--help', '--lang', language])
    expect(code, verb.join(' ')).toBe(0)
    return out
  }

  it('is words, not keys, for klens itself and for every verb and verb of a verb', async () => {
    const bare = await helpOf()
    const verbs = verbsIn(bare)
    expect(verbs.length).toBeGreaterThan(25)
    const pages = [bare]
    for (const verb of verbs) {
      const page = await helpOf(verb)
      pages.push(page)
      if (/^(?:Commands|命令)/m.test(page)) for (const inner of verbsIn(page)) pages.push(await helpOf(verb, inner))
    }
    for (const page of pages) {
      expect(page).not.toMatch(/\{\}|undefined|\b[a-z-]+\.(?:about|option)\b/)
      if (language === 'zh') expect(page).not.toMatch(/Usage|Options|\(default/)
    }
  })
})
