import type { Block } from '../../core/present/blocks.js'
import { plainText } from '../library/answer-blocks.js'

/**
 * Blocks as texts of limited length. A block that is too long is cut between its rows, and its title and header stand on
 * every piece; what is folded is left out and can be asked for by its title.
 */
export function pagesOf(blocks: readonly Block[], most: number): readonly string[] {
  const pages: string[] = []
  for (const piece of blocks.flatMap(block => piecesOf(block, most))) {
    const last = pages.at(-1)
    if (last !== undefined && last.length + piece.length + 2 <= most) pages[pages.length - 1] = `${last}\n\n${piece}`
    else pages.push(piece)
  }
  return pages
}

/** What can be asked for by its title. */
export function sectionsOf(blocks: readonly Block[]): readonly SectionBlock[] {
  return blocks.filter((block): block is SectionBlock => block.kind === 'section' || block.kind === 'fold')
}

type SectionBlock = Extract<Block, { readonly kind: 'section' | 'fold' }>

function piecesOf(block: Block, most: number): readonly string[] {
  const text = plainText([block])
  if (text === '') return []
  if (text.length <= most) return [text]
  const parts = partsOf(block, Math.ceil((1.2 * text.length) / most))
  return parts.length > 1 ? parts.flatMap(part => piecesOf(part, most)) : linesWithin(text, most)
}

/** The same block so many times, with a part of its rows each; itself where it has no rows to part. */
function partsOf(block: Block, count: number): readonly Block[] {
  const parted = <Row>(rows: readonly Row[], make: (rows: readonly Row[]) => Block): readonly Block[] => {
    const size = Math.max(1, Math.floor(rows.length / count))
    const starts = Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => i * size)
    return starts.map(from => make(rows.slice(from, from + size)))
  }
  switch (block.kind) {
    case 'table':
      return parted(block.rows, rows => ({ ...block, rows }))
    case 'pairs':
      return parted(block.rows, rows => ({ ...block, rows }))
    case 'list':
      return parted(block.items, items => ({ ...block, items }))
    case 'findings':
      return parted(block.items, items => ({ ...block, items }))
    case 'texts':
      return parted(block.items, items => ({ ...block, items }))
    case 'section': {
      const [only] = block.blocks
      if (block.blocks.length > 1) return parted(block.blocks, blocks => ({ ...block, blocks }))
      return only === undefined ? [block] : partsOf(only, count).map(part => ({ ...block, blocks: [part] }))
    }
    default:
      return [block]
  }
}

function linesWithin(text: string, most: number): readonly string[] {
  const pages: string[] = []
  for (const line of text.split('\n')) {
    for (let from = 0; from === 0 || from < line.length; from += most) {
      const piece = line.slice(from, from + most)
      const last = pages.at(-1)
      if (last !== undefined && last.length + piece.length + 1 <= most) pages[pages.length - 1] = `${last}\n${piece}`
      else pages.push(piece)
    }
  }
  return pages
}
