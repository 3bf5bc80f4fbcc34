/**
 * Rules of the architecture that no off-the-shelf linter knows: a module imports only from modules above it, cli only asks and
 * prints, the page only asks the server, files do not import each other in a circle, no two files export types of one name, and only who speaks with a person touches
 * the process. (`test/sentences.test.ts` looks at the sentences.)
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const MODULES = [
  'text',
  'model',
  'stats',
  'document',
  'sources',
  'store',
  'endpoint',
  'weights',
  'analysis',
  'diagnosis',
  'charts',
  'present',
  'audit',
  'gym',
  'train',
  'launch',
  'study',
  'ask',
  'server',
  'cli',
]

/** Names that several files export still. Only ever take names off this list. */
const SHARED_TYPE_NAMES = new Set(
  `Amounts Answer Axis Block Cell Choice Collapse Column DataFiles DialogueFigures Evaluation
   EvaluationNoise Job Judged Knob Layout Machine Matrix Memory Message Numbers Outcome ParquetColumn
   Phase Place Policy Resolution ScoreCourse Split Standing Statement Stretch Surroundings Table
   Template Token Trial Turn Values Window`.split(/\s+/),
)

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'src')
const imports = new Map([...files(source)].map(path => [path, importsOf(path)]))
const problems = [
  ...upwardImports(),
  ...cliImports(),
  ...webImports(),
  ...circles(),
  ...processesTouched(),
  ...sharedTypeNames(),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`architecture: ${MODULES.length} modules in order, no circles`)

/** What a file imports from files of klens, types included. */
function importsOf(path) {
  const found = readFileSync(path, 'utf8').matchAll(
    /(?:import|export)( type)? (?:[^'()]*? from )?'(\.[^']+)'|import\('(\.[^']+)'\)/g,
  )
  return [...found].map(([, type, from, lazy]) => ({
    path: resolve(dirname(path), from ?? lazy).replace(/\.js$/, '.ts'),
    isType: type !== undefined,
  }))
}

function moduleOf(path) {
  return relative(source, path).split(sep)[0]
}

function* upwardImports() {
  for (const [path, targets] of imports) {
    const module = moduleOf(path)
    if (!MODULES.includes(module)) yield `${relative(source, path)}: "${module}" is no module`
    for (const target of targets) {
      if (MODULES.indexOf(moduleOf(target.path)) > MODULES.indexOf(module)) {
        yield `${relative(source, path)}: ${module} may not import from ${moduleOf(target.path)}, which lies below it`
      }
    }
  }
}

/** Parse, ask, print: whatever else a verb would need belongs into a question. */
function* cliImports() {
  const tools = ['model/axis.ts', 'model/problem.ts', 'model/json.ts', 'model/vocabulary/suggest.ts'].map(name =>
    join(source, name),
  )
  for (const [path, targets] of imports) {
    if (moduleOf(path) !== 'cli' || path.endsWith('.test.ts')) continue
    for (const target of targets) {
      const module = moduleOf(target.path)
      const isAllowed = ['ask', 'server', 'present', 'text', 'cli'].includes(module) || tools.includes(target.path)
      if (isAllowed || (module === 'model' && target.isType)) continue
      yield `${relative(source, path)}: cli asks and prints; it may not import ${relative(source, target.path)}`
    }
  }
}

/** The page asks the server; of src it takes only what it draws and speaks with, and what answers look like. */
function* webImports() {
  const web = join(root, 'web')
  for (const path of files(web)) {
    for (const target of importsOf(path)) {
      if (!relative(web, target.path).startsWith('..')) continue
      const module = moduleOf(target.path)
      if (
        ['charts', 'present', 'text', 'model'].includes(module) ||
        (['ask', 'server'].includes(module) && target.isType)
      )
        continue
      yield `${relative(root, path)}: the page may not import ${relative(root, target.path)}; it asks the server`
    }
  }
}

function* circles() {
  const done = new Set()
  const way = []
  function* visit(path) {
    const at = way.indexOf(path)
    if (at >= 0)
      yield `a circle of imports: ${[...way.slice(at), path].map(each => relative(source, each)).join(' → ')}`
    if (at >= 0 || done.has(path)) return
    way.push(path)
    for (const target of imports.get(path) ?? []) yield* visit(target.path)
    way.pop()
    done.add(path)
  }
  for (const path of imports.keys()) yield* visit(path)
}

/** A module below is used by processes of many kinds; which folder, language, signals and output are theirs, it is told. */
function* processesTouched() {
  const SPEAKERS = ['ask', 'server', 'cli']
  const home = join(source, 'store', 'workspace.ts')
  for (const path of imports.keys()) {
    if (SPEAKERS.includes(moduleOf(path)) || path.endsWith('.test.ts') || path === home) continue
    const code = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    // A process may know its own number, and ask whether another lives.
    for (const [found] of code.matchAll(/\bprocess\.(?!pid\b|kill\b|js')\w+|\b(?:open|find)Workspace\b/g)) {
      yield `${relative(source, path)}: ${found} is for ${SPEAKERS.join(', ')} alone; take it as an argument`
    }
  }
}

/** A type that is searched for must be found once: two files of src may not export types of one name. */
function* sharedTypeNames() {
  const homes = new Map()
  for (const path of imports.keys()) {
    if (path.endsWith('.test.ts')) continue
    const declared = readFileSync(path, 'utf8').matchAll(/^export (?:type|interface|(?:abstract )?class|enum) (\w+)/gm)
    for (const [, name] of declared) homes.set(name, [...(homes.get(name) ?? []), relative(source, path)])
  }
  for (const [name, paths] of homes) {
    if (paths.length > 1 && !SHARED_TYPE_NAMES.has(name)) {
      yield `type ${name} is exported by ${paths.join(' and ')}: rename all but one`
    }
  }
  for (const name of SHARED_TYPE_NAMES) {
    if ((homes.get(name) ?? []).length < 2) yield `type ${name} has one home: take it off SHARED_TYPE_NAMES`
  }
}

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* files(path)
    else if (/\.tsx?$/.test(path)) yield path
  }
}
