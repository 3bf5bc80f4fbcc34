/**
 * One look for every chart. Sides differ by colour (Okabe and Ito's palette, 2008, made for colour-blind readers), by dash
 * and by marker, so that any one of the three is enough, in print as well.
 *
 * Options hold the light colours. `render.ts` may replace them by CSS variables of the same names, so that a page
 * switches them with the reader's colour scheme.
 */

interface Shade {
  readonly light: string
  readonly dark: string
}

const PALETTE = {
  paper: { light: '#FFFFFF', dark: '#16181C' },
  ink: { light: '#222222', dark: '#E8E8E8' },
  muted: { light: '#595959', dark: '#ABB0B7' },
  axis: { light: '#8C8C8C', dark: '#7D828A' },
  grid: { light: '#E6E6E6', dark: '#30343A' },
  shade: { light: '#B3B3B3', dark: '#6B7077' },
  error: { light: '#B83200', dark: '#FF8A57' },
  warning: { light: '#A86F00', dark: '#F2BC4B' },
  note: { light: '#666666', dark: '#9BA1A8' },
  blue: { light: '#0072B2', dark: '#58A9E0' },
  vermillion: { light: '#D55E00', dark: '#F2813A' },
  green: { light: '#009E73', dark: '#35C497' },
  purple: { light: '#CC79A7', dark: '#E5A3C8' },
  orange: { light: '#E69F00', dark: '#F0BC4A' },
  sky: { light: '#56B4E9', dark: '#93D3F7' },
  black: { light: '#000000', dark: '#FAFAFA' },
} as const satisfies { readonly [name: string]: Shade }

export type ColourName = keyof typeof PALETTE

export function colour(name: ColourName): string {
  return PALETTE[name].light
}

/** What a side looks like wherever it appears. */
export interface Look {
  readonly colour: string
  readonly dash: 'solid' | number[]
  readonly symbol: 'circle' | 'rect' | 'triangle' | 'diamond' | 'emptyCircle' | 'emptyRect' | 'emptyTriangle'
}

const LOOKS: readonly Look[] = [
  { colour: colour('blue'), dash: 'solid', symbol: 'circle' },
  { colour: colour('vermillion'), dash: [9, 4], symbol: 'triangle' },
  { colour: colour('green'), dash: [2, 3], symbol: 'rect' },
  { colour: colour('purple'), dash: [10, 3, 2, 3], symbol: 'diamond' },
  { colour: colour('orange'), dash: [5, 3], symbol: 'emptyCircle' },
  { colour: colour('sky'), dash: [12, 3, 2, 3, 2, 3], symbol: 'emptyRect' },
  { colour: colour('black'), dash: [1, 2], symbol: 'emptyTriangle' },
]

/** From the eighth side on looks repeat; a chart with so many sides should have been a table. */
export function lookOf(side: number): Look {
  return LOOKS[side % LOOKS.length]
}

/**
 * Cells of a heat map, light to dark: even steps of lightness, so that a grey print keeps the order. They carry their own
 * ink and stay as they are on a dark page.
 */
export const HEAT: readonly { readonly fill: string; readonly ink: string }[] = [
  { fill: '#F3F7FB', ink: '#1B1B1B' },
  { fill: '#DCE9F4', ink: '#1B1B1B' },
  { fill: '#BFD8EA', ink: '#1B1B1B' },
  { fill: '#97C0DE', ink: '#1B1B1B' },
  { fill: '#689FC9', ink: '#1B1B1B' },
  { fill: '#3D76A8', ink: '#FEFEFE' },
  { fill: '#1D4E7E', ink: '#FEFEFE' },
]

/** The system's own sans; Chinese falls back to whichever of the common faces is there. */
export const FONT =
  "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif"

/** In pixels, for a chart 760 pixels wide. */
export const TEXT = { title: 16, label: 13, small: 12 } as const

export const WIDTH = 760

/** `var(--klens-chart-blue, #0072B2)` for the blue of the palette; null for a colour that never switches. */
export function variableFor(hex: string): string | null {
  const wanted = hex.toUpperCase()
  const found = Object.entries(PALETTE).find(([, { light }]) => light === wanted)
  return found === undefined ? null : `var(--klens-chart-${found[0]}, ${found[1].light})`
}

/** The variables for a page that holds charts: light, dark where the reader prefers that, light again on paper. */
export function chartStyleSheet(): string {
  const block = (scheme: keyof Shade): string =>
    Object.entries(PALETTE)
      .map(([name, shade]) => `--klens-chart-${name}:${shade[scheme]}`)
      .join(';')
  return [
    `:root{${block('light')}}`,
    `@media screen and (prefers-color-scheme:dark){:root{${block('dark')}}}`,
    'svg.klens-chart{max-width:100%;height:auto}',
  ].join('\n')
}
