/**
 * Words that practitioners do not use. A sentence that people read may not have them, whether klens says it or a page of
 * the documentation does. `docs/words.md` is the list for people; what its third column names is refused here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { allSentences } from './all-sentences.mjs'

/** What not to say, and what to say instead. */
const PHRASES = [
  [/\bcourses?\b(?! of action)/i, 'curve, smoothed score'],
  [/\b(?:scatter(?:s|ed)?(?! plots?)|wobbles?)\b/i, 'variance, std'],
  [/\b(?:un)?luck\b/i, 'sampling noise'],
  [/\b(?:buy|buys|bought|buying|purchases?)\b/i, 'run more seeds, next experiments'],
  [
    /\b(?:un)?settled\b|(?<!`?klens study )\bsettles?\b(?!\.| can| (?:FILE|STUDY|--))/i,
    'resolve (the verb `klens study settle` stays)',
  ],
  [/cannot be told|not separable|cannot tell (?:\S+ ){1,4}apart/i, 'tied, not significantly different'],
  [/\bworth about\b/i, 'estimated true score'],
  [/\bg(?:i|a)ves? away\b|knowing the truth/i, 'expected loss (regret)'],
  [/the very same/i, 'identical'],
  [/put right for/i, 'Holm-corrected for n comparisons'],
  [/in what could be checked/i, 'no problems found (n claims could not be checked)'],
  [/\bheld against\b/i, 'compared with, checked against'],
  [/is the log whole|settings as they act/i, 'log completeness; effective config'],
  [/\b(?:nobody|whoever|strangers?)\b/i, 'say who: the user, another process, an unknown name'],
  [/\bgrave(?:r|st)\b/i, 'more severe, most severe'],
  [/\bknobs?\b/i, 'hyperparameter, setting'],
  [/\bdose and response\b/i, 'score by setting'],
  [/\b(?:as against|whatsoever|thereby|hitherto|ere)\b/i, 'plain connectives'],
  [/\banew\b/i, 'again'],
  [/\breckons?\b|\breckoned\b/i, 'compute'],
  [/\b(?:one|two|three) (?:seeds?|runs?) a side\b|\bseeds a side\b/i, 'seeds each, seeds per setting'],
  [/\breplicates?\b/i, 'seeds (of one setting)'],
  [/\bdegenerate groups?\b/i, 'zero-variance groups'],
  [/(?<!there )\b(?:is|are) no (?:valid|whole|JSON|file|text|setting|number|run|plain|task)\b/i, 'is not a …'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair'],
  [/\bthe (?:house|rooms?)\b/i, 'architecture, modules'],
]

/** Written by other programs, or about the words themselves. */
const OTHERS = new Set(['docs/words.md', 'docs/statistics.md'])

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const said = (await allSentences()).map(([key, { en }]) => [`"${key}"`, en.replace(/\{[^{}|]*/g, '{')])
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...['docs', 'docs/verbs', 'docs/statistics', 'docs/sources'].flatMap(folder =>
    readdirSync(join(root, folder)).map(name => `${folder}/${name}`),
  ),
].filter(path => path.endsWith('.md') && !path.endsWith('.zh.md') && !OTHERS.has(path))
const written = pages.flatMap(path =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .map((line, i) => [`${path}:${i + 1}`, line.replace(/`[^`]*`|\]\([^)]*\)/g, '')]),
)
const found = [...said, ...written].flatMap(([place, text]) => {
  const phrase = PHRASES.find(([pattern]) => pattern.test(text))
  return phrase === undefined ? [] : [[place, text, phrase]]
})
for (const [place, text, [pattern, instead]] of found) {
  console.error(`${place} says "${pattern.exec(text)?.[0]}"; say instead: ${instead}\n    ${text.trim().slice(0, 300)}`)
}
if (found.length > 0) process.exit(1)
console.log(`words: none of ${said.length} sentences and ${pages.length} pages has an old phrase`)
