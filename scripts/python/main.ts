import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { pythonEnvironment } from '../trl/environment.js'

/**
 * `npm run test:python`: the callback for HF Trainer and TRL and the loggers for Lightning and verl, with the real packages.
 * `KLENS_PYTHON` names a Python that has them already. Where they cannot be had this says why and succeeds.
 */

const root = process.cwd()
const { KLENS_PYTHON } = process.env
const environment =
  KLENS_PYTHON === undefined
    ? pythonEnvironment('python', join(root, 'scripts', 'python', 'requirements.txt'), 8, { bare: ['verl==0.9.1'] })
    : { python: KLENS_PYTHON }
if ('lacks' in environment) {
  console.log(`Skipped: ${environment.lacks}.`)
  process.exit(0)
}

const toldSchema = z.object({
  runs: z.record(
    z.string(),
    z.object({
      steps: z.tuple([z.number(), z.number()]),
      metrics: z.array(z.string()),
      config: z.record(z.string(), z.unknown()),
    }),
  ),
  columns: z.array(z.string()),
})

const work = mkdtempSync(join(tmpdir(), 'klens-python-'))
try {
  mkdirSync(join(work, 'packages'))
  symlinkSync(join(root, 'packaging', 'wheel'), join(work, 'packages', 'klens'))
  const { status, stdout, stderr } = spawnSync(
    environment.python,
    ['-W', 'ignore', join(root, 'scripts', 'python', 'train.py'), join(work, 'out')],
    {
      cwd: work,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...{ KLENS_HOME: '', CUDA_VISIBLE_DEVICES: '', PYTHONDONTWRITEBYTECODE: '1' },
        PYTHONPATH: join(work, 'packages'),
        KLENS_COMMAND: `${process.execPath} ${join(root, 'bin', 'klens.js')}`,
      },
    },
  )
  assert.equal(status, 0, stderr)
  const { runs, columns } = toldSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))
  assert.deepEqual(runs.hf.steps, [1, 30])
  assert.ok(
    ['loss', 'eval_loss'].every(metric => runs.hf.metrics.includes(metric)),
    runs.hf.metrics.join(),
  )
  assert.equal(runs.hf.config.max_steps, 30)
  assert.deepEqual(runs.lit.metrics, ['train/loss'])
  assert.deepEqual(runs.verl.metrics.toSorted(), ['actor/kl_loss', 'critic/score/mean'])
  assert.equal(runs.verl.config['algorithm.kl_ctrl.kl_coef'], 0.001)
  assert.ok(columns.includes('status'))
  console.log('HF Trainer, Lightning and verl logged into klens')
} finally {
  rmSync(work, { recursive: true, force: true })
}
