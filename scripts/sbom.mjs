/**
 * The software bill of materials (CycloneDX 1.6): every package whose code is in dist/cli or dist/web, and what npm installs
 * beside them. `npm sbom` knows what is installed, not what is bundled. It has no date and no random number: the same
 * checkout gives the same file.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `bundled` by the place that holds it; klens depends on all of it at once, for a bundle keeps no tree. */
export function billOfMaterials(root, bundled) {
  const { name, version, license, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const installed = Object.keys(dependencies).map(each => ({ name: each, ...lock[`node_modules/${each}`] }))
  const places = { ...bundled, node_modules: installed }
  const components = new Map()
  for (const [place, packages] of Object.entries(places)) {
    for (const each of packages) {
      const purl = purlOf(each)
      const component = components.get(purl) ?? {
        ...componentOf(each, 'library'),
        ...hashesOf(lock[`node_modules/${each.name}`]),
        evidence: { occurrences: [] },
      }
      component.evidence.occurrences.push({ location: place })
      components.set(purl, component)
    }
  }
  const klens = { name, version, license }
  const ordered = [...components.keys()].sort()
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: componentOf(klens, 'application') },
    components: ordered.map(purl => components.get(purl)),
    dependencies: [{ ref: purlOf(klens), dependsOn: ordered }],
  }
}

function componentOf({ name, version, license }, type) {
  const [, group, own] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name)
  const purl = purlOf({ name, version })
  return {
    type,
    'bom-ref': purl,
    ...(group && { group }),
    name: own,
    version,
    ...(license && { licenses: [{ license: { id: license } }] }),
    purl,
  }
}

function purlOf({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** The lock file's own, in the digits that CycloneDX wants. */
function hashesOf(locked) {
  const [algorithm, digest] = (locked?.integrity ?? '').split('-')
  if (algorithm !== 'sha512') return {}
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
}
