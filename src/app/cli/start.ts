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
    this.#kept.code(name, path)(module.exports, (other: string) => this.load(other), module, path, this.#folder)
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

type Code = (exports: object, require: (name: string) => object, module: object, path: string, folder: string) => void

/**
 * The files that the same question loaded before, as one script, and what V8 made of it, of no use to another version of
 * Node. A script for each file would take V8 longer by a tenth of a small question.
 */
class KeptCode {
  readonly #path: string | null
  readonly #kept: Kept
  /** Modules of Node that were asked for. */
  readonly fromNode: Set<string>
  #script: Script | null = null
  #codes: { readonly [name: string]: Code | undefined } | null = null
  readonly #used = new Set<string>()
  readonly #added: string[] = []

  constructor(bundle: string, main: string, question: string) {
    const folder = cacheFolder(bundle)
    this.#path = folder && join(folder, `${main.replace(/\.cjs$/, '')}-${question}-${cachedDataVersionTag()}.code`)
    this.#kept = readKept(this.#path)
    this.fromNode = new Set(this.#kept.fromNode)
  }

  /** Names of files hold a hash of their content, so that code is never that of an older file. */
  code(name: string, path: string): Code {
    this.#codes ??= this.#openKept()
    this.#used.add(name)
    const code = this.#codes[name]
    if (code !== undefined) return code
    const text = `function(exports,require,module,__filename,__dirname){${readFileSync(path, 'latin1')}\n}`
    this.#added.push(`${JSON.stringify(name)}:${text}`)
    return new Script(`(${text})`, { filename: path }).runInThisContext()
  }

  #openKept(): { readonly [name: string]: Code } {
    const { texts, made } = this.#kept
    if (this.#path === null || texts.length === 0) return {}
    try {
      const cached = made.length > 0 && { cachedData: made }
      this.#script = new Script(texts.toString('latin1'), { filename: this.#path, ...cached })
      return this.#script.runInThisContext()
    } catch {
      return {}
    }
  }

  /**
   * At the end, when the functions that are needed have been compiled. Code is kept once all files stand in one script, and
   * added to where a question used a file that none did before. What cannot be kept is made again next time.
   */
  save(): void {
    const { texts, used } = this.#kept
    const known = new Set(this.#script?.cachedDataRejected === false ? used : [])
    const isNew = this.#added.length > 0
    if (this.#path === null || !(isNew || [...this.#used].some(name => !known.has(name)))) return
    try {
      const earlier = this.#script === null ? [] : [texts.toString('latin1').slice(2, -2)]
      const kept: Kept = {
        texts: Buffer.from(`({${[...earlier, ...this.#added].join(',\n')}})`),
        made: (isNew ? null : this.#script?.createCachedData()) ?? Buffer.alloc(0),
        used: isNew ? [] : [...known, ...this.#used],
        fromNode: [...this.fromNode],
      }
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
      const passing = `${this.#path}.${process.pid}`
      writeFileSync(passing, serialize(kept))
      renameSync(passing, this.#path)
    } catch {}
  }
}

interface Kept {
  /** An object of functions by the names of their files. */
  readonly texts: Buffer
  readonly made: Buffer
  /** Files that were used when the code was made. */
  readonly used: readonly string[]
  readonly fromNode: readonly string[]
}

function readKept(path: string | null): Kept {
  try {
    const kept: Kept = deserialize(readFileSync(path ?? ''))
    return { ...kept, fromNode: kept.fromNode.filter(isBuiltin) }
  } catch {
    return { texts: Buffer.alloc(0), made: Buffer.alloc(0), used: [], fromNode: [] }
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
