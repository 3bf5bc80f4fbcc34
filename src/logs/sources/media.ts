/**
 * What a log holds beside numbers, read on demand and never stored: pictures, histograms, and how busy the machine was.
 * `place` is where a picture can be read again, in the words of its format.
 */
export interface LoggedMedia {
  readonly images: readonly LoggedImage[]
  readonly histograms: readonly LoggedHistogram[]
  /** By Unix seconds. */
  readonly system: ReadonlyMap<string, SystemSeries>
}

export interface LoggedImage {
  readonly name: string
  readonly step: number
  readonly place: string
}

export interface LoggedHistogram {
  readonly name: string
  readonly step: number
  /** One more than there are counts. */
  readonly edges: readonly number[]
  readonly counts: readonly number[]
}

export interface SystemSeries {
  readonly times: number[]
  readonly values: number[]
}

/** Of each name the last so many, and so many names: what a person looks at, and a bound for a hostile file. */
const MOST_OF_A_NAME = 24
const MOST_NAMES = 200
const MOST_BINS = 512
const MOST_SYSTEM_POINTS = 200_000

/** Collects while a log is read. */
export function mediaCollector() {
  const images = new Map<string, LoggedImage[]>()
  const histograms = new Map<string, LoggedHistogram[]>()
  const system = new Map<string, SystemSeries>()
  const keepLast = <Item extends { readonly name: string }>(kept: Map<string, Item[]>, item: Item): void => {
    const others = kept.get(item.name) ?? []
    if (others.length === 0 && kept.size >= MOST_NAMES) return
    kept.set(item.name, [...others, item].slice(-MOST_OF_A_NAME))
  }
  return {
    image: (image: LoggedImage): void => keepLast(images, image),
    histogram(histogram: LoggedHistogram): void {
      const { edges, counts } = histogram
      const isWhole = counts.length > 0 && counts.length <= MOST_BINS && edges.length === counts.length + 1
      if (isWhole && [...edges, ...counts].every(Number.isFinite)) keepLast(histograms, histogram)
    },
    system(name: string, time: number, value: number): void {
      const series = system.get(name) ?? { times: [], values: [] }
      if (system.size >= MOST_NAMES && series.times.length === 0) return
      if (!Number.isFinite(time) || !Number.isFinite(value) || series.times.length >= MOST_SYSTEM_POINTS) return
      series.times.push(time)
      series.values.push(value)
      system.set(name, series)
    },
    collected: (): LoggedMedia => ({
      images: [...images.values()].flat(),
      histograms: [...histograms.values()].flat(),
      system,
    }),
  }
}

export type MediaCollector = ReturnType<typeof mediaCollector>

/** A larger picture is not shown. */
export const MOST_IMAGE_BYTES = 8 << 20

/** By the first bytes, never by what a log or a name says: a drawing that could hold a script (SVG) is no picture here. */
export function imageType(bytes: Buffer): string | null {
  const starts = (text: string, at = 0): boolean => bytes.toString('latin1', at, at + text.length) === text
  if (starts('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (starts('\xff\xd8\xff')) return 'image/jpeg'
  if (starts('GIF87a') || starts('GIF89a')) return 'image/gif'
  return starts('RIFF') && starts('WEBP', 8) ? 'image/webp' : null
}
