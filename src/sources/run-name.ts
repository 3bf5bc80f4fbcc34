import { basename, dirname, extname } from 'node:path'

/**
 * What to call a run whose log does not say. People name either the file or the folder after the experiment:
 * `metrics.jsonl` says nothing, `kl-0.1/metrics.jsonl` does, and in `kl-0.1/seed0/metrics.jsonl` it takes both folders.
 */

const SAYS_NOTHING =
  /^(metrics?|train|trainer|training|trainer_state|logs?|outputs?|out|console|std(out|err)|main(_ppo|_task)?|nohup|runs?|results?|history|progress|verl|wandb|checkpoints?)$/i
const ONLY_COUNTS = /^(seed|run|trial|rep|repeat|exp|fold|version)?[-_ ]?\d+$/i

/** Whether a file of this name tells nothing about the run in it. */
export function saysNothing(stem: string): boolean {
  return SAYS_NOTHING.test(stem)
}

/** How many folders may be passed over in search of one that says something. */
const FARTHEST = 3

export function runNameFromPath(path: string): string {
  const stem = basename(path, extname(path))
  if (stem !== '' && !SAYS_NOTHING.test(stem)) return stem
  let folder = dirname(path)
  for (let passed = 0; passed < FARTHEST && SAYS_NOTHING.test(basename(folder)); passed += 1) folder = dirname(folder)
  const name = basename(folder)
  if (name === '' || name === '.' || SAYS_NOTHING.test(name)) return stem || path
  const parent = basename(dirname(folder))
  return ONLY_COUNTS.test(name) && parent !== '' && parent !== '.' ? `${parent}/${name}` : name
}
