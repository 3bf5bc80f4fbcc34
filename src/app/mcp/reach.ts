import { resolve } from 'node:path'
import { Problem } from '../../logs/model/problem.js'
import { liesWithin } from '../../logs/model/util/lies-within.js'
import { sentences } from '../../text/sentences.js'

/** Files that an assistant may name: those of one folder, whatever links lie in it. */

const say = sentences({
  'mcp.outside': {
    en: '"{path}" is not in the project folder; an assistant can name files of that folder only',
    zh: '“{path}”不在项目文件夹内；助手只能使用该文件夹内的文件',
  },
  'mcp.no-files': {
    en: 'this server takes no files: give texts, or ask at the machine itself',
    zh: '本服务不接受文件：请直接给出文本，或在本机上提问',
  },
})

/** The path as it is to be opened. */
export async function fileWithin(folder: string | null, path: string): Promise<string> {
  if (folder === null) throw new Problem('bad-request', say('mcp.no-files', {}))
  if (!(await liesWithin(folder, path))) throw new Problem('bad-request', say('mcp.outside', { path }))
  return resolve(folder, path)
}
