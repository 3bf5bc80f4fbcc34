/**
 * Rules of the architecture that no off-the-shelf linter knows: a module imports only from modules above it, of another group only what its
 * `index.ts` names, cli only asks and prints, the page only asks the server, files do not import each other in a circle, no two files export types of one name, only who speaks with a person touches
 * the process, and a verb that reads stored runs loads no readers of logs. (`test/sentences.test.ts` looks at the sentences.)
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The groups in order, each with its modules in order. A group of one module is that module. What other groups may use of a
 * group stands in its `index.ts`; they name the file itself, so that nothing else is loaded with it.
 */
const GROUPS = {
  text: ['text'],
  stats: ['stats'],
  logs: ['model', 'document', 'sources'],
  core: ['store', 'analysis', 'diagnosis', 'charts', 'present'],
  audit: ['audit'],
  lab: ['endpoint', 'weights', 'gym', 'train', 'launch', 'study'],
  app: ['ask', 'library', 'mcp', 'server', 'cli'],
}
const MODULES = Object.values(GROUPS).flat()

/** Names that several files export still. Only ever take names off this list. */
const SHARED_TYPE_NAMES = new Set(
  `Amounts Answer Block Cell Choice Collapse Column DataFiles DialogueFigures Evaluation
   EvaluationNoise Job Judged Knob Layout Machine Matrix Memory Message Numbers Outcome ParquetColumn
   Phase Place Policy Resolution ScoreCourse Split Standing Statement Stretch Surroundings Table
   Template Token Turn Values Window`.split(/\s+/),
)

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'src')
const imports = new Map([...files(source)].map(path => [path, importsOf(path)]))
const problems = [
  ...upwardImports(),
  ...importsPastTheIndex(),
  ...cliImports(),
  ...webImports(),
  ...circles(),
  ...processesTouched(),
  ...sharedTypeNames(),
  ...filesLoaded(),
]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`architecture: ${MODULES.length} modules in ${Object.keys(GROUPS).length} groups in order, no circles`)

/** What a file imports from files of klens, types included. */
function importsOf(path) {
  const found = readFileSync(path, 'utf8').matchAll(
    /(?:import|export)( type)? (?:[^'()]*? from )?'(\.[^']+)'|import\('(\.[^']+)'\)/g,
  )
  return [...found].map(([, type, from, lazy]) => ({
    path: resolve(dirname(path), from ?? lazy).replace(/\.js$/, '.ts'),
    isType: type !== undefined,
    isLazy: lazy !== undefined,
  }))
}

function groupOf(path) {
  return relative(source, path).split(sep)[0]
}

/** The module of a file; an index belongs to the last module of its group, for it names files of all. */
function moduleOf(path) {
  const [group, ...rest] = relative(source, path).split(sep)
  const modules = GROUPS[group] ?? []
  if (modules.length === 1) return group
  return rest[0] === 'index.ts' ? modules.at(-1) : rest[0]
}

/** What a group's index offers: names by file. */
function surfaceOf(group) {
  const surface = new Map()
  const text = readFileSync(join(source, group, 'index.ts'), 'utf8')
  for (const [, names, from] of text.matchAll(/export (?:type )?\{([^}]*)\} from '(\.[^']+)'/g)) {
    const path = resolve(source, group, from).replace(/\.js$/, '.ts')
    surface.set(path, new Set([...(surface.get(path) ?? []), ...namesIn(names)]))
  }
  return surface
}

function namesIn(list) {
  return list.split(',').flatMap(
    name =>
      name
        .trim()
        .replace(/^type /, '')
        .split(' as ')[0]
        .trim() || [],
  )
}

/** Across groups only what the index of the other group names may be imported, and it names nothing that no other group imports. */
function* importsPastTheIndex() {
  const surfaces = new Map(
    Object.keys(GROUPS)
      .slice(0, -1)
      .map(group => [group, surfaceOf(group)]),
  )
  const used = new Set()
  for (const path of [...imports.keys(), ...files(join(root, 'web'))]) {
    if (/\.test\.tsx?$/.test(path)) continue
    for (const { target, names } of namedImports(path)) {
      const group = groupOf(target)
      const surface = surfaces.get(group)
      if (surface === undefined || group === groupOf(path)) continue
      for (const name of names) {
        used.add(`${target} ${name}`)
        if (surface.get(target)?.has(name)) continue
        yield `${relative(root, path)}: ${name} of ${relative(root, target)} is not in src/${group}/index.ts`
      }
    }
  }
  for (const [group, surface] of surfaces) {
    for (const [path, names] of surface) {
      for (const name of names) {
        if (used.has(`${path} ${name}`)) continue
        yield `src/${group}/index.ts: ${name} of ${relative(root, path)} is used by no other group`
      }
    }
  }
}

/** What a file imports from where, name by name; lazily imported files too, by the names taken from them. */
function namedImports(path) {
  const text = readFileSync(path, 'utf8')
  const named = text.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/g)
  const lazy = text.matchAll(/\{([^{}]*)\} = await import\('(\.[^']+)'\)/g)
  const members = [...text.matchAll(/\(await import\('(\.[^']+)'\)\)\.(\w+)/g)].map(([all, from, name]) => [
    all,
    name,
    from,
  ])
  return [...named, ...lazy, ...members].map(([, names, from]) => ({
    target: resolve(dirname(path), from).replace(/\.js$/, '.ts'),
    names: namesIn(names.replaceAll(':', ' as ')),
  }))
}

function* upwardImports() {
  for (const [path, targets] of imports) {
    const module = moduleOf(path)
    if (!MODULES.includes(module)) yield `${relative(source, path)}: "${module}" is no module`
    for (const target of targets) {
      // What is presented may be made anywhere; of an answer, present knows the type alone.
      if (module === 'present' && target.isType) continue
      if (MODULES.indexOf(moduleOf(target.path)) > MODULES.indexOf(module)) {
        yield `${relative(source, path)}: ${module} may not import from ${moduleOf(target.path)}, which lies below it`
      }
    }
  }
}

/** Parse, ask, print: whatever else a verb would need belongs into a question. */
function* cliImports() {
  const tools = ['axis.ts', 'problem.ts', 'json.ts', 'vocabulary/suggest.ts'].map(name =>
    join(source, 'logs', 'model', name),
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
  const SPEAKERS = ['ask', 'library', 'server', 'cli']
  const home = join(source, 'core', 'store', 'workspace.ts')
  for (const path of imports.keys()) {
    if (SPEAKERS.includes(moduleOf(path)) || path.endsWith('.test.ts') || path === home) continue
    if (basename(path) === 'index.ts' && dirname(dirname(path)) === source) continue
    const code = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    // A process may know its own number, and ask whether another lives.
    for (const [found] of code.matchAll(/\bprocess\.(?!pid\b|kill\b|js')\w+|\b(?:open|find)Workspace\b/g)) {
      yield `${relative(source, path)}: ${found} is for ${SPEAKERS.join(', ')} alone; take it as an argument`
    }
  }
}

/**
 * What `klens compare` reads from disk when both runs are in the store already: the files that the command line and the verb
 * import before anything is asked. In 0.2 it was 313 files, most of them readers of logs that were never used.
 */
function* filesLoaded() {
  const most = 165
  const loaded = new Set()
  const load = path => {
    if (loaded.has(path)) return
    loaded.add(path)
    for (const target of imports.get(path) ?? []) if (!target.isType && !target.isLazy) load(target.path)
  }
  for (const name of ['main.ts', 'compare.ts']) load(join(source, 'app', 'cli', name))
  // Tables of the frameworks are data, one small file each.
  const code = [...loaded].filter(path => !path.includes(join('model', 'frameworks')))
  if (code.length <= most) return
  yield `klens compare loads ${code.length} files, of which ${most} are allowed: import lazily what only some answers need`
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
