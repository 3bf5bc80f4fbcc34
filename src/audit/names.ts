/**
 * Which of two names a text means. Reports rarely repeat a column's header word by word ("有KL约束", later "KL版本"), so
 * a name is recognised by the pairs of characters that the other one lacks, and of two names of which one denies the
 * other ("no KL", "KL") by whether the text denies it too. Null when the text names neither, or both.
 */
export function namedIn(text: string, names: readonly [string, string]): 0 | 1 | null {
  const [first, second] = names.map(plain)
  const words = plain(text)
  // A short label in brackets: "(new)".
  if (words !== '' && first.includes(words) !== second.includes(words)) return first.includes(words) ? 0 : 1
  const denied = [first, second].map(name => DENIAL.test(name))
  if (denied[0] !== denied[1]) {
    const stem = commonStem(first, second)
    if (stem !== '') return byDenial(words, stem, denied[0] ? 0 : 1)
  }
  const [only, other] = [pairsOf(first), pairsOf(second)]
  const votes = [only, other].map((own, i) => {
    const rival = i === 0 ? other : only
    return [...own].filter(pair => !rival.has(pair) && words.includes(pair)).length
  })
  if (votes[0] === votes[1]) return null
  return votes[0] > votes[1] ? 0 : 1
}

const DENIAL = /^(?:无|没有|不带|未加|no|without|w\/o|non)/

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s()[\]（）「」"'`*:：,，.。_-]+/g, '')
}

function byDenial(words: string, stem: string, denying: 0 | 1): 0 | 1 | null {
  let denials = 0
  let others = 0
  for (let at = words.indexOf(stem); at >= 0; at = words.indexOf(stem, at + stem.length)) {
    if (/(?:无|没有|不带|未加|no|without|w\/o|non)$/.test(words.slice(Math.max(0, at - 8), at))) denials += 1
    else others += 1
  }
  if (denials > 0 === others > 0) return null
  const affirming = denying === 0 ? 1 : 0
  return denials > 0 ? denying : affirming
}

/** "无KL约束", "有KL约束": "kl"; the longest stretch of Latin letters in both, else of anything. */
function commonStem(first: string, second: string): string {
  const latin = (first.match(/[a-z]{2,}\d*/g) ?? [])
    .map(word => word.replace(/^(?:no|without|non|with)/, ''))
    .filter(word => word.length >= 2 && second.includes(word))
  if (latin.length > 0) return latin.toSorted((a, b) => b.length - a.length)[0]
  const stem = first.replace(DENIAL, '')
  return stem.length >= 2 && second.includes(stem) ? stem : ''
}

function pairsOf(name: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, name.length - 1) }, (_, i) => name.slice(i, i + 2)))
}
