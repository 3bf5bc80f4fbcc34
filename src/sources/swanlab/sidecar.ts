import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.js'
import type { RunAbout } from '../../model/run.js'
import { readConfigFile } from '../config/config-file.js'
import { parsePythonJson } from '../python-json.js'

/**
 * The files that SwanLab keeps beside its log: `files/config.yaml`, which alone holds the settings, and
 * `files/swanlab-metadata.json` with host, command and code. The log only names them, by paths of the machine it ran on.
 */
export async function readSidecars(logPath: string): Promise<readonly RunEvent[]> {
  const folder = join(dirname(logPath), 'files')
  const events: RunEvent[] = []
  const config = join(folder, 'config.yaml')
  if (await isFile(config, LARGEST_CONFIG)) {
    const read = await readConfigFile(config)
    events.push({ type: 'config', config: read.config })
    for (const message of read.warnings) events.push({ type: 'warning', message })
  }
  const metadata = join(folder, 'swanlab-metadata.json')
  if (await isFile(metadata, LARGEST_METADATA)) {
    const value = parsePythonJson(await readFile(metadata, 'utf8'))
    if (isJsonObject(value)) events.push({ type: 'about', about: aboutOf(value) })
  }
  return events
}

const LARGEST_CONFIG = Number.POSITIVE_INFINITY
/** Real ones have a few kilobytes. */
const LARGEST_METADATA = 4 << 20

async function isFile(path: string, largest: number): Promise<boolean> {
  try {
    const about = await stat(path)
    return about.isFile() && about.size <= largest
  } catch {
    return false
  }
}

/** Since 0.8 in groups; before, all in one row. */
function aboutOf(metadata: JsonObject): RunAbout {
  const runtime = memberOf(metadata, 'runtime')
  const git = memberOf(metadata, 'git')
  const info = Array.isArray(metadata.git_info) ? metadata.git_info : []
  const command = textOf(runtime.command ?? metadata.command)
  const versions = {
    swanlab: textOf(memberOf(metadata, 'swanlab').version),
    python: textOf(runtime.python_version ?? metadata.python),
  }
  const about = {
    host: textOf(runtime.hostname ?? metadata.hostname),
    program: command.split(' ').find(word => word.endsWith('.py')) ?? '',
    remote: textOf(git.remote_url ?? metadata.git_remote),
    commit: textOf(git.commit ?? info[1]),
    versions: Object.fromEntries(Object.entries(versions).filter(([, version]) => version !== '')),
  }
  return Object.fromEntries(Object.entries(about).filter(([, member]) => member !== ''))
}

function memberOf(object: JsonObject, key: string): JsonObject {
  const member: Json | undefined = object[key]
  return isJsonObject(member) ? member : {}
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
