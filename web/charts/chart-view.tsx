import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Chart, Extent } from '../../src/core/charts/chart.js'
import { type Drawing, type LayoutOptions, layout, type PlacedPanel } from '../../src/core/charts/layout.js'
import { type AxisScale, pixelAt, valueAt } from '../../src/core/charts/scale.js'
import type { ChartReading } from '../../src/core/charts/shapes.js'
import { useTheme } from '../preferences.js'
import { useSay } from '../words.js'
import { drawOn, measured, saveDrawing } from './canvas.js'
import { type Hovered, nearestReadings, Tip } from './chart-tip.js'
import { useMovingView } from './moving-view.js'
import { pointAt, usePointed } from './pointed.js'

/**
 * A chart to work with. Drag to zoom, shift and drag to pan, double click to see all; the same by keys. The crosshair is
 * shared by all charts along the same axis. It is laid out again for every width and window, by what the report uses too.
 * A click, or Enter, on a point asks where it comes from.
 */
export interface PickedPoint {
  /** Which panel of the chart. */
  readonly panel: number
  readonly reading: ChartReading
}

interface Props {
  readonly chart: Chart
  readonly view?: Extent | undefined
  /** Absent where there is nothing to zoom. */
  readonly onView?: (view: Extent | null) => void
  /** Absent where a point is all there is to see. */
  readonly onPick?: (picked: PickedPoint) => void
  /** Said below: how much of the data is seen. */
  readonly counts?: string
  /** Of each plot, in pixels. */
  readonly height?: number | undefined
  /** Its title and what its lines are stand beside it. */
  readonly isBare?: boolean
  /** Shows one of its panels over the whole window. */
  readonly onFull?: ((panel: number) => void) | undefined
}

const NARROWEST = 280

export function ChartView({ chart, view, onView, onPick, counts, height, isBare = false, onFull }: Props) {
  const [box, width, isNear] = useRoom()
  const shown = useRef<Drawn | null>(null)
  return (
    <figure className="chart" ref={box}>
      <div className="chart-frame">
        {width > 0 && (
          <Plot
            chart={chart}
            view={view}
            onView={onView}
            onPick={onPick}
            onFull={onFull}
            place={{ width, height, isBare, isNear }}
            shown={shown}
          />
        )}
      </div>
      <figcaption className="chart-foot">
        <span>{counts}</span>
        {width > 0 && (
          <ChartTools
            drawingOf={() => {
              const { drawing, options } = shown.current ?? {}
              return isBare || drawing === undefined ? layout(chart, { ...options, isBare: false }) : drawing
            }}
            title={chart.title}
            onView={onView}
            isZoomed={view !== undefined}
          />
        )}
      </figcaption>
    </figure>
  )
}

interface Drawn {
  readonly drawing: Drawing
  readonly options: LayoutOptions
}

/** The picture and what lies over it: all that is made again in every frame of a zoom. */
function Plot({
  chart,
  view: resting,
  onView,
  onPick,
  onFull,
  place: { width, height, isBare, isNear },
  shown,
}: Pick<Props, 'chart' | 'view' | 'onView' | 'onPick' | 'onFull'> & {
  readonly place: {
    readonly width: number
    readonly height: number | undefined
    readonly isBare: boolean
    readonly isNear: boolean
  }
  readonly shown: RefObject<Drawn | null>
}) {
  const { theme } = useTheme()
  const moving = useMovingView(resting)
  const view = onView === undefined ? resting : moving
  // Out of sight it need not follow a zoom in every frame.
  const seen = useRef(view)
  if (isNear) seen.current = view
  const { current: drawnView } = seen
  const canvas = useRef<HTMLCanvasElement>(null)
  const { drawing, options } = useMemo(() => {
    const options = {
      width,
      measure: measured,
      isBare,
      ...(drawnView && { view: drawnView }),
      ...(height && { height }),
    }
    return { drawing: layout(chart, options), options }
  }, [chart, width, drawnView, height, isBare])
  // Before the browser paints: a frame later the old pixels would be seen, stretched to the new size.
  useLayoutEffect(() => {
    if (canvas.current !== null) drawOn(canvas.current, drawing, theme, window.devicePixelRatio || 1)
    shown.current = { drawing, options }
  }, [drawing, options, theme, shown])
  return (
    <>
      <canvas
        ref={canvas}
        role="img"
        aria-label={drawing.description}
        style={{ width: drawing.width, aspectRatio: `${drawing.width} / ${drawing.height}` }}
      />
      <Overlay chart={chart} drawing={drawing} onView={onView} onPick={onPick} view={view} />
      {onFull !== undefined &&
        drawing.panels.map(({ title, area }, i) => (
          <FullButton key={`${i}-${title}`} title={title} area={area} onClick={() => onFull(i)} />
        ))}
    </>
  )
}

/** In the corner of a plot, while it is pointed at or has the focus. */
function FullButton({
  title,
  area: { x, y, width },
  onClick,
}: Pick<PlacedPanel, 'title' | 'area'> & { readonly onClick: () => void }) {
  const label = useSay()('web.curves.full', { title })
  const place = { left: x + width, top: y }
  return (
    <button type="button" className="icon full" aria-label={label} title={label} style={place} onClick={onClick}>
      ⤢
    </button>
  )
}

function ChartTools({
  drawingOf,
  title,
  onView,
  isZoomed,
}: {
  /** As it is saved: with its title and its legend. */
  readonly drawingOf: () => Drawing
  readonly title: string
  readonly onView: Props['onView']
  readonly isZoomed: boolean
}) {
  const say = useSay()
  const { theme } = useTheme()
  return (
    <span className="chart-tools">
      {isZoomed && onView !== undefined && (
        <button type="button" onClick={() => onView(null)}>
          {say('web.chart.reset', {})}
        </button>
      )}
      {(['png', 'svg', 'csv'] as const).map(format => (
        <button
          key={format}
          type="button"
          aria-label={say('web.chart.save', { format: format.toUpperCase(), title })}
          onClick={() => saveDrawing(drawingOf(), title, format, theme)}
        >
          {format.toUpperCase()}
        </button>
      ))}
    </span>
  )
}

/** The space there is, in whole pixels, so that a scroll bar does not make it tremble, and whether it is in sight or nearly so. */
function useRoom(): [(element: HTMLElement | null) => void, number, boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [width, setWidth] = useState(0)
  const [isNear, setIsNear] = useState(true)
  // The first time before the browser paints, which an observer would have it do without the picture.
  useLayoutEffect(() => {
    if (element === null) return
    const fill = (room: number): void => setWidth(Math.max(NARROWEST, Math.floor(room)))
    fill(element.clientWidth)
    const observer = new ResizeObserver(([{ contentRect }]) => fill(contentRect.width))
    observer.observe(element)
    const sight = new IntersectionObserver(entries => setIsNear(entries.some(entry => entry.isIntersecting)), {
      rootMargin: '100px',
    })
    sight.observe(element)
    return () => {
      observer.disconnect()
      sight.disconnect()
    }
  }, [element])
  return [setElement, width, isNear]
}

interface Drag {
  readonly panel: PlacedPanel
  readonly from: number
  readonly to: number
  /** Of where it began. */
  readonly y: number
  readonly isPan: boolean
}

function Overlay({
  chart,
  drawing,
  view,
  onView,
  onPick,
}: {
  readonly chart: Chart
  readonly drawing: Drawing
  readonly view: Extent | undefined
  readonly onView: Props['onView']
  readonly onPick: Props['onPick']
}) {
  const say = useSay()
  const pointed = usePointed()
  const picking = useRef(0)
  const [drag, setDrag] = useState<Drag | null>(null)
  const [hovered, setHovered] = useState<Hovered | null>(null)
  const axis = chart.panels[0]?.x
  if (axis?.kind !== 'progress' || drawing.panels.length === 0) return null
  const { unit } = axis
  const placeOf = (event: PointerEvent<HTMLElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - bounds.left, y: event.clientY - bounds.top }
  }
  const panelAt = ({ x, y }: { readonly x: number; readonly y: number }) =>
    drawing.panels.find(
      ({ area }) => x >= area.x && x <= area.x + area.width && y >= area.y && y <= area.y + area.height,
    )
  const move = (event: PointerEvent<HTMLElement>): void => {
    const place = placeOf(event)
    if (drag !== null) {
      setDrag({ ...drag, to: place.x })
      if (drag.isPan) onView?.(panned({ ...drag, to: place.x }))
      return
    }
    const panel = panelAt(place)
    setHovered(panel === undefined ? null : { at: drawing.panels.indexOf(panel), y: place.y })
    pointAt(panel === undefined ? null : { x: valueAt(panel.x, place.x), unit })
  }
  const begin = (event: PointerEvent<HTMLElement>): void => {
    const place = placeOf(event)
    const panel = panelAt(place)
    window.clearTimeout(picking.current)
    if (panel === undefined || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDrag({ panel, from: place.x, to: place.x, y: place.y, isPan: event.shiftKey })
  }
  const pick = (panel: PlacedPanel, x: number, y: number): void => {
    const [reading] = nearestReadings(panel, x, y)
    if (reading !== undefined) onPick?.({ panel: drawing.panels.indexOf(panel), reading })
  }
  const end = (): void => {
    if (drag !== null && !drag.isPan && Math.abs(drag.to - drag.from) >= SMALLEST_DRAG) onView?.(framed(drag))
    else if (drag !== null && !drag.isPan) {
      const { panel, from, y } = drag
      // The first click of two is no click.
      picking.current = window.setTimeout(() => pick(panel, valueAt(panel.x, from), y), DOUBLE_CLICK_MS)
    }
    setDrag(null)
  }
  const leave = (): void => {
    setHovered(null)
    pointAt(null)
  }
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Enter' && pointed !== null) {
      const panel = drawing.panels[hovered?.at ?? 0] ?? drawing.panels[0]
      pick(panel, pointed.x, hovered?.y ?? panel.area.y)
      return
    }
    const next = keyed(event.key, event.shiftKey, drawing.panels[0], pointed?.x ?? null)
    if (next === null) return
    event.preventDefault()
    if (next.kind === 'point') pointAt({ x: next.x, unit })
    else onView?.(next.view)
    setHovered({ at: 0, y: drawing.panels[0].area.y })
  }
  return (
    <div
      className={`chart-overlay${onView === undefined ? '' : ' can-zoom'}`}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the crosshair follows the arrow keys
      tabIndex={0}
      aria-label={say('web.chart.keys', { title: chart.title })}
      style={{ width: drawing.width, height: drawing.height }}
      onPointerMove={move}
      onPointerDown={begin}
      onPointerUp={end}
      onPointerLeave={leave}
      onBlur={leave}
      onDoubleClick={() => onView?.(null)}
      onKeyDown={press}
    >
      {pointed !== null &&
        pointed.unit === unit &&
        drawing.panels.map((panel, i) => <Line key={`${i}-${panel.title}`} panel={panel} x={pointed.x} />)}
      {drag !== null && !drag.isPan && <Band drag={drag} />}
      {hovered !== null && pointed !== null && drag === null && (
        <Tip chart={chart} drawing={drawing} hovered={hovered} x={pointed.x} unit={unit} />
      )}
      {view !== undefined && <span className="visually-hidden">{say('web.chart.zoomed', {})}</span>}
    </div>
  )
}

const SMALLEST_DRAG = 5
const DOUBLE_CLICK_MS = 260

/** Counted in pixels, a window moves and grows alike on both kinds of axes. */
function windowBetween(scale: AxisScale, from: number, to: number): Extent {
  return [valueAt(scale, Math.min(from, to)), valueAt(scale, Math.max(from, to))]
}

function panned({ panel: { x }, from, to }: Drag): Extent {
  return windowBetween(x, x.range[0] + from - to, x.range[1] + from - to)
}

function framed({ panel: { x, area }, from, to }: Drag): Extent {
  const inside = (pixel: number): number => Math.min(area.x + area.width, Math.max(area.x, pixel))
  return windowBetween(x, inside(from), inside(to))
}

type Keyed = { readonly kind: 'point'; readonly x: number } | { readonly kind: 'view'; readonly view: Extent | null }

/** Arrows move the crosshair from point to point, with shift the window; + and − zoom around it, 0 shows all. */
function keyed(key: string, isShift: boolean, { x: scale, readings }: PlacedPanel, at: number | null): Keyed | null {
  const [left, right] = scale.range
  const middle = at === null ? (left + right) / 2 : pixelAt(scale, at)
  const windowOf = (from: number, to: number): Keyed => ({ kind: 'view', view: windowBetween(scale, from, to) })
  const direction = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  const [span, moved] = [right - left, 0.2 * (right - left) * direction]
  if (direction !== 0 && isShift) return windowOf(left + moved, right + moved)
  if (direction !== 0) {
    const here = at ?? valueAt(scale, middle)
    const slack = 1e-9 * (scale.domain[1] - scale.domain[0])
    const places = readings.flatMap(({ x }) => (typeof x === 'number' ? [x] : [])).sort((a, b) => a - b)
    const next =
      direction > 0 ? places.find(place => place > here + slack) : places.findLast(place => place < here - slack)
    return { kind: 'point', x: next ?? here }
  }
  if (key === '+' || key === '=') return windowOf(middle - span / 4, middle + span / 4)
  if (key === '-') return windowOf(middle - span, middle + span)
  return key === '0' || key === 'Escape' ? { kind: 'view', view: null } : null
}

function Line({ panel: { x: scale, area }, x }: { readonly panel: PlacedPanel; readonly x: number }) {
  const left = pixelAt(scale, x)
  if (left < scale.range[0] || left > scale.range[1]) return null
  return <span className="crosshair" style={{ left, top: area.y, height: area.height }} />
}

function Band({ drag: { panel, from, to } }: { readonly drag: Drag }) {
  const [left, right] = [Math.min(from, to), Math.max(from, to)]
  const { area } = panel
  return <span className="zoom-band" style={{ left, width: right - left, top: area.y, height: area.height }} />
}
