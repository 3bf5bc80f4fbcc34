import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../../../logs/model/json.js'
import type { CheckpointIdentity } from '../../../logs/model/lineage.js'
import { metricsInJson, saveCheckpoint, saveWeights } from '../checkpoint.js'
import { flatConfig } from '../config/hash.js'
import type { TrainConfig } from '../config/selector-settings.js'
import type { Epoch } from '../train.js'
import { checkpointName, LATEST, type ResumePoint } from './resume-point.js'
import type { EvaluatedEpoch } from './trainable.js'

/**
 * The checkpoints of one training. Each holds all that is needed to go on, so that any of them can be resumed or started
 * from. An epoch that `save.every` passes over is kept too, but only until the next one is there. The epoch before GRPO
 * begins is always kept: its weights are the reference.
 */
interface CheckpointKeeper {
  save(epoch: Epoch): Promise<void>
  /** Null until GRPO has begun. */
  readonly reference: Omit<CheckpointIdentity, 'run'> | null
  readonly evaluations: readonly EvaluatedEpoch[]
}

interface KeeperOptions {
  readonly folder: string
  readonly config: TrainConfig
  /** What all checkpoints of the run say beside their config: run, data, version. */
  readonly about: JsonObject
  readonly from: string | null
  readonly point: ResumePoint | null
  readonly changes: readonly string[]
}

export function checkpointKeeper({ folder, config, about, from, point, changes }: KeeperOptions): CheckpointKeeper {
  let parent = point?.parent ?? from
  let reference = point?.reference ?? null
  let referenceEpoch = point?.start.state.grpo?.referenceEpoch ?? null
  const settings = flatConfig(config)
  const evaluations = [...(point?.evaluations ?? [])]

  async function keepReference({ reference: policy }: Epoch, epoch: number): Promise<void> {
    const path = join(folder, checkpointName(epoch))
    if (policy === null || reference !== null) return
    // Where it all began is no checkpoint of an epoch that may be there already, whatever a kill has left.
    if (epoch === 0 || !(await exists(path))) {
      const { all, read } = policy.parameters
      parent = (await saveWeights(path, all, read(), { epoch, ...about, parent, config: settings })).contentHash
    }
    reference = parent
    referenceEpoch = epoch
  }

  return {
    evaluations,
    get reference() {
      if (reference === null || referenceEpoch === null) return null
      return { contentHash: reference, path: join(folder, checkpointName(referenceEpoch)), step: referenceEpoch }
    },
    async save(made) {
      const { epoch, ends, policy, validation, loss } = made
      const state = made.state()
      await keepReference(made, state.grpo?.referenceEpoch ?? 0)
      const metrics = { ...validation?.metrics, ...(loss !== null && { 'val.loss': loss.mean }) }
      if (Object.keys(metrics).length > 0) evaluations.push({ epoch, metrics: metricsInJson(metrics) })
      const stays = epoch % config.save.every === 0 || ends !== 'nothing'
      const path = join(folder, stays ? checkpointName(epoch) : LATEST)
      const evaluated = evaluations.map(each => ({ ...each }))
      const measured = { metrics: metricsInJson(made.metrics), evaluations: evaluated }
      const said = { ...about, parent, reference, changes, config: settings, ...measured }
      const saved = await saveCheckpoint(path, policy.parameters.all, state, said)
      if (!stays) return
      parent = saved.contentHash
      await rm(join(folder, LATEST), { force: true })
    },
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}
