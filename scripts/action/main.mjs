/**
 * `npm run test:action`: the steps of action.yml as GitHub would run them, in a new folder with a HOME, an npm prefix and a
 * PATH of its own, where klens is installed from the package that this checkout packs. Steps that use another action are
 * left out: they need GitHub.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'

const root = process.cwd()
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8'))
const work = mkdtempSync(join(tmpdir(), 'klens-action-'))
try {
  const { stdout } = spawnSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', work], {
    cwd: root,
    encoding: 'utf8',
  })
  const tarball = join(work, stdout.trim())
  const project = join(work, 'project')
  mkdirSync(project)
  cpSync(join(root, 'examples', 'grpo-addition'), join(project, 'runs'), { recursive: true })
  writeFileSync(join(project, 'report.md'), 'The score fell by 58 % (0.83 → 0.52).\n')
  writeFileSync(join(project, 'good.md'), 'The score fell by 37 % (0.83 → 0.52).\n')
  writeFileSync(
    join(project, 'launch.sh'),
    'python3 -m verl.trainer.main_ppo actor_rollout_ref.actor.use_kl_los=true data.train_batch_size=256\n',
  )

  const bad = step({ command: 'audit', arguments: 'report.md good.md', package: tarball })
  assert.equal(bad.status, 1)
  assert.match(bad.out, /^::error file=report\.md,line=1,col=\d+,title=klens [\w-]+::.*58 %25/m)
  assert.match(bad.told, /^findings=1$/m)
  assert.equal(JSON.parse(readFileSync(join(project, 'klens.sarif'), 'utf8')).version, '2.1.0')
  assert.equal(step({ command: 'audit', arguments: 'good.md', package: tarball }).status, 0)
  const launch = step({ command: 'preflight', arguments: 'launch.sh', package: tarball })
  assert.match(launch.out, /^::(?:error|warning) file=launch\.sh,line=1,title=klens [\w-]+::.*use_kl_los/m)
  const gate = step({ command: 'gate', arguments: 'runs/kl-0.0 runs/sick-lr-high --loop ci', package: tarball })
  assert.ok([1, 3].includes(gate.status), `gate ended with ${gate.status}: ${gate.out}`)
  assert.match(gate.told, /^decision=(?:discard|more)$/m)
  assert.equal(step({ command: 'audit; touch /tmp/klens-injected', arguments: 'x', package: tarball }).status, 2)
  assert.ok(!existsSync('/tmp/klens-injected'))
  console.log('action.yml: audit, preflight and gate did what they say in a new folder')

  function step(given) {
    const inputs = {
      ...Object.fromEntries(Object.entries(action.inputs).map(([name, { default: usual = '' }]) => [name, usual])),
      ...given,
    }
    const outputs = join(work, 'outputs')
    writeFileSync(outputs, '')
    let [status, out] = [0, '']
    for (const { run, env = {} } of action.runs.steps) {
      if (run === undefined || status !== 0) continue
      const filled = Object.entries(env).map(([name, text]) => [
        name,
        text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input) => inputs[input]),
      ])
      const prefix = join(work, 'npm')
      const ran = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
        cwd: project,
        encoding: 'utf8',
        env: {
          ...Object.fromEntries(
            [
              'http_proxy',
              'https_proxy',
              'NODE_EXTRA_CA_CERTS',
              'npm_config_registry',
              'NPM_CONFIG_USERCONFIG',
            ].flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
          ),
          HOME: process.env.KLENS_ACTION_HOME ?? work,
          PATH: `${join(prefix, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
          npm_config_prefix: prefix,
          GITHUB_ACTION_PATH: root,
          GITHUB_OUTPUT: outputs,
          ...Object.fromEntries(filled),
        },
      })
      out += `${ran.stdout}${ran.stderr}`
      status = ran.status
    }
    return { status, out, told: readFileSync(outputs, 'utf8') }
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
