import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import { PickleError } from '../../logs/sources/pickle/cursor.js'
import { readPickle } from '../../logs/sources/pickle/read.js'
import { withWeights } from './open.js'
import { contentHash } from './tensor.js'
import { writeZip } from './zip-write.js'

/** Damaged and hostile files end in a sentence that names the file; they never crash, hang, eat the memory or run. */

const FIXTURES = fileURLToPath(new URL('./fixtures', import.meta.url))
const SEED = 1

async function outcome(path: string): Promise<string> {
  try {
    return `hash ${await withWeights(path, ({ tensors }) => contentHash(tensors))}`
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    expect(error.sentence.params.path).toBe(path)
    return error.sentence.key
  }
}

async function outcomeOf(bytes: Buffer, name = 'file.pt'): Promise<string> {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, bytes)
  return outcome(path)
}

function safetensors(header: unknown, data = Buffer.alloc(0)): Buffer {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([length, text, data])
}

const entry = (from: number, to: number, shape = [to - from], dtype = 'U8'): object => ({
  dtype,
  shape,
  data_offsets: [from, to],
})

async function torchOutcome(pickle: Buffer, storages: readonly Buffer[] = []): Promise<string> {
  const path = join(temporaryFolder(), 'made.pt')
  await writeZip(path, [
    { name: 'a/data.pkl', bytes: () => [pickle] },
    ...storages.map((bytes, i) => ({ name: `a/data/${i}`, bytes: () => [bytes] })),
  ])
  return outcome(path)
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

function tensorPickle(shape: string, strides: string, count = 'K\x04'): string {
  const storage = `(X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpu${count}tQ`
  return `ctorch._utils\n_rebuild_tensor_v2\n(${storage}K\x00(${shape}t(${strides}t\x89NtR`
}

describe('safetensors', () => {
  const cases: readonly (readonly [string, Buffer, string])[] = [
    ['an empty file', Buffer.alloc(0), 'weights.cut-short'],
    ['a header length beyond the file', safetensors({ w: entry(0, 4) }).subarray(0, 12), 'weights.cut-short'],
    ['a header of nine exabytes', Buffer.from('ffffffffffffff7f7b', 'hex'), 'weights.huge-header'],
    ['a header of 26 MB', safetensors(' '.repeat(26_000_000)), 'weights.huge-header'],
    ['a header that is no JSON', safetensors('{"w":'), 'weights.bad-header'],
    ['a header that is a list', safetensors([]), 'weights.bad-header'],
    ['a header nested without end', safetensors('['.repeat(100_000)), 'weights.bad-header'],
    ['metadata nested without end', safetensors(`{"a":${'['.repeat(5e5)}${']'.repeat(5e5)}}`), 'weights.bad-header'],
    ['an unknown type', safetensors({ w: entry(0, 4, [4], 'F9') }, Buffer.alloc(4)), 'weights.unknown-dtype'],
    ['a shape that its bytes do not hold', safetensors({ w: entry(0, 4, [5]) }, Buffer.alloc(4)), 'weights.bad-entry'],
    [
      'a shape beyond counting',
      safetensors({ w: entry(0, 4, [2 ** 40, 2 ** 40]) }, Buffer.alloc(4)),
      'weights.bad-entry',
    ],
    ['a tensor beyond the file', safetensors({ w: entry(0, 4) }, Buffer.alloc(3)), 'weights.beyond-file'],
    ['tensors that overlap', safetensors({ a: entry(0, 4), b: entry(2, 6) }, Buffer.alloc(6)), 'weights.overlap'],
    [
      'bytes that belong to no tensor',
      safetensors({ a: entry(0, 2), b: entry(3, 4) }, Buffer.alloc(4)),
      'weights.hole',
    ],
  ]
  for (const [name, bytes, key] of cases) {
    it(`refuses ${name}`, async () => expect(await outcomeOf(bytes, 'file.safetensors')).toBe(key))
  }

  it('takes a name like any other, also one that means something to JavaScript', async () => {
    const header = '{"__proto__":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"__metadata__":{"__proto__":"x"}}'
    expect(await outcomeOf(safetensors(header, Buffer.alloc(1)), 'file.safetensors')).toMatch(/^hash/)
  })
})

describe('PyTorch', () => {
  it('refuses a file that is cut anywhere', async () => {
    for (const name of ['grpo_epoch1.pt', 'legacy.pt', 'every.safetensors', 'fortran.npy']) {
      const bytes = readFileSync(join(FIXTURES, name))
      for (let end = 0; end < bytes.length; end += 97)
        expect(await outcomeOf(bytes.subarray(0, end), name), name).not.toMatch(/^hash/)
    }
  })

  it('notices a flipped bit in a tensor by its checksum', async () => {
    const bytes = readFileSync(join(FIXTURES, 'embeddings.pt'))
    const at = bytes.indexOf(Buffer.from(new Float32Array([5, 6, 7]).buffer))
    bytes[at] ^= 1
    expect(await outcomeOf(bytes)).toBe('weights.bad-checksum')
  })

  it('refuses a tensor that its storage does not hold', async () => {
    const root = latin(`\x80\x02${tensorPickle('K\x05', 'K\x01')}.`)
    expect(await torchOutcome(root, [Buffer.alloc(16)])).toBe('weights.beyond-file')
    expect(await torchOutcome(latin(`\x80\x02${tensorPickle('K\x04', 'K\x01')}.`), [Buffer.alloc(8)])).toBe(
      'weights.beyond-file',
    )
    expect(await torchOutcome(latin(`\x80\x02${tensorPickle('K\x04', 'K\x01')}.`))).toBe('weights.beyond-file')
  })

  it('refuses four bytes that claim to be terabytes, or more than can be counted', async () => {
    const claimed = (size: string): Buffer => latin(`\x80\x02${tensorPickle(size + size, 'K\x00K\x00')}.`)
    expect(await torchOutcome(claimed('J\x00\x00\x10\x00'), [Buffer.alloc(16)])).toBe('weights.overfull')
    expect(await torchOutcome(claimed('J\x00\x00\x00\x02'), [Buffer.alloc(16)])).toBe('weights.bad-entry')
  })

  it('refuses lists nested without end, and lists that double a hundred times', async () => {
    expect(await torchOutcome(latin(`\x80\x02${']'.repeat(50_000)}${'a'.repeat(49_999)}.`))).toBe('weights.overfull')
    expect(await torchOutcome(latin(`\x80\x02]${'2\x86'.repeat(60)}.`))).toBe('weights.overfull')
  })

  it('reads a list that holds itself', async () => {
    expect(await torchOutcome(latin('\x80\x02]q\x00h\x00a.'))).toMatch(/^hash/)
  })

  it('refuses a pickle of marks and memos only, and integers of a billion digits', async () => {
    expect(await torchOutcome(Buffer.alloc(1 << 20, '('))).toBe('weights.overfull')
    expect(await torchOutcome(Buffer.concat([latin(']'), Buffer.alloc(4 << 20, 0x94)]))).toBe('weights.overfull')
    expect(await torchOutcome(latin('\x8b\xff\xff\xff\x7f'))).toBe('weights.overfull')
    expect(await torchOutcome(latin('h\x07.'))).toBe('weights.bad-pickle')
  })

  it('refuses a bare pickle and a zip without one', async () => {
    expect(await outcomeOf(latin('\x80\x02cposix\nsystem\nX\x02\x00\x00\x00ls\x85R.'))).toBe('weights.bare-pickle')
    const path = join(temporaryFolder(), 'a.zip')
    await writeZip(path, [{ name: 'readme', bytes: () => [Buffer.from('hello')] }])
    expect(await outcome(path)).toBe('weights.no-pickle')
  })
})

describe('zip bombs', () => {
  /** One deflated entry, whose directory claims `size`. */
  function bomb(size: number, content: Buffer): Buffer {
    const packed = deflateRawSync(content)
    const name = Buffer.from('a/data.pkl')
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(size, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([latin('PK\x03\x04'), fields, name, packed])
    const central = Buffer.concat([latin('PK\x01\x02'), Buffer.alloc(2), fields, Buffer.alloc(14), name])
    const end = Buffer.alloc(22)
    end.write('PK\x05\x06', 'latin1')
    end.writeUInt32LE(central.length, 12)
    end.writeUInt32LE(local.length, 16)
    return Buffer.concat([local, central, end])
  }

  it('reads an honest deflated pickle', async () => {
    const pickle = latin('\x80\x02}.')
    expect(await outcomeOf(bomb(pickle.length, pickle))).toMatch(/^hash/)
  })

  it('refuses what unpacks to more than it claims, and what claims too much', async () => {
    expect(await outcomeOf(bomb(1000, Buffer.alloc(50 << 20)))).toBe('weights.bad-checksum')
    expect(await outcomeOf(bomb(3 * 2 ** 30, Buffer.alloc(1000)))).toBe('weights.overfull')
  })
})

describe('a small file of much', () => {
  /** A list whose first member is made by `first` and named again and again. */
  const repeated = (first: string, times: number): Buffer =>
    latin(`\x80\x02](${first}q\x01${'h\x01'.repeat(times - 1)}e.`)
  const text = (content: string): string => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(content.length)
    return `X${length.toString('latin1')}${content}`
  }

  it('is refused where one path of many parts is named many times', async () => {
    const path = `cpathlib\nPosixPath\n(${text('a').repeat(20_000)}tR`
    expect(await torchOutcome(repeated(path, 20_000))).toBe('weights.overfull')
  })

  it('is refused where one long text is named many times', async () => {
    expect(await torchOutcome(repeated(text('x'.repeat(1 << 20)), 1_000))).toBe('weights.overfull')
  })

  it('is refused where names are long and nested', async () => {
    const name = text('x'.repeat(1 << 20))
    expect(await torchOutcome(latin(`\x80\x02${`}${name}`.repeat(50)}K\x01${'s'.repeat(50)}.`))).toBe(
      'weights.overfull',
    )
  })

  it('takes no longer where one dict of what are no pairs is named many times', async () => {
    const dict = `ccollections\nOrderedDict\n(](${'K\x01'.repeat(20_000)}etR`
    expect(await torchOutcome(repeated(dict, 20_000))).toMatch(/^hash/)
  })

  it('unpacks an entry once for all tensors in it', async () => {
    const tensor = `ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuJ\x00\x00\x40\x00tQK\x00(K\x01t(K\x01t\x89}tR`
    const members = Array.from({ length: 1_000 }, (_, i) => `${text(`p${i}`)}${tensor}`).join('')
    const pickle = latin(`\x80\x02}(${members}u.`)
    const path = join(temporaryFolder(), 'packed.pt')
    writeFileSync(
      path,
      packedZip([
        { name: 'a/data.pkl', content: pickle },
        { name: 'a/data/0', content: Buffer.alloc(1 << 24) },
      ]),
    )
    const before = process.cpuUsage()
    expect(await outcome(path)).toMatch(/^hash/)
    const { user, system } = process.cpuUsage(before)
    // Of the processor. Once takes a tenth of one; a thousand times, more than ten.
    expect((user + system) / 1e6).toBeLessThan(3)
  })
})

/** All entries deflated. */
function packedZip(entries: readonly { readonly name: string; readonly content: Buffer }[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const { name, content } of entries) {
    const packed = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(content.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    const local = Buffer.concat([latin('PK\x03\x04'), fields, latin(name), packed])
    centrals.push(Buffer.concat([latin('PK\x01\x02'), Buffer.alloc(2), fields, rest, latin(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

describe('random damage', () => {
  const names = [
    'grpo_epoch1.pt',
    'every.pt',
    'legacy.pt',
    'every-legacy.pt',
    'every.safetensors',
    'fortran.npy',
    'evil.pt',
  ]
  const patch = fc.record({ at: fc.nat(), bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }), cut: fc.nat(4) })

  for (const name of names) {
    const whole = readFileSync(join(FIXTURES, name))
    it(`of ${name} ends in a hash or a sentence`, async () => {
      const path = join(temporaryFolder(), name)
      await fc.assert(
        fc.asyncProperty(fc.array(patch, { minLength: 1, maxLength: 4 }), async patches => {
          let damaged = whole
          for (const { at, bytes, cut } of patches) {
            const place = at % damaged.length
            damaged = Buffer.concat([
              damaged.subarray(0, place),
              bytes,
              damaged.subarray(place + (cut === 0 ? 0 : bytes.length)),
            ])
          }
          writeFileSync(path, damaged)
          await outcome(path)
        }),
        { numRuns: 120, seed: SEED },
      )
    })
  }

  it('of a pickle alone gives a value or a PickleError', () => {
    const opcodes = fc.constantFrom(
      ...'(.0123FGIJKLMNRSTUVX]`abcdeghijlopqrstu})BCPQ\x80\x81\x85\x86\x87\x88\x89\x8a\x8b\x8c\x90\x91\x93\x94\x95',
    )
    const byte = fc.oneof({ weight: 5, arbitrary: opcodes }, fc.constantFrom('\x00', '\x01', '\n', '7'))
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 60 }), bytes => {
        try {
          readPickle(latin(bytes.join('')))
        } catch (error) {
          expect(error).toBeInstanceOf(PickleError)
        }
      }),
      { numRuns: 3_000, seed: SEED },
    )
  })
})
