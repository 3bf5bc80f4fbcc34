/**
 * Bundles src/app/cli and the libraries it uses into dist/cli: a few files, one for each verb and for what verbs share; and
 * what other programs may import into dist/library, on the same files, with its types in dist/types. Node reads hundreds of small modules one by one, which made every command half a second slower. DuckDB's native
 * binding stays outside. The licences of what is bundled are collected in dist/licences.txt; what it and the page are made of
 * stands in dist/sbom.json.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { licences, packagesOf } from './licences.mjs'
import { billOfMaterials } from './sbom.mjs'
import { writeTypes } from './types.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')

const library = Object.fromEntries(
  ['klens', 'logs', 'stats'].map(name => [name, join(root, 'src', 'app', 'library', `${name}.ts`)]),
)

const bundle = await rolldown({
  input: {
    main: join(root, 'src/app/cli/main.ts'),
    questions: join(root, 'src/app/ask/questions.ts'),
    ...library,
  },
  platform: 'node',
  external: [/^node:/, /^@duckdb\/node-bindings/],
  resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  onwarn: ({ message }) => console.warn(message),
})
const { output } = await bundle.write({
  dir: dist,
  entryFileNames: ({ name }) => (Object.hasOwn(library, name) ? 'library/[name].js' : 'cli/[name].js'),
  chunkFileNames: 'cli/[name]-[hash].js',
})
await bundle.close()

removeEarlierChunks(new Set(output.map(({ fileName }) => fileName)))
const { QUESTIONS } = await import(pathToFileURL(join(dist, 'cli', 'questions.js')).href)
await writeTypes({ root, entries: Object.values(library), questions: QUESTIONS })

const bundled = packagesOf(output.flatMap(({ moduleIds = [] }) => moduleIds))
const page = JSON.parse(readFileSync(join(dist, 'web-packages.json'), 'utf8'))
const bill = billOfMaterials(root, { 'dist/cli': bundled, 'dist/web': page })
writeFileSync(join(dist, 'sbom.json'), `${JSON.stringify(bill, null, 2)}\n`)
writeFileSync(join(dist, 'licences.txt'), licences(bundled))

function removeEarlierChunks(current) {
  for (const name of readdirSync(join(dist, 'cli'))) {
    if (!current.has(`cli/${name}`)) rmSync(join(dist, 'cli', name), { recursive: true })
  }
}
