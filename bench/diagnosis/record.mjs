import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * How often each rule's errors and warnings were right, for src/core/diagnosis/rule-record.ts.
 *
 *   node bench/diagnosis/record.mjs SETS.json
 *
 * SETS.json lists workspaces with their truth: [{"workspace": folder, "kind": "lab" | "public", "sick": pattern of the
 * names of runs that are sick or overoptimised, "right": ["run rule", …], "wrong": ["run rule", …]}]. In a lab what is
 * said of a sick run counts as right and what is said of any other as wrong; `right` and `wrong` are judgements by hand,
 * which public logs need, and come first. A finding without a judgement is printed and not counted.
 */
const KLENS = new URL('../../bin/klens.js', import.meta.url).pathname
const record = {}
for (const { workspace, kind, sick, right = [], wrong = [] } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  const answer = execFileSync('node', [KLENS, 'diagnose', '*', '--json'], { cwd: workspace, maxBuffer: 1 << 30 })
  const { findings, runs } = JSON.parse(answer.toString())
  const names = new Map(runs.map(({ id, name }) => [id, name]))
  const seen = new Set()
  for (const { rule, severity, run } of findings) {
    const said = `${names.get(run)} ${rule}`
    if (severity === 'note' || seen.has(`${said} ${severity}`)) continue
    seen.add(`${said} ${severity}`)
    const isRight = right.includes(said) || (!wrong.includes(said) && sick !== undefined && new RegExp(sick).test(said))
    if (!isRight && !wrong.includes(said) && kind === 'public') {
      console.error(`not judged: ${said}`)
      continue
    }
    record[rule] ??= {}
    record[rule][kind] ??= { error: [0, 0], warning: [0, 0] }
    const count = record[rule][kind][severity]
    count[0] += 1
    if (isRight) count[1] += 1
  }
}
console.log(JSON.stringify(record, null, 2))
