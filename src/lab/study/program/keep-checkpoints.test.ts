import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/workspace.js'
import { checkpointKeeper } from './keep-checkpoints.js'
import { checkpointsOf } from './trial-folder.js'

const PATTERN = 'checkpoints/global_step_*'

function saved(folder: string, step: number): string {
  const path = join(folder, 'checkpoints', `global_step_${step}`)
  mkdirSync(join(path, 'actor'), { recursive: true })
  writeFileSync(join(path, 'actor', 'model.bin'), `weights of step ${step}`)
  return path
}

test('a checkpoint that a framework deletes can still be evaluated, once it was whole', async () => {
  const folder = temporaryFolder()
  const keeper = checkpointKeeper(folder, PATTERN, ['last', { every: 20 }])
  const found = async () => (await checkpointsOf(folder, PATTERN)).map(({ path }) => relative(folder, path))
  const first = saved(folder, 20)
  const unasked = saved(folder, 30)
  await keeper.look()
  appendFileSync(join(first, 'actor', 'model.bin'), ', still being written')
  await keeper.look()
  expect(existsSync(join(folder, 'kept'))).toBe(false)
  await keeper.look()
  const second = saved(folder, 40)
  await keeper.look()
  await keeper.look()
  rmSync(first, { recursive: true })
  rmSync(unasked, { recursive: true })
  expect(await found()).toEqual(['kept/checkpoints/global_step_20', relative(folder, second)])
  const text = readFileSync(join(folder, 'kept/checkpoints/global_step_20/actor/model.bin'), 'utf8')
  expect(text).toBe('weights of step 20, still being written')
  await keeper.end()
  expect(await found()).toEqual(['kept/checkpoints/global_step_20', relative(folder, second)])
  expect(existsSync(join(folder, 'kept/checkpoints/global_step_40'))).toBe(false)
})
