/**
 * Writes the types of the package's exports into dist/types: a declaration for every file that the entries' types reach, and
 * the table of questions as plain types, made of the questions' own schemas. What is written imports nothing but itself: a
 * program that uses klens needs no zod.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { isolatedDeclarationSync } from 'rolldown/experimental'
import { z } from 'zod'

/** `questions` is the table of `src/app/ask/questions.ts`. */
export async function writeTypes({ root, entries, questions }) {
  const source = join(root, 'src')
  const folder = join(root, 'dist', 'types')
  rmSync(folder, { recursive: true, force: true })
  const written = new Set()
  for (const entry of entries) await write(entry)

  async function write(path) {
    if (written.has(path)) return
    written.add(path)
    const isTable = path === join(source, 'app', 'library', 'question-types.ts')
    const text = isTable ? await questionTypes(questions) : declarationOf(path)
    const target = join(folder, relative(source, path)).replace(/\.ts$/, '.d.ts')
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
    for (const [, from] of text.matchAll(/(?:from |import\()"([^"]+)"/g)) {
      if (!from.startsWith('.')) throw new Error(`${relative(root, path)}: a type of the package comes from ${from}`)
      await write(resolve(dirname(path), from).replace(/\.js$/, '.ts'))
    }
  }

  function declarationOf(path) {
    const { code, errors } = isolatedDeclarationSync(path, readFileSync(path, 'utf8'))
    if (errors.length > 0) throw new Error(`${relative(root, path)}: ${errors[0].message}`)
    return code
  }
}

/** The table of questions, with requests as they may be given and answers as they are encoded. */
async function questionTypes(questions) {
  const named = []
  const rows = []
  for (const [name, load] of Object.entries(questions)) {
    const { request, answer } = await load()
    const prefix = name.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase())
    const asked = typeFor(z.toJSONSchema(request, { io: 'input' }), `${prefix}Request`, '    ', named)
    const answered = typeFor(z.toJSONSchema(answer), `${prefix}Answer`, '    ', named)
    rows.push(
      `  readonly ${memberName(name)}: {\n    readonly request: ${asked}\n    readonly answer: ${answered}\n  }`,
    )
  }
  const about = '/** Every question by its name, with what is asked and what is answered. */'
  return [...named, `${about}\nexport type QuestionTypes = {\n${rows.join('\n')}\n}\n`].join('\n')
}

/** A JSON Schema as a type; what it defines for itself becomes a type with a name. */
function typeFor(schema, prefix, indent, named) {
  for (const [name, defined] of Object.entries(schema.$defs ?? {})) {
    named.push(`type ${referenceName(prefix, name)} = ${typeOf(defined, prefix, '')}\n`)
  }
  return typeOf(schema, prefix, indent)
}

function referenceName(prefix, name) {
  return `${prefix}_${name.replace(/\W|^_+/g, '')}`
}

function typeOf(schema, prefix, indent) {
  const inner = each => typeOf(each, prefix, indent)
  if (schema.$ref !== undefined) return referenceName(prefix, schema.$ref.replace('#/$defs/', ''))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return union(schema.enum.map(value => JSON.stringify(value)))
  if (schema.anyOf ?? schema.oneOf) return union((schema.anyOf ?? schema.oneOf).map(inner))
  if (schema.allOf !== undefined) return schema.allOf.map(each => grouped(inner(each))).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map(type => inner({ ...schema, type })))
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return schema.type
    case 'integer':
      return 'number'
    case 'array':
      if (schema.prefixItems !== undefined) return `readonly [${schema.prefixItems.map(inner).join(', ')}]`
      return `readonly ${grouped(inner(schema.items ?? {}))}[]`
    case 'object':
      return objectType(schema, prefix, indent)
    case undefined:
      return 'unknown'
    default:
      throw new Error(`no type for the schema ${JSON.stringify(schema)}`)
  }
}

function objectType({ properties = {}, required = [], additionalProperties, propertyNames }, prefix, indent) {
  const deeper = `${indent}  `
  // A record by a few names has its members' schema once, and the names beside it.
  const record = (propertyNames?.enum ?? []).map(name => [name, additionalProperties])
  const members = [...Object.entries(properties), ...record].map(([name, schema]) => {
    const type = typeOf(schema, prefix, deeper)
    const member = required.includes(name)
      ? `${memberName(name)}: ${type}`
      : `${memberName(name)}?: ${type} | undefined`
    return `${deeper}readonly ${member}\n`
  })
  if (typeof additionalProperties === 'object' && members.length === 0) {
    return `{ readonly [name: string]: ${typeOf(additionalProperties, prefix, indent)} }`
  }
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`
}

function memberName(name) {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
}

function grouped(type) {
  return /^\w+$/.test(type) ? type : `(${type})`
}

function union(types) {
  return [...new Set(types)].join(' | ')
}
