import { basename, dirname } from 'node:path'
import { sentences } from '../../../text/sentences.js'
import { recordLogSource } from '../binary/record-log-source.js'
import { wandbDecoder } from './decoder.js'

const say = sentences({
  'wandb.damaged': {
    en: '{count} damaged {count|place|places} in the W&B log, {bytes} bytes in all (first at byte {offset}): what was logged there is lost, the rest was read',
    zh: 'W&B 日志有 {count} 处损坏，共 {bytes} 字节（首处在第 {offset} 字节）：损坏处的记录已丢失，其余部分已正常读取',
  },
  'wandb.undecodable': {
    en: '{count} {count|record|records} of the W&B log could not be decoded and {count|was|were} left out',
    zh: 'W&B 日志中有 {count} 条记录无法解码，已略过',
  },
  'wandb.version': {
    en: 'this W&B log has format version {version}, klens reads version {known}: nothing was read; please update klens',
    zh: '该 W&B 日志的格式版本为 {version}，klens 仅支持版本 {known}，因此未读取任何内容；请升级 klens',
  },
})

/**
 * W&B's own log, `run-<id>.wandb`, which offline and online runs write alike. Everything is in it: config, history,
 * environment, how the run ended. The files beside it are not needed; offline runs of W&B 0.30 and 0.31 do not even have them.
 * Summaries, system stats and console output are passed over: half of the bytes, and nothing that klens asks for.
 */
export const wandb = recordLogSource({
  id: 'wandb',
  format: { ident: ':W&B', magic: 0xbee1, version: 0 },
  open: wandbDecoder,
  // The run is the second record of a log, behind which a large config may stand.
  introduction: { batches: 8, isComplete: about => about.trackerId !== undefined },

  belonging(file, about) {
    const folder = dirname(file.path)
    const id = about.trackerId ?? idFromName(basename(file.path)) ?? basename(folder)
    // An id is one run's alone only within its project.
    const scope = about.project === undefined ? '' : `${about.entity ?? ''}/${about.project}`
    return {
      run: `wandb:${scope}/${id}`,
      name: about.name ?? id,
      folder,
      order: about.startedAt ?? startFromFolder(folder) ?? file.modifiedMs / 1000,
      trackerId: id,
      trackerScope: scope,
    }
  },

  complaints: {
    version: params => say('wandb.version', params),
    damaged: params => say('wandb.damaged', params),
    undecodable: params => say('wandb.undecodable', params),
  },
  surroundings: {
    parts: names => (names.some(name => name.endsWith('.wandb')) ? BESIDE_LOG : new Set()),
    // `wandb/debug.log` is a link to W&B's own log of the newest run, which quotes the config.
    isPart: path => /[\\/]wandb[\\/](?:.+[\\/])?debug(?:-[\w.]+)?\.log$/.test(path),
  },
})

/** Copies of what the log holds, console output, code and media. */
const BESIDE_LOG = new Set(['files', 'logs', 'tmp'])

function idFromName(name: string): string | undefined {
  return /^run-(.+)\.wandb$/.exec(name)?.[1]
}

/** `offline-run-20261115_043613-<id>`, in the writer's local time. */
function startFromFolder(folder: string): number | undefined {
  const parts = /run-(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)-/.exec(basename(folder))?.slice(1).map(Number)
  if (parts === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  return new Date(year, month - 1, day, hour, minute, second).getTime() / 1000
}
