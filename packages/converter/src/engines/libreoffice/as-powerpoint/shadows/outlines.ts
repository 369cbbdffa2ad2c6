// The outlines of common shapes as polygons, by their preset names. Adjustments are in thousandths of a percent, as in
// the shapes' definitions.

export interface Point {
  x: number
  y: number
}

/** Returns the value of an adjustment, or its default if the file has none. */
type Adjustment = (name: string, otherwise: number) => number
type Outline = (width: number, height: number, adjustment: Adjustment) => Point[]

const stepsOfArc = 16
const whole = 100_000

const points = (...pairs: readonly (readonly [number, number])[]): Point[] =>
  pairs.map(([x, y]) => ({ x, y }))

const within = (value: number, most: number) => Math.min(Math.max(value, 0), most)

/** A quarter of an ellipse around a centre, clockwise, starting `start` quarter turns after the right. */
const quarter = (x: number, y: number, radiusX: number, radiusY: number, start: number): Point[] =>
  Array.from({ length: stepsOfArc + 1 }, (_, step) => {
    const angle = ((start + step / stepsOfArc) * Math.PI) / 2
    return { x: x + radiusX * Math.cos(angle), y: y + radiusY * Math.sin(angle) }
  })

const rectangle: Outline = (width, height) => points([0, 0], [width, 0], [width, height], [0, height])

const rounded: Outline = (width, height, adjustment) => {
  const radius = (Math.min(width, height) * within(adjustment('adj', 16_667), 50_000)) / whole
  return [
    ...quarter(width - radius, height - radius, radius, radius, 0),
    ...quarter(radius, height - radius, radius, radius, 1),
    ...quarter(radius, radius, radius, radius, 2),
    ...quarter(width - radius, radius, radius, radius, 3),
  ]
}

const ellipse: Outline = (width, height) =>
  [0, 1, 2, 3].flatMap((start) => quarter(width / 2, height / 2, width / 2, height / 2, start))

const can: Outline = (width, height, adjustment) => {
  const short = Math.min(width, height)
  const depth = (short * within(adjustment('adj', 25_000), (50_000 * height) / short)) / (2 * whole)
  const half = width / 2
  return [
    ...quarter(half, height - depth, half, depth, 0),
    ...quarter(half, height - depth, half, depth, 1),
    ...quarter(half, depth, half, depth, 2),
    ...quarter(half, depth, half, depth, 3),
  ]
}

const foldedCorner: Outline = (width, height, adjustment) => {
  const fold = (Math.min(width, height) * within(adjustment('adj', 16_667), 50_000)) / whole
  return points([0, 0], [width, 0], [width, height - fold], [width - fold, height], [0, height])
}

const rightArrow: Outline = (width, height, adjustment) => {
  const short = Math.min(width, height)
  const shaft = (height * within(adjustment('adj1', 50_000), whole)) / (2 * whole)
  const head = width - (short * within(adjustment('adj2', 50_000), (whole * width) / short)) / whole
  const middle = height / 2
  return points(
    [0, middle - shaft],
    [head, middle - shaft],
    [head, 0],
    [width, middle],
    [head, height],
    [head, middle + shaft],
    [0, middle + shaft],
  )
}

const rightArrowCallout: Outline = (width, height, adjustment) => {
  const short = Math.min(width, height)
  const half = within(adjustment('adj2', 25_000), (50_000 * height) / short)
  const shaft = (short * within(adjustment('adj1', 25_000), half * 2)) / (2 * whole)
  const length = within(adjustment('adj3', 25_000), (whole * width) / short)
  const box = (width * within(adjustment('adj4', 64_977), whole - (length * short) / width)) / whole
  const wing = (short * half) / whole
  const head = width - (short * length) / whole
  const middle = height / 2
  return points(
    [0, 0],
    [box, 0],
    [box, middle - shaft],
    [head, middle - shaft],
    [head, middle - wing],
    [width, middle],
    [head, middle + wing],
    [head, middle + shaft],
    [box, middle + shaft],
    [box, height],
    [0, height],
  )
}

const pentagonArrow: Outline = (width, height, adjustment) => {
  const short = Math.min(width, height)
  const head = width - (short * within(adjustment('adj', 50_000), (whole * width) / short)) / whole
  return points([0, 0], [head, 0], [width, height / 2], [head, height], [0, height])
}

const chevron: Outline = (width, height, adjustment) => {
  const short = Math.min(width, height)
  const point = (short * within(adjustment('adj', 50_000), (whole * width) / short)) / whole
  return points(
    [0, 0],
    [width - point, 0],
    [width, height / 2],
    [width - point, height],
    [0, height],
    [point, height / 2],
  )
}

const mirrored =
  (outline: Outline): Outline =>
  (width, height, adjustment) =>
    outline(width, height, adjustment).map(({ x, y }) => ({ x: width - x, y }))

export const outlines: ReadonlyMap<string, Outline> = new Map([
  ['rect', rectangle],
  ['flowChartProcess', rectangle],
  ['roundRect', rounded],
  ['flowChartAlternateProcess', rounded],
  ['ellipse', ellipse],
  ['flowChartConnector', ellipse],
  ['can', can],
  ['foldedCorner', foldedCorner],
  ['rightArrow', rightArrow],
  ['leftArrow', mirrored(rightArrow)],
  ['rightArrowCallout', rightArrowCallout],
  ['homePlate', pentagonArrow],
  ['chevron', chevron],
  [
    'diamond',
    (width, height) => points([width / 2, 0], [width, height / 2], [width / 2, height], [0, height / 2]),
  ],
  [
    'triangle',
    (width, height, adjustment) =>
      points([(width * within(adjustment('adj', 50_000), whole)) / whole, 0], [width, height], [0, height]),
  ],
])
