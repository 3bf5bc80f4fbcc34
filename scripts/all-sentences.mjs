/**
 * Every sentence that klens can say, for the checks. Tables of sentences stand beside the code that says them and are on
 * no list; so each file that declares one is bundled with a `sentences` that also notes what it is given.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'src')
const DECLARES = /\b(?:sentences|fileIssues|runRule|launchRule)\(/

/** Pairs of key and words, one for each declaration. */
export async function allSentences() {
  const speakers = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map(name => join(source, name))
    .filter(path => DECLARES.test(readFileSync(path, 'utf8')))
  const entry = [...speakers, join(root, 'web', 'words.ts')].map(
    (path, i) => `import * as speaker${i} from ${JSON.stringify(path)}; speakers.push(speaker${i})`,
  )
  mkdirSync(join(root, 'dist'), { recursive: true })
  const folder = mkdtempSync(join(root, 'dist', 'sentences-'))
  try {
    const bundle = await rolldown({
      input: 'speakers',
      logLevel: 'silent',
      platform: 'node',
      external: [/^node:/, /^@duckdb\/node-bindings/, /^react/],
      resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
      plugins: [collector(['const speakers = []', ...entry].join('\n'))],
    })
    await bundle.write({ dir: folder, entryFileNames: 'speakers.mjs' })
    await bundle.close()
    globalThis.klensSentences = []
    await import(pathToFileURL(join(folder, 'speakers.mjs')).href)
    return globalThis.klensSentences.flatMap(table => Object.entries(table))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function collector(entry) {
  return {
    name: 'collect-sentences',
    resolveId: id => (id === 'speakers' ? '\0speakers.js' : null),
    load: id => (id === '\0speakers.js' ? entry : null),
    transform(code, id) {
      if (id === join(root, 'web', 'words.ts')) return `${code}\nglobalThis.klensSentences.push(webTexts)`
      if (id === join(source, 'text', 'say.ts')) return `${code}\nglobalThis.klensSentences.push(...TABLES)`
      return code.replace(
        /export function (sentences|fileIssues)<([\s\S]*?)\{\n/,
        declaration => `${declaration}  globalThis.klensSentences.push(texts)\n`,
      )
    },
  }
}
