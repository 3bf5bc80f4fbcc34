/**
 * The rules of the house that no off-the-shelf linter knows:
 * a room imports only from rooms above it (DESIGN: data flows down), and a sentence has the same blanks in both languages.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOMS = [
  'model',
  'text',
  'stats',
  'document',
  'sources',
  'store',
  'endpoint',
  'weights',
  'analysis',
  'diagnosis',
  'audit',
  'charts',
  'report',
  'gym',
  'train',
  'launch',
  'study',
  'ask',
  'server',
  'cli',
]

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'src')
const problems = [...wrongDoors(), ...(await unequalBlanks())]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`house: ${ROOMS.length} rooms in order, both languages complete`)

function* wrongDoors() {
  for (const path of files(source)) {
    const room = relative(source, path).split(sep)[0]
    if (!ROOMS.includes(room)) yield `${relative(source, path)}: "${room}" is no room of the house`
    for (const [, target] of readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'|import\('(\.[^']+)'\)/g)) {
      if (target === undefined) continue
      const other = relative(source, resolve(dirname(path), target)).split(sep)[0]
      if (ROOMS.indexOf(other) > ROOMS.indexOf(room)) {
        yield `${relative(source, path)}: ${room} may not import from ${other}, which lies below it`
      }
    }
  }
}

async function unequalBlanks() {
  const blanks = text => [...new Set([...text.matchAll(/\{([^{}|]+)/g)].map(([, name]) => name))].sort().join(' ')
  return [...(await allSentences())].flatMap(([key, { en, zh }]) => {
    const found = []
    if (en.trim() === '' || zh.trim() === '') found.push(`text "${key}" is empty in one language`)
    // A parameter that only chooses between singular and plural may be missing in Chinese, which has neither.
    const inEnglish = new Set(blanks(en).split(' '))
    const extra = blanks(zh)
      .split(' ')
      .filter(name => name !== '' && !inEnglish.has(name))
    if (extra.length > 0) found.push(`text "${key}": Chinese has {${extra}}, English has not`)
    const printed = text => [...text.matchAll(/\{([^{}|]+)\}/g)].map(([, name]) => name)
    const missing = printed(en).filter(name => !printed(zh).includes(name))
    if (missing.length > 0) found.push(`text "${key}": English says {${missing}}, Chinese does not`)
    return found
  })
}

/** Loads every file that declares sentences; two that declare the same one fail here. */
async function allSentences() {
  const speakers = [...files(source)].filter(
    path => !path.endsWith('.test.ts') && /= sentences\(/.test(readFileSync(path, 'utf8')),
  )
  const lines = speakers.map(path => `import ${JSON.stringify(path)}`)
  const entry = join(source, 'text', 'sentences.ts')
  const folder = mkdtempSync(join(root, 'dist', 'check-'))
  try {
    const bundle = await rolldown({
      input: 'house',
      platform: 'node',
      external: [/^node:/, /^@duckdb\/node-bindings/],
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
      plugins: [
        {
          name: 'all-speakers',
          resolveId: id => (id === 'house' ? '\0house' : null),
          load: id =>
            id === '\0house'
              ? [...lines, `export { declaredSentences } from ${JSON.stringify(entry)}`].join('\n')
              : null,
        },
      ],
    })
    await bundle.write({ dir: folder, entryFileNames: 'house.js' })
    await bundle.close()
    const { declaredSentences } = await import(join(folder, 'house.js'))
    return declaredSentences()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* files(path)
    else if (path.endsWith('.ts')) yield path
  }
}
