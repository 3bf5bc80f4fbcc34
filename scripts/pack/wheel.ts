import { createHash } from 'node:crypto'
import { type Entry, textEntry, under } from './entries.js'

/**
 * A wheel, put together by hand: the Python package `klens` is the content of the archive plus a function that starts
 * its launcher, so packing needs no Python and installing needs no internet. Beside it lies `klens_gym`, by which trainers
 * written in Python use the gym.
 *
 * Two platform tags. `manylinux_2_28_x86_64` is what pip knows since 20.3. `linux_x86_64` is for older ones (RHEL 8 has
 * pip 9), and lets pip install on a machine whose glibc is too old, where the launcher then says so in a sentence.
 */

export interface WheelFacts {
  readonly name: string
  readonly version: string
  readonly summary: string
  readonly licence: string
  readonly readme: string
  readonly glibc: string
}

export function wheelFileName({ name, version, glibc }: WheelFacts): string {
  return `${name}-${version}-py3-none-${platformTags(glibc).join('.')}.whl`
}

/** The files of the wheel, by package; RECORD, which lists them all, comes last as the format asks. */
export function wheelEntries(facts: WheelFacts, packages: { readonly [name: string]: readonly Entry[] }): Entry[] {
  const information = `${facts.name}-${facts.version}.dist-info`
  const entries = [
    ...Object.entries(packages).flatMap(([name, files]) => under(name, files)),
    textEntry(`${information}/METADATA`, metadata(facts)),
    textEntry(`${information}/WHEEL`, wheelFile(facts)),
    textEntry(`${information}/entry_points.txt`, `[console_scripts]\n${facts.name} = ${facts.name}:main\n`),
  ]
  const record = `${information}/RECORD`
  return [...entries, textEntry(record, `${entries.map(recordLine).join('\n')}\n${record},,\n`)]
}

function platformTags(glibc: string): readonly string[] {
  return ['linux_x86_64', `manylinux_${glibc.replace('.', '_')}_x86_64`]
}

function metadata({ name, version, summary, licence, readme }: WheelFacts): string {
  return [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${summary}`,
    `License: ${licence}`,
    'Requires-Python: >=3.6',
    'Description-Content-Type: text/markdown',
    '',
    readme,
  ].join('\n')
}

function wheelFile({ glibc }: WheelFacts): string {
  return [
    'Wheel-Version: 1.0',
    'Generator: klens scripts/pack',
    'Root-Is-Purelib: false',
    ...platformTags(glibc).map(tag => `Tag: py3-none-${tag}`),
    '',
  ].join('\n')
}

function recordLine({ path, bytes }: Entry): string {
  const field = /[",]/.test(path) ? `"${path.replaceAll('"', '""')}"` : path
  return `${field},sha256=${createHash('sha256').update(bytes).digest('base64url')},${bytes.length}`
}
