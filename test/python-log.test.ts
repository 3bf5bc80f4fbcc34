import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { temporaryFolder } from './workspace.js'

/** The helper for Python loops, as it lies in the wheel. Where there is no Python, nobody can use it. */
const hasPython = spawnSync('python3', ['--version']).status === 0

function python(folder: string, code: string) {
  cpSync(fileURLToPath(new URL('../packaging/wheel', import.meta.url)), join(folder, 'klens'), { recursive: true })
  return spawnSync('python3', ['-c', code], { cwd: folder, encoding: 'utf8', env: { ...process.env, KLENS_HOME: '' } })
}

describe.skipIf(!hasPython)('klens.log in Python', () => {
  it('writes a run that klens reads, numbers out of tensors included', async () => {
    const folder = temporaryFolder()
    const { status, stderr } = python(
      folder,
      `
import klens
class Tensor:
    def item(self): return 0.25
klens.config({"lr": 1e-6, "model": {"layers": 4}}, name="mine")
for i in range(1, 31):
    klens.log({"loss": Tensor(), "val/score": i / 40}, step=i)
klens.log({"loss": float("nan")})
`,
    )
    expect([status, stderr]).toEqual([0, ''])
    const { code, out } = await klensInside(folder, ['show', 'mine', '--json'])
    expect(code).toBe(0)
    const { run, series } = JSON.parse(out)
    expect(run).toMatchObject({ name: 'mine', steps: [1, 31], config: { lr: 1e-6, 'model.layers': 4 } })
    expect(series.find(({ metric }: { metric: string }) => metric === 'loss').points.slice(-2)).toEqual([
      [30, 0.25],
      [31, 'NaN'],
    ])
  })

  it('never raises into the training, whatever is wrong, and says it once', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, '.klens'))
    if (process.getuid?.() !== 0) chmodSync(join(folder, '.klens'), 0o500)
    const { status, stderr } = python(
      folder,
      `
import klens
klens.log({"loss": 1}, step="not a step")
klens.log(None)
klens.log({"loss": 1}, name="../../out")
klens.config(7)
print("trained")
`,
    )
    expect(status).toBe(0)
    expect(stderr.split('\n').filter(line => line.startsWith('klens:'))).toHaveLength(1)
  })

  it('loses nothing of two processes that write one run', () => {
    const folder = temporaryFolder()
    python(
      folder,
      `
import subprocess, sys
code = "import klens\\nfor i in range(500): klens.log({'p%s' % sys.argv[1]: i}, step=i + 1, name='both')".replace("import klens", "import sys, klens")
children = [subprocess.Popen([sys.executable, "-c", code, str(k)]) for k in range(2)]
assert all(child.wait() == 0 for child in children)
`,
    )
    const lines = readFileSync(join(folder, '.klens', 'logs', 'both', 'metrics.jsonl'), 'utf8')
      .trim()
      .split('\n')
    expect(lines).toHaveLength(1000)
    for (const line of lines) JSON.parse(line)
  })
})
