import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import { convertWeights } from '../../weights/convert.js'
import { ORIGINAL_METRICS, ORIGINAL_UPDATE_METRICS, renamedMetrics } from '../../weights/lever-plus.js'
import type { Tensor } from '../../weights/tensor.js'
import { tensorOf } from '../checkpoint.js'
import type { TrainConfig } from '../config/selector-settings.js'
import type { Update, UpdateObserver } from '../tally.js'
import type { Epoch } from '../train.js'

/**
 * A training's epochs as Lever-Plus writes them, for its scripts: `rce_epochN.pt` and `grpo_epochN.pt`, N from 1 in each
 * phase and `epoch` inside from 0, `kl_beta` and `metrics` under its names; beside each the `_v2format.ckpt` of its
 * inference, with names that its model knows; and all metrics in one `metrics.json`. What the original keeps to itself,
 * each update of an epoch, is a line of `_updates.jsonl`.
 */
interface OriginalFiles {
  readonly update: UpdateObserver
  write(epoch: Epoch): Promise<void>
}

const METRICS_FILE = 'metrics.json'
const recordSchema = z.looseObject({ phase: z.enum(['rce', 'grpo']), epoch: z.int(), kl_beta: z.number() })
type MetricsRecord = z.infer<typeof recordSchema>

export async function openOriginalFiles(folder: string, config: TrainConfig): Promise<OriginalFiles> {
  await mkdir(folder, { recursive: true })
  // A training that is resumed goes on with the file that it began.
  let records = await recordsIn(join(folder, METRICS_FILE))
  let updates: string[] = []
  return {
    update: update => updates.push(`${JSON.stringify(updateRecord(update))}\n`),
    async write({ phase, metrics, policy, ...made }) {
      const { phaseEpoch, grpo, parameters } = made.state()
      const beta = grpo?.kl.effective ?? config.kl.loss.coef
      const about = {
        epoch: phaseEpoch - 1,
        phase,
        kl_beta: beta,
        metrics: renamedMetrics(metrics, ORIGINAL_METRICS[phase]),
      }
      const tensors = policy.parameters.all.map(each => tensorOf(each.name, 'model', each, parameters))
      const name = `${phase}_epoch${phaseEpoch}`
      await writeOne(join(folder, `${name}.pt`), tensors, about)
      await writeOne(join(folder, `${name}_v2format.ckpt`), tensors, about)
      const record: MetricsRecord = { phase, epoch: phaseEpoch, kl_beta: beta, ...about.metrics }
      records = [...records.filter(each => each.phase !== phase || each.epoch !== phaseEpoch), record]
      await writeFileAtomically(join(folder, METRICS_FILE), `${JSON.stringify(records, null, 1)}\n`)
      await writeFileAtomically(join(folder, `${name}_updates.jsonl`), updates.join(''))
      updates = []
    },
  }
}

function updateRecord({ phase, update, metrics, groups }: Update) {
  return {
    update,
    ...renamedMetrics(metrics, [...ORIGINAL_METRICS[phase], ...ORIGINAL_UPDATE_METRICS]),
    groups: groups.map(({ query, choices, advantages, logProbs }) => ({
      query,
      choices,
      ...(advantages !== null && { advantages: [...advantages] }),
      log_probs: [...logProbs],
    })),
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
