import type { Edges, Elements, Line, Look, TableStyle } from './table-style.ts'

// Excel's built-in table styles. Workbooks contain only their names: `TableStyleMedium2`. Seven styles differ only in
// colour: that of text, and the six accents of the theme.

const background = 0
const text = 1
const firstAccent = 4
const stylesPerGroup = 7

const colour = (theme: number, tint = 0): string => `theme="${theme}"${tint === 0 ? '' : ` tint="${tint}"`}`
const line = (style: string, of: string): Line => ({ style, colour: of })
const box = (of: Line): Edges => ({ left: of, right: of, top: of, bottom: of })
const grid = (of: Line): Edges => ({ ...box(of), vertical: of, horizontal: of })

const white = colour(background)
const black = colour(text)
const bold: Look = { isBold: true }
const filled = (fill: string): Look => ({ isBold: true, colour: white, fill })
const ends = (look: Look): Elements => ({ firstColumn: look, lastColumn: look })
const stripes = (fill: string): Elements => ({ firstRowStripe: { fill }, firstColumnStripe: { fill } })

interface Palette {
  main: string
  tinted(tint: number): string
  /** Light and darker fill: greys where the colour is that of text. */
  light: string
  darker: string
  thin: Line
  isText: boolean
}

const groups: Readonly<Record<string, (palette: Palette) => Elements>> = {
  Light0({ main, tinted, light, isText }) {
    const edge = line('thin', main)
    return {
      wholeTable: { ...(isText ? {} : { colour: tinted(-0.25) }), edges: { top: edge, bottom: edge } },
      headerRow: { ...bold, edges: { bottom: edge } },
      totalRow: { ...bold, edges: { top: edge } },
      ...ends(bold),
      ...stripes(light),
    }
  },
  Light1({ main }) {
    const edge = line('thin', main)
    return {
      wholeTable: { edges: box(edge) },
      headerRow: filled(main),
      totalRow: { ...bold, edges: { top: line('double', main) } },
      ...ends(bold),
      firstRowStripe: { edges: { top: edge, bottom: edge } },
      firstColumnStripe: { edges: { left: edge, right: edge } },
    }
  },
  Light2: ({ main, light }) => ({
    wholeTable: { edges: grid(line('thin', main)) },
    headerRow: { ...bold, edges: { bottom: line('medium', main) } },
    totalRow: { ...bold, edges: { top: line('double', main) } },
    ...ends(bold),
    ...stripes(light),
  }),
  Medium0: ({ main, light, thin }) => ({
    wholeTable: { edges: { ...box(thin), horizontal: thin } },
    headerRow: filled(main),
    totalRow: { ...bold, edges: { top: line('double', main) } },
    ...ends(bold),
    ...stripes(light),
  }),
  Medium1: ({ main, light, darker }) => ({
    wholeTable: { fill: light, edges: grid(line('thin', white)) },
    headerRow: { ...filled(main), edges: { bottom: line('thick', white) } },
    totalRow: { ...filled(main), edges: { top: line('thick', white) } },
    ...ends(filled(main)),
    ...stripes(darker),
  }),
  Medium2({ main }) {
    const edge = line('medium', black)
    return {
      wholeTable: { edges: { top: edge, bottom: edge } },
      headerRow: { ...filled(main), edges: { bottom: edge } },
      totalRow: { edges: { top: line('double', black) } },
      ...ends(filled(main)),
      ...stripes(colour(background, -0.15)),
    }
  },
  Medium3: ({ main, light, darker, thin }) => ({
    wholeTable: { fill: light, edges: grid(thin) },
    headerRow: bold,
    totalRow: { ...bold, edges: { top: line('medium', main) } },
    ...ends(bold),
    ...stripes(darker),
  }),
  Dark0({ main, tinted, isText }) {
    const edge = line('medium', white)
    const shade = tinted(isText ? 0.25 : -0.25)
    return {
      wholeTable: { colour: white, fill: isText ? tinted(0.45) : main },
      headerRow: { ...filled(black), edges: { bottom: edge } },
      totalRow: { ...filled(tinted(isText ? 0.15 : -0.5)), edges: { top: edge } },
      firstColumn: { ...filled(shade), edges: { right: edge } },
      lastColumn: { ...filled(shade), edges: { left: edge } },
      ...stripes(shade),
    }
  },
}

/** Undefined for another name. */
export function builtInStyle(name: string): TableStyle | undefined {
  const [, family = '', number] = /^TableStyle(Light|Medium|Dark)([1-9]\d?)$/.exec(name) ?? []
  const index = Number(number) - 1
  const make = groups[`${family}${Math.floor(index / stylesPerGroup)}`]
  if (!make) return undefined
  const isText = index % stylesPerGroup === 0
  const theme = isText ? text : firstAccent - 1 + (index % stylesPerGroup)
  const tinted = (tint: number) => colour(theme, tint)
  const palette: Palette = {
    main: colour(theme),
    tinted,
    light: isText ? colour(background, -0.15) : tinted(0.8),
    darker: isText ? colour(background, -0.35) : tinted(0.6),
    thin: line('thin', isText ? black : tinted(0.4)),
    isText,
  }
  return { elements: make(palette), rowStripes: [1, 1], columnStripes: [1, 1] }
}
