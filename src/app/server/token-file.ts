import { readFileSync, statSync } from 'node:fs'
import { Problem } from '../../logs/model/problem.js'
import { sentences } from '../../text/sentences.js'
import { FEWEST_LETTERS, type Token } from './guard.js'

/**
 * The people of a team and their tokens, a line each: `write alice=TOKEN` or `read bob=TOKEN`. The file is looked at again
 * while the server runs: a line that is taken out ends the right and the sessions of that person, one that is added lets
 * somebody in. A file that has gone lets nobody in.
 */

const say = sentences({
  'tokens.line': {
    en: 'line {line} of {path} is not "read NAME=TOKEN" or "write NAME=TOKEN" with a token of {n} letters or more',
    zh: '{path} 第 {line} 行不是“read NAME=TOKEN”或“write NAME=TOKEN”，令牌至少 {n} 个字符',
  },
  'tokens.open': {
    en: 'other users on this machine can read {path}; make it private: chmod 600 {path}',
    zh: '本机其他用户可以读取 {path}；请设为仅自己可读：chmod 600 {path}',
  },
  'tokens.unreadable': { en: 'cannot read {path}: {reason}', zh: '无法读取 {path}：{reason}' },
  'tokens.none': { en: 'there is no token in {path}', zh: '{path} 中没有令牌' },
})

const LINE = /^(read|write)\s+([^\s=]+)=(\S+)$/
const LOOKED_AT_EVERY_MS = 1000

/** What the lines say; of a line that is none of these, its number. */
function parseLines(text: string): readonly (Token | number)[] {
  return text.split(/\r?\n/).flatMap((line, k): (Token | number)[] => {
    if (line.trim() === '' || line.trimStart().startsWith('#')) return []
    const [, right, name, token = ''] = LINE.exec(line.trim()) ?? []
    if (token.length < FEWEST_LETTERS) return [k + 1]
    return [{ right: right === 'write' ? 'write' : 'read', name, token }]
  })
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new Problem('bad-request', say('tokens.unreadable', { path, reason }))
  }
}

/** The tokens that the file has now. At the start a wrong line is said; later it lets nobody in. */
export function tokensOfFile(path: string): () => readonly Token[] {
  let tokens = checkedTokens(path)
  let at = Date.now()
  return () => {
    if (Date.now() - at < LOOKED_AT_EVERY_MS) return tokens
    at = Date.now()
    tokens = readTokens(path)
    return tokens
  }
}

function readTokens(path: string): readonly Token[] {
  try {
    return parseLines(readFileSync(path, 'utf8')).filter(line => typeof line !== 'number')
  } catch {
    return []
  }
}

function checkedTokens(path: string): readonly Token[] {
  const lines = parseLines(textOf(path))
  const wrong = lines.find(line => typeof line === 'number')
  if (wrong !== undefined)
    throw new Problem('bad-request', say('tokens.line', { line: wrong, path, n: FEWEST_LETTERS }))
  if (lines.length === 0) throw new Problem('bad-request', say('tokens.none', { path }))
  // Windows has no such bits.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    throw new Problem('bad-request', say('tokens.open', { path }))
  }
  return lines.filter(line => typeof line !== 'number')
}
