import type { Drawing } from '../../src/charts/layout.js'
import { toCsv } from '../../src/charts/readings.js'
import { toSvg } from '../../src/charts/svg.js'
import type { Theme } from '../preferences.js'
import { drawOn } from './canvas.js'

/** What is seen, as a file: the same drawing, not another one made for the file. */
export function saveDrawing(drawing: Drawing, name: string, format: 'png' | 'svg' | 'csv', theme: Theme): void {
  const file = `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'chart'}.${format}`
  if (format === 'svg') save(file, 'image/svg+xml', toSvg(drawing, { prefix: 'klens', scheme: theme }))
  else if (format === 'csv') save(file, 'text/csv', toCsv(drawing))
  else {
    const canvas = document.createElement('canvas')
    drawOn(canvas, drawing, theme, 2)
    canvas.toBlob(blob => {
      if (blob !== null) saveBlob(file, blob)
    })
  }
}

function save(file: string, type: string, text: string): void {
  saveBlob(file, new Blob([text], { type: `${type};charset=utf-8` }))
}

function saveBlob(file: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = file
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
