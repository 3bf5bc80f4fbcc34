import type { LogMaker } from './generate.js'
import { type MadeUpMetric, madeUpMetric, VALIDATION_NAMES } from './made-up-metrics.js'

/** What verl leaves behind: its console log under Ray, and the JSONL of its file logger. A validation every 20 steps. */

const STEPS_PER_VALIDATION = 20

const VALIDATION = VALIDATION_NAMES.map((name, i) => madeUpMetric(name, 1000 + i))

function metricsAt(metrics: readonly MadeUpMetric[], step: number): readonly MadeUpMetric[] {
  return step % STEPS_PER_VALIDATION === 0 ? [...metrics, ...VALIDATION] : metrics
}

const RUNNER = '\x1b[36m(TaskRunner pid=247607)\x1b[0m '
const WORKER = '\x1b[36m(WorkerDict pid=249887, ip=10.0.0.7)\x1b[0m '

const CONFIG = [
  "{'actor_rollout_ref': {'actor': {'clip_ratio': 0.2,",
  "                                 'kl_loss_coef': 0.001,",
  "                                 'use_kl_loss': True}},",
  " 'trainer': {'experiment_name': 'benchmark', 'logger': ['console'], 'project_name': 'klens'}}",
]

/** Each step line in company: the progress bar that tqdm draws, and a warning of a worker. */
export function verlConsoleLog(metrics: readonly MadeUpMetric[]): LogMaker {
  return function* (isEnough) {
    const preface = CONFIG.map(line => `${RUNNER}${line}\n`).join('')
    yield { bytes: Buffer.from(preface), steps: 0, points: 0 }
    for (let step = 1; !isEnough(); step += 1) {
      const fields = metricsAt(metrics, step).map(({ name, valueAt }) => ` - ${name}:${pythonNumber(valueAt(step))}`)
      const text =
        `\rTraining Progress:  33%|███       | ${step}/9999999 [00:49<1:53:43, 49.09s/it]\n` +
        `${RUNNER}step:${step}${fields.join('')}\n` +
        `${WORKER}/opt/fsdp.py:690: FutureWarning: FSDP.state_dict_type() is deprecated\n`
      yield { bytes: Buffer.from(text), steps: 1, points: fields.length }
    }
  }
}

export function verlFileLog(metrics: readonly MadeUpMetric[]): LogMaker {
  return function* (isEnough) {
    for (let step = 1; !isEnough(); step += 1) {
      const fields = metricsAt(metrics, step).map(({ name, valueAt }) => `"${name}": ${pythonNumber(valueAt(step))}`)
      const text = `{"step": ${step}, "data": {${fields.join(', ')}}}\n`
      yield { bytes: Buffer.from(text), steps: 1, points: fields.length }
    }
  }
}

/** As repr prints it: 1e-07 where JavaScript prints 1e-7. */
function pythonNumber(value: number): string {
  const text = String(value)
  return text.at(-3) === 'e' ? `${text.slice(0, -1)}0${text.slice(-1)}` : text
}
