import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useSay } from '../words.js'
import { type PanelSpec, sized } from './lines.js'

/** The corner of a panel: drag it, or move it by the arrow keys. Its width goes by columns of the page, its height by pixels. */

interface Props {
  readonly panel: PanelSpec
  readonly title: string
  /** The size while it is dragged; null when that has ended. */
  readonly onDrag: (panel: PanelSpec | null) => void
  readonly onSize: (panel: PanelSpec) => void
}

const BY_KEY = 20

export function ResizeHandle({ panel, title, onDrag, onSize }: Props) {
  const say = useSay()
  const drag = useRef<{ readonly size: (event: PointerEvent) => PanelSpec } | null>(null)
  const begin = (event: PointerEvent<HTMLElement>): void => {
    const box = event.currentTarget.closest('.panel')
    if (event.button !== 0 || box === null) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const { clientX, clientY } = event
    const { width } = box.getBoundingClientRect()
    const { column, count } = columnsAround(box)
    drag.current = {
      size: to => {
        const columns = Math.min(count, (width + to.clientX - clientX) / column)
        return sized(panel.metric, columns, panel.height + to.clientY - clientY)
      },
    }
  }
  const move = (event: PointerEvent): void => {
    if (drag.current !== null) onDrag(drag.current.size(event))
  }
  const end = (event: PointerEvent): void => {
    if (drag.current !== null) onSize(drag.current.size(event))
    cancel()
  }
  const cancel = (): void => {
    drag.current = null
    onDrag(null)
  }
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const [columns, height] = KEYS[event.key] ?? [0, 0]
    const box = event.currentTarget.closest('.panel')
    if ((columns === 0 && height === 0) || box === null) return
    event.preventDefault()
    const { count } = columnsAround(box)
    onSize(sized(panel.metric, Math.min(count, panel.columns) + columns, panel.height + height))
  }
  const label = say('web.curves.resize', { title })
  return (
    <button
      type="button"
      className="resize"
      aria-label={label}
      title={label}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={cancel}
      onKeyDown={press}
    />
  )
}

const KEYS: { readonly [key: string]: readonly [columns: number, height: number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -BY_KEY],
  ArrowDown: [0, BY_KEY],
}

/** How many columns the grid has on this screen, and how wide one is with the space beside it. */
function columnsAround(box: Element): { readonly column: number; readonly count: number } {
  const { gridTemplateColumns, columnGap } = getComputedStyle(box.parentElement ?? box)
  const widths = gridTemplateColumns.split(' ').map(Number.parseFloat)
  return { column: widths[0] + Number.parseFloat(columnGap), count: widths.length }
}
