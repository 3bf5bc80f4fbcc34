import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { preflightLaunch } from '../../src/lab/launch/preflight.js'
import { readLaunch } from '../../src/lab/launch/read-launch.js'
import { Problem } from '../../src/logs/model/problem.js'
import { checkMessage, demand } from './check.js'
import type { Seed } from './corpus.js'
import type { Target } from './targets.js'

/** Launch scripts and configs: what is wrong with one is a `Problem`, and a finding points at a line that exists. */
export const launchTarget: Target = {
  name: 'launch',
  seeds: [
    { name: 'a/intention.sh', bytes: readFileSync('src/lab/launch/fixtures/intention.sh') },
    seed('b/grpo.yaml', 'model_name_or_path: m\nnum_generations: 8\nbeta: 0.04\nwarmup_ratio: 0.1\nmax_steps: 100\n'),
    seed('c/train.py', 'args = GRPOConfig(\n  beta=0.1,  # strong\n  max_steps=10, report_to=["wandb"],\n)\n'),
    seed('d/klens.yaml', 'task: digits\nkl: {loss: {coef: 0.1}}\nepochs: {grpo: 5}\n'),
    seed(
      'e/rays.sh',
      `if [ -z "$N" ]; then N=$((2 * 4)); fi\nfor s in 1 2; do\nray job submit -- python3 -m openrlhf.cli.train_ppo_ray --algo.kl.use_loss --rollout.batch_size $N "$@"\ndone\n`,
    ),
  ],
  async check({ name, bytes }, folder) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
    const launch = await readLaunch(path).catch(refused)
    if (launch === null) return
    const { check } = await preflightLaunch(launch)
    // A file with no line ends has one line.
    const lines = bytes.toString('utf8').split('\n').length
    for (const { line, message, remedy } of check.findings) {
      demand(line >= 1 && line <= lines, 'a finding points at a line of the file', { line, lines })
      checkMessage(message)
      checkMessage(remedy)
    }
    for (const { reason } of check.notChecked) checkMessage(reason)
  },
}

function refused(error: unknown): null {
  if (error instanceof Problem) return null
  throw error
}

function seed(name: string, text: string): Seed {
  return { name, bytes: Buffer.from(text) }
}
