/**
 * One check of the GitHub action: runs klens without a shell, so that no argument becomes a command, writes SARIF, and says
 * every finding as an annotation. A message may come from an unknown author: escaped as GitHub asks, it stays one line and one message.
 */
import { spawnSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'

const { KLENS_VERB: verb = 'audit', KLENS_ARGUMENTS: given = '', KLENS_FAIL_ON: failOn = 'error' } = process.env
const { KLENS_SARIF: file = 'klens.sarif', GITHUB_OUTPUT: outputs } = process.env
if (!['audit', 'preflight', 'gate'].includes(verb)) stop(`command is audit, preflight or gate, not ${verb}`)
const words = given.split(/\s+/).filter(Boolean)
process.exitCode = verb === 'gate' ? gate() : findings()

function gate() {
  const { status, stdout } = klens([verb, ...words, '--json'])
  const { decision, reasons } = parsed(stdout)
  tell('decision', decision)
  annotate(
    decision === 'keep' ? 'notice' : decision === 'more' ? 'warning' : 'error',
    {},
    `${decision}: ${reasons.join(' ')}`,
  )
  return status
}

function findings() {
  const { status, stdout } = klens([verb, ...words, '--format', 'sarif', '--fail-on', failOn])
  const sarif = parsed(stdout)
  writeFileSync(file, stdout)
  const { results } = sarif.runs[0]
  tell('findings', results.length)
  for (const { ruleId, level, message, locations } of results) {
    const { artifactLocation, region } = locations[0].physicalLocation
    const place = {
      file: decodeURIComponent(artifactLocation.uri),
      line: region.startLine,
      col: region.startColumn,
      title: `klens ${ruleId}`,
    }
    annotate(level === 'note' ? 'notice' : level, place, message.text)
  }
  return status
}

function klens(all) {
  const ran = spawnSync('klens', all, { encoding: 'utf8', maxBuffer: 1 << 28 })
  process.stderr.write(ran.stderr ?? '')
  if (ran.error !== undefined || ran.status === 2) stop(ran.stderr?.trim() || String(ran.error))
  return ran
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return stop('klens gave no JSON')
  }
}

function annotate(level, place, text) {
  const properties = Object.entries(place).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  )
  console.log(`::${level}${properties.length === 0 ? '' : ` ${properties.join(',')}`}::${escaped(text)}`)
}

function escaped(value) {
  return String(value).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function tell(name, value) {
  if (outputs !== undefined) appendFileSync(outputs, `${name}=${String(value).replace(/\s+/g, ' ')}\n`)
}

function stop(sentence) {
  annotate('error', { title: 'klens' }, sentence)
  process.exit(2)
}
