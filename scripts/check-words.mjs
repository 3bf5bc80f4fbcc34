/**
 * Words that practitioners do not use. A sentence that people read may not have them; sentences from before this check
 * stand in `words-baseline.json` by key and a hash of their words, so that a new or changed one is refused and the list
 * only shrinks. `node scripts/check-words.mjs --write` takes off it what has been mended.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { allSentences } from './all-sentences.mjs'

/** What not to say, and what to say instead. */
const PHRASES = [
  [/\bcourses?\b(?! of action)/i, 'curve, smoothed score'],
  [/\b(?:scatter(?:s|ed)?|wobbles?)\b/i, 'variance, std'],
  [/\bluck\b/i, 'sampling noise'],
  [/\b(?:buy|buys|bought|buying|purchases?)\b/i, 'run more seeds, next experiments'],
  [/\b(?:un)?settled\b|(?<!`klens study )\bsettles?\b(?! (?:FILE|STUDY|--))/i, 'resolve (the verb `settle` stays)'],
  [/cannot be told|not separable/i, 'tied, not significantly different'],
  [/\bworth about\b/i, 'estimated true score'],
  [/\bgives? away\b|knowing the truth/i, 'expected loss (regret)'],
  [/the very same/i, 'identical'],
  [/put right for/i, 'Holm-corrected for n comparisons'],
  [/in what could be checked/i, 'no problems found (n claims could not be checked)'],
  [/\bheld against\b/i, 'compared with, checked against'],
  [/is the log whole|settings as they act/i, 'log completeness; effective config'],
  [/\b(?:nobody|whoever|strangers?)\b/i, 'say who: the user, another process, an unknown name'],
]

const BASELINE = new URL('./words-baseline.json', import.meta.url)
const known = JSON.parse(readFileSync(BASELINE, 'utf8'))
const offending = (await allSentences()).flatMap(([key, { en }]) => {
  const phrase = PHRASES.find(([pattern]) => pattern.test(en))
  return phrase === undefined ? [] : [{ key, en, phrase, hash: hashOf(en) }]
})

if (process.argv.includes('--write')) {
  const kept = offending.filter(({ key, hash }) => known[key] === hash || process.argv.includes('--all'))
  const list = Object.fromEntries(kept.map(({ key, hash }) => [key, hash]).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(BASELINE, `${JSON.stringify(list, null, 2)}\n`)
  console.log(`words: ${kept.length} older sentences are still on the list`)
} else {
  const fresh = offending.filter(({ key, hash }) => known[key] !== hash)
  for (const { key, en, phrase } of fresh) {
    console.error(`"${key}" says "${phrase[0].exec(en)?.[0]}"; say instead: ${phrase[1]}\n    ${en}`)
  }
  const mended = Object.keys(known).filter(key => !offending.some(found => found.key === key))
  if (mended.length > 0) {
    console.error(`mended: ${mended.join(', ')}; take them off the list (node scripts/check-words.mjs --write)`)
  }
  if (fresh.length + mended.length > 0) process.exit(1)
  console.log(`words: no new sentence has an old phrase; ${Object.keys(known).length} older ones wait to be mended`)
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
