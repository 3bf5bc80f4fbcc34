import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, extname, isAbsolute, relative, resolve } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../../../logs/model/problem.js'
import { message } from '../../../../text/say.js'
import { sentences } from '../../../../text/sentences.js'
import { parseBoundedJson } from '../../../weights/weights-file.js'
import { readTaskFile, type Split, textOf } from '../task.js'

/**
 * Questions with their answers, one JSON object on each line, in the order of the embeddings' rows:
 *   {"id": "q1", "text": "What is on the table?", "image": "images/1.jpg", "answers": ["a cup", "cup"], "split": "test"}
 * `image` is a path below the file's folder, or below the folder of images where one is named; none leads out of it,
 * because what it leads to is sent to a server. A query and an example look alike; which it is, the caller says.
 */
export interface Item {
  readonly id: string
  readonly text: string
  readonly image: Image | null
  /** All that count as right: ten annotators' words, or one. */
  readonly answers: readonly string[]
  readonly split: Split | null
}

export interface Image {
  readonly path: string
  readonly mediaType: string
}

interface ItemFile {
  readonly items: readonly Item[]
  /** SHA-256 over the file and its images. */
  readonly hash: string
}

const itemSchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  text: z.string(),
  image: z.string().optional(),
  answers: z.array(z.string()).min(1),
  split: z.enum(['train', 'val', 'test']).optional(),
})

const MEDIA_TYPES: { readonly [extension: string]: string | undefined } = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
}

export interface ItemOptions {
  /** Without images the items are plain questions; of `names` alone the pictures are not even looked for. */
  readonly images: boolean | 'names'
  /** Where the pictures lie; null: beside the file. */
  readonly folder?: string | null
}

export async function readItems(file: string, { images, folder = null }: ItemOptions): Promise<ItemFile> {
  const root = resolve(folder ?? dirname(file))
  const bytes = await readTaskFile(file)
  const hash = createHash('sha256').update(bytes)
  const items: Item[] = []
  const seen = new Set<string>()
  for (const [i, text] of textOf(file, bytes).split('\n').entries()) {
    if (text.trim() === '') continue
    const read = readItem(file, i + 1, text, root)
    const item = images === false ? { ...read, image: null } : read
    if (seen.has(item.id))
      throw new Problem('unreadable', message('llm.repeated-item', { file, line: i + 1, id: item.id }))
    seen.add(item.id)
    items.push(item)
    // Read now: a picture that is missing or changed must show before the first request is paid for.
    if (item.image !== null && images === true) hash.update(await readImage(item.image, root))
  }
  if (items.length === 0) throw new Problem('not-enough', message('llm.no-items', { file }))
  return { items, hash: hash.digest('hex') }
}

function readItem(file: string, line: number, text: string, root: string): Item {
  const parsed = itemSchema.safeParse(parseBoundedJson(text))
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') || 'JSON'
    throw new Problem('unreadable', message('llm.bad-item', { file, line, field }))
  }
  const { image, split = null, ...rest } = parsed.data
  return { ...rest, split, image: image === undefined ? null : imageAt(file, line, image, root) }
}

function imageAt(file: string, line: number, image: string, root: string): Image {
  const mediaType = MEDIA_TYPES[extname(image).toLowerCase()]
  if (mediaType === undefined)
    throw new Problem('unreadable', message('llm.image-type', { file, line, image: extname(image) }))
  const path = resolve(root, image)
  if (!isInside(path, root)) throw new Problem('unreadable', say('items.image-outside', { image, folder: root }))
  return { path, mediaType }
}

/** A picture larger than this is none that a model was meant to see. */
const LARGEST_IMAGE = 20 << 20

/** Links are followed as far as the folder reaches, and no further. */
async function readImage({ path }: Image, root: string): Promise<Buffer> {
  const real = await realpath(path).catch(() => path)
  if (!isInside(real, await realpath(root).catch(() => root))) {
    throw new Problem('unreadable', say('items.image-outside', { image: relative(root, path), folder: root }))
  }
  const size = (await stat(real).catch(() => null))?.size ?? 0
  if (size > LARGEST_IMAGE) {
    throw new Problem('unreadable', say('items.image-too-large', { path, megabytes: Math.ceil(size / 2 ** 20) }))
  }
  return readTaskFile(real)
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way.split(/[\\/]/)[0] !== '..' && !isAbsolute(way)
}

/** How a picture is sent. It was looked at when the items were read. */
export async function dataUrl({ path, mediaType }: Image): Promise<string> {
  return `data:${mediaType};base64,${(await readFile(path)).toString('base64')}`
}

const say = sentences({
  'items.image-outside': {
    en: '{image} is not inside {folder}; pictures are sent from this folder only, name another with --images or data.images',
    zh: '{image} 不在 {folder} 内；只发送该文件夹中的图片，可用 --images 或 data.images 指定其他文件夹',
  },
  'items.image-too-large': {
    en: '{path} has {megabytes} MB; a picture may have 20 MB',
    zh: '{path} 有 {megabytes} MB；图片上限为 20 MB',
  },
})
