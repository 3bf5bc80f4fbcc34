import { execFile } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * torch in an environment of its own under the system's temporary folder. The package index has only the build that
 * brings CUDA along (5 GB on disk); it is used on the CPU.
 */
const TORCH = 'torch==2.15.0'
const ENVIRONMENT = join(tmpdir(), `klens-bench-${TORCH.replace('==', '-')}`)

const run = promisify(execFile)

/** Answers which Python has it. */
export async function installTorch(): Promise<string> {
  const python = join(ENVIRONMENT, 'bin', 'python')
  if (existsSync(join(ENVIRONMENT, 'complete'))) return python
  console.error(`train: installing ${TORCH} into ${ENVIRONMENT} …`)
  rmSync(ENVIRONMENT, { recursive: true, force: true })
  await run('python3', ['-m', 'venv', ENVIRONMENT])
  await run(python, ['-m', 'pip', 'install', '--quiet', TORCH, 'numpy'])
  writeFileSync(join(ENVIRONMENT, 'complete'), '')
  return python
}

const TRANSFORMERS = 'transformers==5.22.2'

/** Hugging Face's library beside it, for those who need more than torch. */
export async function installTransformers(): Promise<string> {
  const python = await installTorch()
  const complete = join(ENVIRONMENT, 'complete-with-transformers')
  if (existsSync(complete)) return python
  await run(python, ['-m', 'pip', 'install', '--quiet', TRANSFORMERS])
  writeFileSync(complete, '')
  return python
}
