import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Workspace } from '../../core/store/workspace.js'
import { sha256 } from '../../logs/model/id.js'
import { sentences } from '../../text/sentences.js'
import { answerHere, helperDied, refused } from './answer.js'
import { note, type RequestContext, type Served } from './served.js'
import { Turns } from './turns.js'
import { bytesWithin, languageOf, send } from './wire.js'

/**
 * `/api/upload`: a log as one body. It is kept in the workspace under the hash of its content, so that sending it twice
 * changes nothing, and imported like any other, by a process of its own: a log of 300,000 metrics takes seconds without a
 * pause. The name is only a label.
 */

const say = sentences({
  'serve.log-too-large': { en: '64 MB at most', zh: '最多 64 MB' },
})

const MOST_LOG = 64 << 20
/** At once; further ones wait. */
const imports = new Turns(2)

export async function upload(c: RequestContext, served: Served): Promise<Response> {
  const bytes = await bytesWithin(c.env.incoming, MOST_LOG)
  if (bytes === null) return send(c, refused(413, 'bad-request', say('serve.log-too-large', {}), languageOf(c)))
  const name = c.req.query('name') ?? ''
  await note(c, served, 'upload', { name, bytes: bytes.length })
  const lang = c.req.query('lang') === 'zh' ? 'zh' : 'en'
  const { workspace, helper } = served
  const request = { paths: [await keepUpload(workspace, name, bytes)] }
  // A page that is closed meanwhile leaves the log to be imported all the same.
  const { signal } = new AbortController()
  const answered = await imports.take(() =>
    helper === null
      ? answerHere(workspace, 'import', request, lang, { signal })
      : helper.askApart('import', request, lang, { signal }),
  )
  return send(c, answered ?? helperDied(lang), served.shown)
}

async function keepUpload(workspace: Workspace, name: string, bytes: Buffer): Promise<string> {
  const folder = join(workspace.root, 'uploads', sha256(bytes).slice(0, 16))
  const path = join(folder, harmlessName(name))
  await mkdir(folder, { recursive: true })
  await writeFile(path, bytes)
  return path
}

function harmlessName(name: string): string {
  const label = basename(name.replaceAll('\\', '/'))
    .replace(/[\u0000-\u001f\u007f/:*?"<>|]/g, '_')
    .replace(/^\.+/, '')
    .slice(-120)
  return label === '' ? 'log.jsonl' : label
}
