import { viewRun } from '../../src/core/analysis/run-view.js'
import { type LoadedSweep, loadSweep } from '../../src/core/analysis/sweep/load.js'
import { type Sweep, type SweepRequest, sweepOver } from '../../src/core/analysis/sweep/sweep.js'
import { loadRun } from '../../src/core/store/catalogue.js'
import { importLogs } from '../../src/core/store/ingest.js'
import { openWorkspace } from '../../src/core/store/workspace.js'

const WORDS = { user: undefined, problems: [] }

interface Asked extends Partial<SweepRequest> {
  readonly over?: readonly string[]
  readonly carriers?: string
}

/** Imports, loads and sweeps, as the verb does. */
export function sweepIn(home: string) {
  return async (paths: readonly string[], asked: Asked = {}): Promise<Sweep & { readonly loaded: LoadedSweep }> => {
    const workspace = await openWorkspace(home, {})
    const { runs } = await importLogs(workspace, [...paths])
    const found = await Promise.all(runs.map(({ id }) => loadRun(workspace, id)))
    const canonical = asked.carriers ?? 'val.score'
    const loaded = await loadSweep(
      found.filter(run => run !== null).map(run => viewRun(run, WORDS)),
      asked.over ?? ['kl.loss.coef'],
      canonical,
    )
    const others = loaded.blocks.others.map(({ key }) => key)
    const request: SweepRequest = {
      keys: loaded.keys,
      metric: canonical,
      goal: 'max',
      margin: null,
      baseline: null,
      others,
      ...asked,
    }
    return { ...sweepOver(loaded.runs, request), loaded }
  }
}
