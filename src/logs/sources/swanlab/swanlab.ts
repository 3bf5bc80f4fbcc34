import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.js'
import type { RunAbout } from '../../model/run.js'
import { recordLogSource } from '../binary/record-log-source.js'
import { readConfigFile } from '../config/config-file.js'
import { parsePythonJson } from '../python-json.js'
import { swanlabDecoder } from './decoder.js'
import { jsonRecords, protobufRecords } from './records.js'

const say = sentences({
  'swanlab.damaged': {
    en: '{count} damaged {count|place|places} in the SwanLab log, {bytes} bytes in all (first at byte {offset}): what was logged there is lost, the rest was read',
    zh: 'SwanLab 日志有 {count} 处损坏，共 {bytes} 字节（首处在第 {offset} 字节）：损坏处的记录已丢失，其余部分已正常读取',
  },
  'swanlab.undecodable': {
    en: '{count} {count|record|records} of the SwanLab log could not be decoded and {count|was|were} left out',
    zh: 'SwanLab 日志中有 {count} 条记录无法解码，已略过',
  },
  'swanlab.version': {
    en: 'this SwanLab log has format version {version}, klens reads versions up to {known}: nothing was read; please update klens',
    zh: '该 SwanLab 日志的格式版本为 {version}，klens 仅支持到版本 {known}，因此未读取任何内容；请升级 klens',
  },
})

const NEWEST_VERSION = 2

/**
 * SwanLab's own log, which offline and online runs write alike: `run-<id>.swanlab` since 0.8, `backup.swanlab` before.
 * The container is W&B's with another header; the records are protobuf (header version 2) or JSON (0 and 1), and
 * SwanLab itself reads only the version it writes. Console output, media and the machine's load are passed over.
 */
export const swanlab = recordLogSource({
  id: 'swanlab',
  format: { ident: ':SWL', magic: 0xe1d6, version: NEWEST_VERSION },
  open: (cursor, version) => swanlabDecoder(cursor, version === NEWEST_VERSION ? protobufRecords : jsonRecords),
  introduction: { batches: 2, isComplete: about => about.name !== undefined },

  belonging(file, about) {
    const folder = dirname(file.path)
    const id = about.trackerId ?? idFromFolder(folder)
    return {
      run: `swanlab:${id ?? file.path}`,
      name: about.name ?? id ?? basename(folder),
      folder,
      order: about.startedAt ?? file.modifiedMs / 1000,
      ...(id !== undefined && { trackerId: id }),
    }
  },

  readBeside: readSidecars,
  complaints: {
    version: params => say('swanlab.version', params),
    damaged: params => say('swanlab.damaged', params),
    undecodable: params => say('swanlab.undecodable', params),
  },
  surroundings: { parts: names => (names.some(name => name.endsWith('.swanlab')) ? BESIDE_LOG : new Set()) },
})

/** What the log names, console output and media. */
const BESIDE_LOG = new Set(['files', 'logs', 'console', 'debug', 'media'])

/** `run-20261115_102350-kf18dft6vtm8es1gleqs5`; logs before 0.6.8 do not tell the id themselves. */
function idFromFolder(folder: string): string | undefined {
  return /^run-\d{8}_\d{6}-(.+)$/.exec(basename(folder))?.[1]
}

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
