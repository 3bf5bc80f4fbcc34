import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { cachedDataVersionTag, deserialize, serialize, setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

/**
 * The first file of the program: it loads the bundle, together with the machine code that V8 made of it the last time this
 * verb ran. To compile klens again costs more than most questions.
 */

/** `main` is the file of the bundle that holds the command line. */
export function start(folder: string, main: string, words: readonly string[] = process.argv.slice(2)): void {
  if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
    const { version } = JSON.parse(readFileSync(join(folder, '..', '..', 'package.json'), 'utf8'))
    process.stdout.write(`${version}\n`)
    return
  }
  const question = questionOf(words)
  const kept = new KeptCode(folder, main, question)
  const bundle = new Bundle(folder, kept)
  bundle.loadFromNode()
  const patience = PATIENCE[Number.parseInt(process.versions.node, 10)]
  const young = patience !== undefined && LISTS.has(question) ? YOUNG_STAYS : null
  if (patience !== undefined) setFlagsFromString(`${patience} ${ALL_KEPT}`)
  if (young !== null) {
    setFlagsFromString(young)
    setTimeout(() => setFlagsFromString(YOUNG_GROWS), SHORT_MS).unref()
  }
  // Node would take the whole heap apart before it ends; by now nothing is left to be done or written, unless by DuckDB.
  process.once('beforeExit', () => {
    if (!bundle.hasLibrary) process.exit()
  })
  process.once('exit', () => {
    // V8 takes kept code back only under the flags that it was made under.
    if (young !== null) setFlagsFromString(young)
    kept.save()
  })
  Reflect.get(bundle.load(`./${main}`), 'main')(words)
}

/** Questions that run the same code: `study status` needs little of what `study run` does, and help next to nothing. */
function questionOf(words: readonly string[]): string {
  const [verb = '', second = ''] = words
  const isHelp = words.some(word => word === '--help' || word === '-h')
  const names = isHelp ? [verb, 'help'] : GROUPS.has(verb) ? [verb, second] : [verb]
  return names.every(name => /^[a-z-]{1,20}$/.test(name)) ? names.join('-') : 'none'
}

const GROUPS: ReadonlySet<string> = new Set(['data', 'gym', 'study', 'weights'])

/**
 * By version of Node: a function is optimised when it has run seven times as long as V8 would wait. Most questions are
 * answered before that pays: a third of their time went into optimising on other threads. Long ones lose some
 * milliseconds a function. A version that does not know its flag would complain, so those that were not tried get none.
 */
const PATIENCE: { readonly [major: string]: string | undefined } = {
  20: '--interrupt-budget=500000',
  22: '--invocation-count-for-turbofan=21000',
  24: '--invocation-count-for-turbofan=21000',
}

/** No compiled function is let go: what a long import kept lacked all that had run once, and cost each later one 40 ms. */
const ALL_KEPT = '--no-flush-bytecode'

/**
 * Who lists what is stored keeps few objects alive: 1 MB for new ones, collected by one thread, fits into the processor's
 * cache and spares asking the system for 17 MB. After a third of a second it grows as V8 has it. Imports lose a tenth by it.
 */
const LISTS: ReadonlySet<string> = new Set(['runs', 'study-status'])
const YOUNG_STAYS = '--semi-space-growth-factor=1 --no-parallel-scavenge'
const YOUNG_GROWS = '--semi-space-growth-factor=2 --parallel-scavenge'
const SHORT_MS = 300

/** The files of the bundle, which require each other by name and everything else from Node. */
class Bundle {
  readonly #folder: string
  readonly #kept: KeptCode
  readonly #loaded = new Map<string, { exports: object }>()
  readonly #require: NodeJS.Require
  /** Whether there is a library that puts away its own files when Node takes the heap apart. */
  hasLibrary = false

  constructor(folder: string, kept: KeptCode) {
    this.#folder = folder
    this.#kept = kept
    this.#require = createRequire(join(folder, 'main.cjs'))
  }

  /** Node brings its own modules compiled, but that is refused once a flag is set: they would take three times as long. */
  loadFromNode(): void {
    for (const name of this.#kept.fromNode) this.#require(name)
    void process.stdout
  }

  load(name: string): object {
    if (!name.startsWith('./')) return HEAVY.has(name) ? this.#later(name) : this.#outside(name)
    const known = this.#loaded.get(name)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    this.#loaded.set(name, module)
    const path = join(this.#folder, name)
    this.#kept.code(name, path)(module.exports, (other: string) => this.load(other), module, path, this.#folder)
    return module.exports
  }

  #outside(name: string): object {
    if (name.startsWith('node:')) this.#kept.fromNode.add(name)
    else if (!isBuiltin(name)) this.hasLibrary = true
    return this.#require(name)
  }

  /** Stands for a module of Node until something of it is asked for. */
  #later(name: string): object {
    let loaded: object | undefined
    const get = (_: object, member: string | symbol): unknown => {
      loaded ??= this.#outside(name)
      return Reflect.get(loaded, member)
    }
    return new Proxy({}, { get })
  }
}

/** Each takes Node 2 to 8 ms to load, and is used by few questions. */
const HEAVY: ReadonlySet<string> = new Set(
  ['child_process', 'crypto', 'zlib', 'timers/promises', 'worker_threads'].map(name => `node:${name}`),
)

type Code = (exports: object, require: (name: string) => object, module: object, path: string, folder: string) => void

/** Files that were asked for together, as one script: one for each of them would cost a small question a tenth more. */
interface Kept {
  readonly names: readonly string[]
  /** An object of functions by the names of the files. */
  readonly texts: Buffer
  /** What V8 made of it, of no use to another version of Node; empty until it has been used again. */
  readonly made: Buffer
  /** The files that were used when that was made. */
  readonly used: readonly string[]
}

type Opened = readonly [script: Script, codes: { readonly [name: string]: Code }]

/** The code of the files that the same question loaded before. */
class KeptCode {
  readonly #path: string | null
  #kept: readonly Kept[]
  /** Modules of Node that were asked for. */
  readonly fromNode: Set<string>
  readonly #opened = new Map<Kept, Opened>()
  readonly #used = new Set<string>()
  readonly #added = new Map<string, string>()

  constructor(bundle: string, main: string, question: string) {
    const folder = cacheFolder(bundle)
    this.#path = folder && join(folder, `${main.replace(/\.cjs$/, '')}-${question}-${cachedDataVersionTag()}.code`)
    const { kept, fromNode } = readKept(this.#path)
    this.#kept = kept
    this.fromNode = new Set(fromNode)
  }

  /** Names of files hold a hash of their content, so that code is never that of an older file. */
  code(name: string, path: string): Code {
    this.#used.add(name)
    const kept = this.#kept.find(({ names }) => names.includes(name))
    const code = kept && this.#open(kept)?.[1][name]
    if (code !== undefined) return code
    const text = `function(exports,require,module,__filename,__dirname){${readFileSync(path, 'latin1')}\n}`
    this.#added.set(name, `${JSON.stringify(name)}:${text}`)
    return new Script(`(${text})`, { filename: path }).runInThisContext()
  }

  #open(kept: Kept): Opened | undefined {
    const known = this.#opened.get(kept)
    if (known !== undefined) return known
    try {
      const made = kept.made.length > 0 && { cachedData: kept.made }
      const script = new Script(kept.texts.toString('latin1'), { filename: this.#path ?? '', ...made })
      this.#opened.set(kept, [script, script.runInThisContext()])
      return this.#opened.get(kept)
    } catch {
      this.#kept = []
      return undefined
    }
  }

  /** At the end, when the functions that are needed have been compiled. What cannot be kept is made again next time. */
  save(): void {
    if (this.#path === null) return
    try {
      const kept = this.#kept.map(each => this.#made(each))
      if (this.#added.size > 0) {
        const texts = Buffer.from(`({${[...this.#added.values()].join(',\n')}})`)
        kept.push({ names: [...this.#added.keys()], texts, made: Buffer.alloc(0), used: [] })
      }
      if (kept.length === this.#kept.length && kept.every((each, i) => each === this.#kept[i])) return
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
      const passing = `${this.#path}.${process.pid}`
      writeFileSync(passing, serialize({ kept, fromNode: [...this.fromNode] }))
      renameSync(passing, this.#path)
    } catch {}
  }

  /** Made anew where V8 refused it or a file was used for the first time, and now and then looked at for functions that are new. */
  #made(kept: Kept): Kept {
    const [script] = this.#opened.get(kept) ?? []
    if (script === undefined) return kept
    const known = script.cachedDataRejected === false ? kept.used : []
    const used = kept.names.filter(name => this.#used.has(name) || known.includes(name))
    if (used.length === known.length && process.pid % LOOKED_AT_AGAIN > 0) return kept
    const made = script.createCachedData()
    return used.length === known.length && made.length < GROWN * kept.made.length ? kept : { ...kept, made, used }
  }
}

/** One run in so many, and by so much. */
const LOOKED_AT_AGAIN = 16
const GROWN = 1.01

function readKept(path: string | null): { readonly kept: readonly Kept[]; readonly fromNode: readonly string[] } {
  try {
    const { kept, fromNode }: ReturnType<typeof readKept> = deserialize(readFileSync(path ?? ''))
    return { kept, fromNode: fromNode.filter(isBuiltin) }
  } catch {
    return { kept: [], fromNode: [] }
  }
}

/** In a checkout beside the build, which clears it; else among the user's own files, where an uninstall leaves nothing behind. */
function cacheFolder(bundle: string): string | null {
  if (process.env.KLENS_CODE_CACHE === 'off') return null
  const isCheckout = existsSync(join(bundle, '..', '..', 'src'))
  const folder = isCheckout ? join(bundle, '..', 'code-cache') : join(userCache(), 'klens')
  // Code that another user could have put there is not run.
  const isMine = process.getuid === undefined || !existsSync(folder) || statSync(folder).uid === process.getuid()
  return isMine ? folder : null
}

function userCache(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  return XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), '.cache')
}
