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
  const kept = new KeptCode(folder, main, questionOf(words))
  const bundle = new Bundle(folder, kept)
  bundle.loadFromNode()
  const flags = V8_FLAGS[Number.parseInt(process.versions.node, 10)]
  if (flags !== undefined) setFlagsFromString(flags)
  process.once('exit', () => kept.save())
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
 * milliseconds a function. And no compiled function is let go: what a long import kept lacked all that had run once, and
 * cost each later one 40 ms. A version that does not know its flag would complain, so those that were not tried get none.
 */
const V8_FLAGS: { readonly [major: string]: string | undefined } = {
  20: '--interrupt-budget=500000 --no-flush-bytecode',
  22: '--invocation-count-for-turbofan=21000 --no-flush-bytecode',
  24: '--invocation-count-for-turbofan=21000 --no-flush-bytecode',
}

/** The files of the bundle, which require each other by name and everything else from Node. */
class Bundle {
  readonly #folder: string
  readonly #kept: KeptCode
  readonly #loaded = new Map<string, { exports: object }>()
  readonly #require: NodeJS.Require

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
    const run = this.#kept.compile(name, path).runInThisContext()
    run(module.exports, (other: string) => this.load(other), module, path, this.#folder)
    return module.exports
  }

  #outside(name: string): object {
    if (name.startsWith('node:')) this.#kept.fromNode.add(name)
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

/** What V8 made of the files that the same question loaded before, of no use to another version of Node. */
class KeptCode {
  readonly #path: string | null
  readonly #kept: ReadonlyMap<string, Buffer>
  readonly #scripts = new Map<string, Script>()
  /** Modules of Node that were asked for. */
  readonly fromNode: Set<string>
  #isStale = false

  constructor(bundle: string, main: string, question: string) {
    const folder = cacheFolder(bundle)
    this.#path = folder && join(folder, `${main.replace(/\.cjs$/, '')}-${question}-${cachedDataVersionTag()}.bin`)
    const { kept, fromNode } = readKept(this.#path)
    this.#kept = kept
    this.fromNode = new Set(fromNode)
  }

  /** Names of files hold a hash of their content, so that code is never that of an older file. */
  compile(name: string, path: string): Script {
    const source = `(function(exports,require,module,__filename,__dirname){${readFileSync(path, 'utf8')}\n})`
    const cachedData = this.#kept.get(name)
    const script = new Script(source, { filename: path, ...(cachedData !== undefined && { cachedData }) })
    if (cachedData === undefined || script.cachedDataRejected === true) this.#isStale = true
    this.#scripts.set(name, script)
    return script
  }

  /** At the end, when the functions that are needed have been compiled. What cannot be kept is made again next time. */
  save(): void {
    if (!this.#isStale || this.#path === null) return
    try {
      const kept = new Map(this.#kept)
      for (const [name, script] of this.#scripts) kept.set(name, script.createCachedData())
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
      const passing = `${this.#path}.${process.pid}`
      writeFileSync(passing, serialize({ kept, fromNode: [...this.fromNode] } satisfies Kept))
      renameSync(passing, this.#path)
    } catch {}
  }
}

interface Kept {
  readonly kept: ReadonlyMap<string, Buffer>
  readonly fromNode: readonly string[]
}

function readKept(path: string | null): Kept {
  try {
    const { kept, fromNode }: Kept = deserialize(readFileSync(path ?? ''))
    return { kept: new Map(kept), fromNode: fromNode.filter(isBuiltin) }
  } catch {
    return { kept: new Map(), fromNode: [] }
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
