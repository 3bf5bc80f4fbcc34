import { stat } from 'node:fs/promises'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { readFolder } from './folder.js'
import { NPY_MAGIC, readNpy, readNpz } from './npy.js'
import { openRegion, type Region } from './region.js'
import { readSafetensors } from './safetensors.js'
import { readTorchLegacy, readTorchZip } from './torch-read.js'
import type { Contents, WeightsFile, WeightsFormat } from './weights-file.js'

/** Formats are recognised by the first bytes of a file; its name decides only where those leave it open. */

const READERS: { readonly [format in WeightsFormat]: (file: Region) => Promise<Contents> } = {
  safetensors: readSafetensors,
  npy: readNpy,
  npz: readNpz,
  pytorch: readTorchZip,
  'pytorch-legacy': readTorchLegacy,
}

const ZIP_MAGIC = Buffer.from('PK\x03\x04', 'latin1')
const PICKLE_PROTOCOL = 0x80
const BRACE = 0x7b

/** The files stay open while they are used: tensors are read when they are asked for. */
export async function withWeights<Result>(path: string, use: (file: WeightsFile) => Promise<Result>): Promise<Result> {
  const opened: { close(): Promise<void> }[] = []
  const open = async (file: string): Promise<WeightsFile> => {
    const region = await openRegion(file)
    opened.push(region)
    const format = await formatOf(region)
    return { path: file, format, bytes: region.length, files: [file], base: null, ...(await READERS[format](region)) }
  }
  try {
    const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true
    return await use(isFolder ? await readFolder(path, open) : await open(path))
  } finally {
    await Promise.all(opened.map(region => region.close()))
  }
}

async function formatOf(file: Region): Promise<WeightsFormat> {
  const { path } = file
  const start = await file.read(0, Math.min(9, file.length))
  if (start.subarray(0, NPY_MAGIC.length).equals(NPY_MAGIC)) return 'npy'
  if (start.subarray(0, ZIP_MAGIC.length).equals(ZIP_MAGIC)) return path.endsWith('.npz') ? 'npz' : 'pytorch'
  if (start[0] === PICKLE_PROTOCOL && start[1] <= 5) return 'pytorch-legacy'
  if (start[8] === BRACE || path.endsWith('.safetensors')) return 'safetensors'
  throw new Problem('unreadable', message('weights.unknown-format', { path }))
}
