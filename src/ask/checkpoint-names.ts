import { basename, dirname, extname, resolve } from 'node:path'

/**
 * Short names for checkpoints in one table. klens's own lie in `runs/<id>/checkpoints` and are told by their run; of
 * others a file name will do, and where several files have the same one, as many of the folders before it as it takes.
 */
export function checkpointNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const parts = new Map(paths.map(path => [path, partsOf(path)]))
  const nameOf = (path: string, length: number): string => parts.get(path)?.slice(-length).join('/') ?? path
  return new Map(
    paths.map(path => {
      const others = paths.filter(other => resolve(other) !== resolve(path))
      const most = parts.get(path)?.length ?? 1
      let length = 1
      while (length < most && others.some(other => nameOf(other, length) === nameOf(path, length))) length += 1
      return [path, nameOf(path, length)]
    }),
  )
}

function partsOf(path: string): readonly string[] {
  const whole = resolve(path)
  const folders = dirname(whole).split(/[\\/]/)
  const file = basename(whole, extname(whole))
  if (folders.at(-1) !== 'checkpoints') return [...folders, file]
  return [...folders.slice(0, -2), `${folders.at(-2)}/${file}`]
}
