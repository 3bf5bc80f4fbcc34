import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The regular expressions that stand in source files, to be tried on bait. */
export interface Pattern {
  readonly file: string
  readonly pattern: RegExp
}

const LITERAL =
  /(?<=(?:[(,=:[!&|?{};]|return|=>)\s*|^\s*)\/(?![*/])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/gm

export function patternsIn(folder: string): readonly Pattern[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap(file => {
      const source = readFileSync(join(folder, file), 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, '')
      return [...source.matchAll(LITERAL)].map(([, words, flags]) => ({
        file,
        pattern: new RegExp(words, flags.replace(/[gy]/g, '')),
      }))
    })
}

const COMMON = [
  ...[
    ' ',
    '\n',
    '1',
    '1,',
    '1.',
    '1 ',
    '(',
    ')',
    '()',
    '(a',
    '( ',
    'a',
    'A',
    'ab ',
    '_',
    '-',
    '*',
    '"',
    '.',
    ': ',
    '=',
  ],
  ...[
    '步',
    '没有',
    '的',
    '不',
    '[',
    '{',
    '$',
    '0',
    '%',
    '~',
    '→',
    '| ',
    '> ',
    'step 1 ',
    '1-',
    '/',
    '.1',
    'to ',
    'KL ',
    ',',
  ],
]

/** What a pattern may choke on: common characters, and every stretch of its own letters. */
export function baitFor({ source }: RegExp): readonly string[] {
  const own = source
    .replace(/\\[dswbDSWB]/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .split(/[|()?*+{}\\^$<!:=\d,]+/)
    .filter(words => words !== '')
  return [...new Set([...COMMON, ...own, ...own.map(words => `${words} `)])]
}
