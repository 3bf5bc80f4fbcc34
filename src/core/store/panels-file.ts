import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from './atomic.js'
import type { Workspace } from './workspace.js'

/** The panels that people keep in front of the curves, in their order, in panels.json at the root of the workspace. */

const MOST_PANELS = 50
const LONGEST_NAME = 500

export const keptPanels = z
  .array(
    z.object({
      metric: z.string().min(1).max(LONGEST_NAME),
      /** Over the whole width, and half as high again. */
      isWide: z.boolean(),
      isTall: z.boolean(),
    }),
  )
  .max(MOST_PANELS)
  .readonly()

export type KeptPanels = z.infer<typeof keptPanels>

function panelsPath({ root }: Workspace): string {
  return join(root, 'panels.json')
}

/** A file that cannot be read is as good as none: the usual panels are shown, and the next change writes it again. */
export async function readPanels(workspace: Workspace): Promise<KeptPanels> {
  try {
    return keptPanels.parse(JSON.parse(await readFile(panelsPath(workspace), 'utf8')))
  } catch {
    return []
  }
}

export async function writePanels(workspace: Workspace, panels: KeptPanels): Promise<void> {
  await mkdir(workspace.root, { recursive: true })
  await writeFileAtomically(panelsPath(workspace), `${JSON.stringify(panels, null, 2)}\n`)
}
