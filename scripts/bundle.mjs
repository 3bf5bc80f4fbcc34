/**
 * Bundles src/app/cli and the libraries it uses into dist/cli: a few files, one for each verb and for what verbs share, as
 * CommonJS, whose compiled code can be kept (src/app/cli/start.ts). What other programs may import is on the same files, with
 * an ES module for each entry in dist/library and its types in dist/types. DuckDB's native binding stays outside. The licences
 * of what is bundled are collected in dist/licences.txt; what it and the page are made of stands in dist/sbom.json.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { licences, packagesOf } from './licences.mjs'
import { billOfMaterials } from './sbom.mjs'
import { writeTypes } from './types.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')

/** The MCP SDK brings ajv to check what a person filled into a form of the client's; klens shows none. */
const WITHOUT_VALIDATOR = {
  name: 'without-validator',
  load: id =>
    /sdk[/\\]dist[/\\]\w+[/\\]validation[/\\]ajv-provider\.js$/.test(id)
      ? 'export class AjvJsonSchemaValidator {}'
      : null,
}

/** Letters beyond ASCII are left in raw templates, where an escape would be part of the text. Without them files are read as they are. */
const ASCII = {
  name: 'ascii',
  generateBundle(_, files) {
    const code = letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
    for (const file of Object.values(files)) {
      file.code = file.code?.replace(/\P{ASCII}+/gu, text => `\${"${text.split('').map(code).join('')}"}`)
    }
  },
}

const library = Object.fromEntries(
  ['klens', 'logs', 'stats'].map(name => [name, join(root, 'src', 'app', 'library', `${name}.ts`)]),
)

const output = await written(
  {
    main: join(root, 'src/app/cli/main.ts'),
    questions: join(root, 'src/app/ask/questions.ts'),
    partner: join(root, 'src/lab/train/lm/partner/thread.ts'),
    ...library,
  },
  { entryFileNames: 'cli/[name]-[hash].cjs', chunkFileNames: 'cli/[name]-[hash].cjs' },
)
const fileOf = name => output.find(({ isEntry, name: its }) => isEntry && its === name)

await written({ start: join(root, 'src/app/cli/start.ts') }, { entryFileNames: 'cli/start.cjs' })
await written({ parts: join(root, 'src/core/store/part-thread.ts') }, { entryFileNames: 'cli/part-thread.cjs' })
writeFileSync(
  join(dist, 'cli', 'klens.cjs'),
  `require('./start.cjs').start(__dirname, ${JSON.stringify(basename(fileOf('main').fileName))})\n`,
)
writeFileSync(join(dist, 'cli', 'training-partner.cjs'), `require('./${basename(fileOf('partner').fileName)}')\n`)
mkdirSync(join(dist, 'library'), { recursive: true })
for (const name of Object.keys(library)) {
  const { fileName, exports } = fileOf(name)
  const text = `import all from '../${fileName}'\nexport const { ${exports.join(', ')} } = all\n`
  writeFileSync(join(dist, 'library', `${name}.js`), text)
}

const others = ['start', 'klens', 'training-partner', 'part-thread'].map(name => `cli/${name}.cjs`)
removeEarlierChunks(new Set([...output.map(({ fileName }) => fileName), ...others]))
rmSync(join(dist, 'code-cache'), { recursive: true, force: true })
const { QUESTIONS } = await import(pathToFileURL(join(dist, fileOf('questions').fileName)).href)
await writeTypes({ root, entries: Object.values(library), questions: QUESTIONS })

const bundled = packagesOf(output.flatMap(({ moduleIds = [] }) => moduleIds))
const page = JSON.parse(readFileSync(join(dist, 'web-packages.json'), 'utf8'))
const bill = billOfMaterials(root, { 'dist/cli': bundled, 'dist/web': page })
writeFileSync(join(dist, 'sbom.json'), `${JSON.stringify(bill, null, 2)}\n`)
writeFileSync(join(dist, 'licences.txt'), licences(bundled))

async function written(input, names) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: [/^node:/, /^@duckdb\/node-bindings/],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins: [WITHOUT_VALIDATOR, ASCII],
    onwarn: ({ message }) => console.warn(message),
  })
  // Text of one byte a letter is read in half the time.
  const small = { charset: 'ascii', comments: { jsdoc: false, annotation: false } }
  const { output } = await bundle.write({ dir: dist, format: 'cjs', dynamicImportInCjs: false, ...small, ...names })
  await bundle.close()
  return output
}

function removeEarlierChunks(current) {
  for (const name of readdirSync(join(dist, 'cli'))) {
    if (!current.has(`cli/${name}`)) rmSync(join(dist, 'cli', name), { recursive: true })
  }
}
