import { createHash } from 'node:crypto'
import { dirname, extname, resolve } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../../model/problem.js'
import { message } from '../../../text/say.js'
import type { Split } from '../task.js'
import { readTaskFile, textOf } from '../task-file.js'

/**
 * Questions with their answers, one JSON object on each line, in the order of the embeddings' rows:
 *   {"id": "q1", "text": "What is on the table?", "image": "images/1.jpg", "answers": ["a cup", "cup"], "split": "test"}
 * `image` is a path beside the file. A query and an example look alike; which it is, the caller says.
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

export interface ItemFile {
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

/** Without images the items are plain questions, and the pictures are not even looked for. */
export async function readItems(file: string, { images }: { readonly images: boolean }): Promise<ItemFile> {
  const bytes = await readTaskFile(file)
  const hash = createHash('sha256').update(bytes)
  const items: Item[] = []
  const seen = new Set<string>()
  for (const [i, text] of textOf(file, bytes).split('\n').entries()) {
    if (text.trim() === '') continue
    const read = readItem(file, i + 1, text)
    const item = images ? read : { ...read, image: null }
    if (seen.has(item.id))
      throw new Problem('unreadable', message('llm.repeated-item', { file, line: i + 1, id: item.id }))
    seen.add(item.id)
    items.push(item)
    // Read now: a picture that is missing or changed must show before the first request is paid for.
    if (item.image !== null) hash.update(await readTaskFile(item.image.path))
  }
  if (items.length === 0) throw new Problem('not-enough', message('llm.no-items', { file }))
  return { items, hash: hash.digest('hex') }
}

function readItem(file: string, line: number, text: string): Item {
  const parsed = itemSchema.safeParse(parseJson(text))
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') || 'JSON'
    throw new Problem('unreadable', message('llm.bad-item', { file, line, field }))
  }
  const { image, split = null, ...rest } = parsed.data
  return { ...rest, split, image: image === undefined ? null : imageAt(file, line, image) }
}

function imageAt(file: string, line: number, image: string): Image {
  const mediaType = MEDIA_TYPES[extname(image).toLowerCase()]
  if (mediaType === undefined)
    throw new Problem('unreadable', message('llm.image-type', { file, line, image: extname(image) }))
  return { path: resolve(dirname(file), image), mediaType }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
