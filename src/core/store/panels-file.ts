import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from './atomic.js'
import type { Workspace } from './workspace.js'

/** How people left the page of curves: pinned panels in their order, sizes of others, axes. In panels.json at the root of the workspace. */

const MOST_PANELS = 50
const LONGEST_NAME = 500

const sizedPanels = z
  .array(
    z.object({
      metric: z.string().min(1).max(LONGEST_NAME),
      /** So many columns wide, or as many as there are. */
      columns: z.number().int().min(1).max(6).default(1),
      /** Of the plot, in pixels. */
      height: z.number().int().min(100).max(1600).default(190),
    }),
  )
  .max(MOST_PANELS)
  .readonly()
  .default([])

export const keptView = z.object({
  panels: sizedPanels,
  sizes: sizedPanels,
  logX: z.boolean().default(false),
  logY: z.boolean().default(false),
})

type KeptView = z.output<typeof keptView>

function panelsPath({ root }: Workspace): string {
  return join(root, 'panels.json')
}

/** A file that cannot be read is as good as none: the usual panels are shown, and the next change writes it again. */
export async function readView(workspace: Workspace): Promise<KeptView> {
  try {
    const kept: unknown = JSON.parse(await readFile(panelsPath(workspace), 'utf8'))
    // Until 0.3 it was a list of what is pinned.
    return keptView.parse(Array.isArray(kept) ? { panels: kept } : kept)
  } catch {
    return keptView.parse({})
  }
}

export async function writeView(workspace: Workspace, view: KeptView): Promise<void> {
  await mkdir(workspace.root, { recursive: true })
  await writeFileAtomically(panelsPath(workspace), `${JSON.stringify(view, null, 2)}\n`)
}
