import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { viewRun } from '../../../core/analysis/run-view.js'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import { loadRun } from '../../../core/store/catalogue.js'
import { loadVocabulary } from '../../../core/store/vocabulary.js'
import type { Workspace } from '../../../core/store/workspace.js'
import type { Message } from '../../../logs/model/run.js'
import { storedMessage } from '../../../logs/model/stored-message.js'
import { sentences } from '../../../text/sentences.js'
import type { JobQueue } from '../executor/executor.js'
import type { JobRecords } from '../executor/records.js'
import { COUNTED, type StopRule } from '../stop-rules.js'
import type { CommandTrial } from '../trial.js'
import { glanceAt } from '../watch/glance.js'
import { type Memory, newMemory, observe } from '../watch/observe.js'

/**
 * Trials that a stop rule of the study ends. That it did, and why, is written into the trial's folder before the program
 * is asked to end, so that klens, killed in between, does not take it for one that was cut off and start it again.
 */
export interface RuledStop {
  readonly reason: Message
  /** The trial is done, with the last score it had; else it has failed and is tried again. */
  readonly counts: boolean
}

const say = sentences({
  'study.trial.ruled': {
    en: 'stopped at step {step} by the rule "{rule}": {why}',
    zh: '在 step {step} 被规则“{rule}”停止：{why}',
  },
})

const schema = z.object({ reason: storedMessage, counts: z.boolean() })

interface WatchedJobs {
  readonly queue: JobQueue
  readonly records: JobRecords
  readonly stopRules: readonly StopRule[]
}

export function ruledStops(workspace: Workspace, { queue, records, stopRules }: WatchedJobs) {
  const memories = new Map<string, Memory>()
  const looking = new Set<string>()

  async function lookNow(trial: CommandTrial, folder: string, run: string): Promise<void> {
    const loaded = await loadRun(workspace, run)
    const record = await records.read(trial.id)
    if (loaded === null || record === null) return
    const now = Date.now() / 1000
    const glance = await glanceAt(viewRun(loaded, await loadVocabulary(workspace)))
    const { memory, events } = observe(memories.get(trial.id) ?? newMemory(now), glance, { now, rules: stopRules })
    memories.set(trial.id, memory)
    for (const event of events) {
      if (event.event !== 'stop') continue
      const { rule, step } = event
      const reason = say('study.trial.ruled', { step, rule, why: event.message })
      const stop: RuledStop = { reason, counts: COUNTED.has(rule) }
      await writeFileAtomically(pathIn(folder), `${JSON.stringify(stop)}\n`)
      await queue.stop(record.handle, trial.program.engine.stop)
      return
    }
  }

  return {
    /** Null: none has ended it. */
    async of(folder: string): Promise<RuledStop | null> {
      try {
        return schema.parse(JSON.parse(await readFile(pathIn(folder), 'utf8')))
      } catch {
        return null
      }
    },
    async forget(folder: string): Promise<void> {
      await rm(pathIn(folder), { force: true })
    },
    /** One look at a time; what arrives meanwhile is seen at the next. */
    look(trial: CommandTrial, folder: string, run: string): void {
      if (stopRules.length === 0 || looking.has(trial.id)) return
      looking.add(trial.id)
      lookNow(trial, folder, run)
        // A look that fails decides nothing.
        .catch(() => {})
        .finally(() => looking.delete(trial.id))
    },
  }
}

function pathIn(folder: string): string {
  return join(folder, 'stopped.json')
}
