import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../store/atomic.js'
import { convertWeights } from '../../weights/convert.js'
import type { Tensor } from '../../weights/tensor.js'
import { tensorOf } from '../checkpoint.js'
import type { TrainConfig } from '../config/schema.js'
import type { Epoch } from '../train.js'
import type { Phase } from '../training-state.js'

/**
 * A training's epochs as Lever-Plus writes them, for its scripts: `rce_epochN.pt` and `grpo_epochN.pt`, N from 1 in each
 * phase and `epoch` inside from 0, `kl_beta` and `metrics` under its names; beside each the `_v2format.ckpt` of its
 * inference, with names that its model knows; and all metrics in one `metrics.json`.
 */
export interface OriginalFiles {
  write(epoch: Epoch): Promise<void>
}

/** What the original calls it, in the order in which it writes it. */
const METRICS: { readonly [phase in Phase]: readonly (readonly [theirs: string, ours: string])[] } = {
  rce: [
    ['rce_loss', 'loss.rce'],
    ['val_loss', 'val.loss'],
  ],
  grpo: [
    ['grpo_loss', 'loss.total'],
    ['ppo_loss', 'loss.policy'],
    ['kl_loss', 'kl.weighted'],
    ['kl', 'kl.ref'],
    ['mean_ratio', 'ratio.mean'],
    ['mean_advantage', 'adv.mean'],
    ['std_advantage', 'adv.std'],
    ['max_advantage', 'adv.max'],
    ['val_loss', 'val.loss'],
  ],
}

const METRICS_FILE = 'metrics.json'
const recordSchema = z.looseObject({ phase: z.enum(['rce', 'grpo']), epoch: z.int(), kl_beta: z.number() })
type MetricsRecord = z.infer<typeof recordSchema>

export async function openOriginalFiles(folder: string, config: TrainConfig): Promise<OriginalFiles> {
  await mkdir(folder, { recursive: true })
  // A training that is resumed goes on with the file that it began.
  let records = await recordsIn(join(folder, METRICS_FILE))
  return {
    async write({ phase, metrics, policy, ...made }) {
      const { phaseEpoch, grpo, parameters } = made.state()
      const beta = grpo?.kl.effective ?? config.kl.loss.coef
      const named = METRICS[phase].flatMap(([theirs, ours]) =>
        metrics[ours] === undefined ? [] : [[theirs, metrics[ours]] as const],
      )
      const about = { epoch: phaseEpoch - 1, phase, kl_beta: beta, metrics: Object.fromEntries(named) }
      const tensors = policy.parameters.all.map(each => tensorOf(each.name, 'model', each, parameters))
      const name = `${phase}_epoch${phaseEpoch}`
      await writeOne(join(folder, `${name}.pt`), tensors, about)
      await writeOne(join(folder, `${name}_v2format.ckpt`), tensors, about)
      const record: MetricsRecord = { phase, epoch: phaseEpoch, kl_beta: beta, ...about.metrics }
      records = [...records.filter(each => each.phase !== phase || each.epoch !== phaseEpoch), record]
      await writeFileAtomically(join(folder, METRICS_FILE), `${JSON.stringify(records, null, 1)}\n`)
    },
  }
}

async function writeOne(
  path: string,
  tensors: readonly Tensor[],
  about: Parameters<typeof convertWeights>[0]['about'],
) {
  await convertWeights(
    {
      path,
      format: 'safetensors',
      layout: 'state-dict',
      bytes: 0,
      files: [path],
      base: null,
      tensors,
      about,
      notRun: [],
    },
    path,
  )
}

async function recordsIn(path: string): Promise<readonly MetricsRecord[]> {
  const text = await readFile(path, 'utf8').catch(() => '[]')
  try {
    return z.array(recordSchema).parse(JSON.parse(text))
  } catch {
    return []
  }
}
